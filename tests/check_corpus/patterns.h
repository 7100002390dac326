#pragma once

// Patterns of the corpus: bodies of a kernel, each with a fault and without it.
//
// A body runs in CTAs of 64 threads. `@@` stands for what differs: `faulty` or `clean`. In a pattern with both spaces,
// $sp stands for shared or global, and [$base], [$own], [$beside], [$next] for the first word of 256, the thread's
// word, the word of the thread in the other warp, and that of the neighbouring lane. $malloc(%d1, 64) and $free(%d1) call the
// functions. Registers: %t thread, %l lane, %w warp, %c CTA; %x is the result; %r, %d, %p, %f, %h are free. Parameters:
// %in (words 0, 1, 2, ...), %data (zeros), %o (the thread's word of the output).

#include <string>
#include <vector>

namespace heddle::check_corpus {

struct Pattern {
  std::string name;
  std::string body, faulty, clean;
  int ctas = 1;
  bool both_spaces = false;
  std::string also = "";  ///< another kind that reports the clean kernel, too
};

std::vector<Pattern> memory_patterns();
std::vector<Pattern> init_patterns();
std::vector<Pattern> races_patterns();
std::vector<Pattern> sync_patterns();
std::vector<Pattern> atomics_patterns();
std::vector<Pattern> warps_patterns();

}  // namespace heddle::check_corpus
