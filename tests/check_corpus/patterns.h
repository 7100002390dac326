#pragma once

// Patterns for the test of the reference's checks. A pattern is the PTX text of a kernel body. From each
// pattern, the test makes two kernels: one with a fault, and one without it.
//
// A body runs in CTAs of 64 threads, and its text contains:
//   @@          replaced by `faulty` in one kernel and by `clean` in the other
//   $sp         "shared" or "global", in patterns with both_spaces. There, the following are addresses in
//               this memory space:
//   $base       first word of the memory
//   $own        word of the thread
//   $beside     word of the thread with the same lane in the other warp
//   $next       word of the neighbouring lane
//   $wide, $wbase
//               first word of the memory, in a 64-bit register
//   $malloc(%d1, 64), $free(%d1)
//               calls of malloc and free
// The registers %t, %l, %w and %c have the numbers of the thread, lane, warp and CTA. %x takes the result.
// %in is the address of a buffer with the words 0, 1, 2 and so on. %data is the address of a buffer of zeros.
// %o is the address of the thread's output word. A body may use registers named %r, %d, %p, %f or %h and a
// number for its own values.

#include <string>
#include <vector>

namespace heddle::check_corpus {

struct Pattern {
  std::string name;
  std::string body, faulty, clean;
  int ctas = 1;
  bool both_spaces = false;
  std::string also = "";  ///< a second kind of check, which may report even the clean kernel
};

/// Each thread has a row of 16 bytes in shared memory. Sets %r1 to the address of the thread's row. Sets %r2
/// to the address of another row: the row of the thread with the same lane in the other warp.
inline constexpr const char* kMatrixRow =
    "shl.b32 %r1, %t, 4; add.u32 %r1, %r1, %s; xor.b32 %r2, %t, 32; shl.b32 %r2, %r2, 4; add.u32 %r2, %r2, "
    "%s;\n";

std::vector<Pattern> memory_patterns();
std::vector<Pattern> init_patterns();
std::vector<Pattern> races_patterns();
std::vector<Pattern> sync_patterns();
std::vector<Pattern> atomics_patterns();
std::vector<Pattern> warps_patterns();

}  // namespace heddle::check_corpus
