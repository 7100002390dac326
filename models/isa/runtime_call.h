#pragma once

// Calls of CUDA run-time functions (assert and printf), and failures that end a kernel (a call through an
// invalid pointer, and a stack overflow).
//
// A failed assertion is a `trap`. The trap's payload is 1 + the index of the assertion in
// Program::runtime_calls. printf is ordinary code, as in CUDA: an atomic addition reserves a record in a buffer
// in global memory, and stores write the values there. The host prints the records after the kernel.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle::isa {

struct RuntimeCall {
  enum class Kind : std::uint8_t { assertion, print, failure };
  Kind kind = Kind::assertion;
  std::string text;
  std::string file, function;
  std::uint32_t line = 0;
};

/// Error text of a failed assertion, such as "assertion `i < n' failed (file.cu:12, in scale)".
std::string assertion_text(const RuntimeCall& call);

/// Module variable with the printf records. Its first word (u32) is the number of bytes that calls have
/// requested, including bytes for records that did not fit. The records start at byte kPrintfFirst.
inline constexpr const char* kPrintfBuffer = "printf buffer";
inline constexpr std::uint32_t kPrintfFirst = 16;
/// Size of the printf buffer in bytes: CUDA's default of cudaLimitPrintfFifoSize.
inline constexpr std::uint32_t kPrintfBytes = 1u << 20;
/// Size in bytes of the head of a printf record. The head has four words: 1 + index of the call; thread (x |
/// y << 10 | z << 20); CTA x; CTA (y | z << 16). The printed values follow, with 8 bytes each.
inline constexpr std::uint32_t kPrintfHead = 16;

/// Module variable that holds the barrier counter of a cooperative grid: the 32-bit word at byte 4, as in
/// CUDA's headers, initially zero. %envreg1 and %envreg2 hold the variable's address.
inline constexpr const char* kGridWorkspace = "grid workspace";
inline constexpr std::uint32_t kGridWorkspaceBytes = 64;

/// Module variable that holds the heap for malloc in kernels. All modules of a program share this heap.
inline constexpr const char* kHeap = "device heap";
/// Returns the initial contents of the first bytes of a malloc heap of `bytes` bytes. All later bytes are
/// initially zero.
std::vector<std::uint8_t> heap_beginning(std::uint64_t bytes);

struct PrintfField {
  std::string text;        ///< The plain text, or the conversion (such as "%-5.2f") without length modifiers.
  char conversion = 0;     ///< Conversion letter: one of d i u o x X c e E f F g G a A s p; 0 for plain text.
  std::uint8_t bytes = 0;  ///< Size of the argument in bytes, as C passes it: 4 or 8.
  std::uint8_t stars = 0;  ///< Number of `*` arguments (field width, precision) before the value.
  /// Number of low bytes of the argument that printf uses: 1 for the length modifier hh, 2 for h; 0 = all.
  std::uint8_t narrow = 0;
};
/// Splits a printf format into plain text and conversions. `address_bits`: pointer width of the program.
/// Throws Error (at `where`) for %n and for invalid conversions.
std::vector<PrintfField> parse_printf(const std::string& format, int address_bits, const std::string& where);
std::vector<std::uint8_t> value_bytes(const std::vector<PrintfField>& fields);
/// Returns the text that one printf call prints. `string_at`: reads a string from device memory. A conversion
/// of more than 4,096 characters is replaced by a note.
std::string print(const std::vector<PrintfField>& fields, const std::vector<std::uint64_t>& values,
                  const std::function<std::string(std::uint64_t)>& string_at);

}  // namespace heddle::isa
