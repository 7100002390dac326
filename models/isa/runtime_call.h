#pragma once

// Calls of CUDA run-time functions (assert and printf) in the form in which a program carries them, and the
// failures that end a kernel: a call through an invalid pointer and a stack overflow.
//
// A failed assertion is a `trap` whose payload is 1 + the index of its entry in Program::runtime_calls. As in
// CUDA, printf is compiled to ordinary code: it reserves a record in a buffer in global memory by an atomic
// addition and stores its values there. The host prints the records when the kernel has ended.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle::isa {

struct RuntimeCall {
  enum class Kind : std::uint8_t { assertion, print, failure };
  Kind kind = Kind::assertion;
  std::string text;  ///< assertion: the condition; print: the format; failure: the error text
  std::string file, function;
  std::uint32_t line = 0;
};

/// Returns a text such as "assertion `i < n' failed (file.cu:12, in scale)".
std::string assertion_text(const RuntimeCall& call);

/// Module variable with the printf records. Its first word (u32) counts the bytes requested, including those
/// of lost records. The records start at byte kPrintfFirst.
inline constexpr const char* kPrintfBuffer = "printf buffer";
inline constexpr std::uint32_t kPrintfFirst = 16;
/// Capacity for records: CUDA's default of cudaLimitPrintfFifoSize.
inline constexpr std::uint32_t kPrintfBytes = 1u << 20;
/// Bytes of a record's head: 1 + call index, thread (x | y << 10 | z << 20), CTA x, CTA (y | z << 16). 8
/// bytes per value follow.
inline constexpr std::uint32_t kPrintfHead = 16;

/// Module variable with the barrier counter of a cooperative grid, initially zero. As in CUDA's headers, the
/// counter is the 32-bit word at byte 4. %envreg1 and %envreg2 hold the variable's address.
inline constexpr const char* kGridWorkspace = "grid workspace";
inline constexpr std::uint32_t kGridWorkspaceBytes = 64;

/// Module variable with the heap of malloc in kernels (models/ptx/heap_library.h). All modules of a program
/// share it.
inline constexpr const char* kHeap = "device heap";
/// Returns the first bytes of a heap of `bytes` bytes; the rest of the heap is zero.
std::vector<std::uint8_t> heap_beginning(std::uint64_t bytes);

/// Part of a printf format: plain text, or one conversion.
struct PrintfField {
  std::string text;         ///< plain text, or a conversion such as "%-5.2f" without length modifiers
  char conversion = 0;      ///< one of d i u o x X c e E f F g G a A s p; 0 for plain text
  std::uint8_t bytes = 0;   ///< size of the argument, as C passes it: 4 or 8
  std::uint8_t stars = 0;   ///< number of `*` arguments (width, precision) before the value
  std::uint8_t narrow = 0;  ///< bytes of the value that count: 1 for hh, 2 for h, 0 for all
};
/// Throws Error (at `where`) for %n and for invalid conversions.
std::vector<PrintfField> parse_printf(const std::string& format, int address_bits, const std::string& where);
/// Sizes in bytes of all arguments, in order.
std::vector<std::uint8_t> value_bytes(const std::vector<PrintfField>& fields);
/// Returns the text of one printf call. `string_at` reads a string from device memory. A conversion longer
/// than 4,096 characters is replaced by a note that its width is beyond all bounds.
std::string print(const std::vector<PrintfField>& fields, const std::vector<std::uint64_t>& values,
                  const std::function<std::string(std::uint64_t)>& string_at);

}  // namespace heddle::isa
