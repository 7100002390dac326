#pragma once

// Calls of functions that the CUDA run time provides, as a program carries them: assert and printf. And what ends a kernel
// besides: a call through a pointer to nothing, a stack that is full.
//
// A failed assertion is a `trap` whose payload names its call (place in Program::runtime_calls + 1). A printf
// is ordinary code: as in CUDA, it takes a place in a buffer of global memory by an atomic addition and
// stores a record there, which the host reads when the kernel has ended.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle::isa {

struct RuntimeCall {
  enum class Kind : std::uint8_t { assertion, print, failure };
  Kind kind = Kind::assertion;
  std::string text;  ///< the condition; the format; what is wrong
  std::string file, function;
  std::uint32_t line = 0;
};

/// "assertion `i < n' failed (file.cu:12, in scale)"
std::string assertion_text(const RuntimeCall& call);

/// The variable of the module that holds the records: first the bytes taken (u32; more than there are where
/// some were lost), from kPrintfFirst on the records.
inline constexpr const char* kPrintfBuffer = "printf buffer";
inline constexpr std::uint32_t kPrintfFirst = 16;
inline constexpr std::uint32_t kPrintfBytes = 1u
                                              << 20;  ///< of records: CUDA's default cudaLimitPrintfFifoSize
/// A record: call + 1, thread (x | y << 10 | z << 20), CTA x, CTA (y | z << 16); then 8 bytes a value.
inline constexpr std::uint32_t kPrintfHead = 16;

/// The variable of the module in which the barrier of a cooperative grid counts, zero at first, as CUDA's headers have
/// it: 32 bits at byte 4. %envreg1 and 2 hold its address.
inline constexpr const char* kGridWorkspace = "grid workspace";
inline constexpr std::uint32_t kGridWorkspaceBytes = 64;

/// The variable of the module that malloc in kernels hands out (models/ptx/heap_library.h); one for all modules of a
/// program.
inline constexpr const char* kHeap = "device heap";
/// First bytes of a heap of this size; zeros follow.
std::vector<std::uint8_t> heap_beginning(std::uint64_t bytes);

/// A piece of a format: text as it stands, or a conversion with its value.
struct PrintfField {
  std::string text;         ///< "%-5.2f" without its length modifiers; or plain text
  char conversion = 0;      ///< d i u o x X c e E f F g G a A s p, * (a width or precision); 0: plain text
  std::uint8_t bytes = 0;   ///< of the value, as C passes it: 4 or 8
  std::uint8_t stars = 0;   ///< values for width and precision that stand before it
  std::uint8_t narrow = 0;  ///< hh: 1, h: 2 bytes of the value count
};
/// Throws Error (`where`) for a conversion that is none, or %n.
std::vector<PrintfField> parse_printf(const std::string& format, int address_bits, const std::string& where);
/// Bytes of the values, in order.
std::vector<std::uint8_t> value_bytes(const std::vector<PrintfField>& fields);
/// The text of one call. `string_at` reads a string of the device's memory. A conversion of more than 4,096 characters
/// is not made: it says that its width is beyond all bounds.
std::string print(const std::vector<PrintfField>& fields, const std::vector<std::uint64_t>& values,
                  const std::function<std::string(std::uint64_t)>& string_at);

}  // namespace heddle::isa
