#include "models/core/wildcard.h"

#include <cstddef>

namespace heddle {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Returns true if `c` matches the character set that begins at pattern[at], such as [a-c]. Moves `at` past
// the set. A bracket that is not closed matches only itself.
bool in_set(std::string_view pattern, std::size_t& at, char c) {
  const std::size_t close = pattern.find(']', at + 2);
  if (close == kNone) return pattern[at++] == c;
  std::size_t i = at + 1;
  const bool negated = pattern[i] == '!' || pattern[i] == '^';
  bool found = false;
  for (i += negated; i < close; ++i) {
    if (i + 2 < close && pattern[i + 1] == '-') {
      found = found || (pattern[i] <= c && c <= pattern[i + 2]);
      i += 2;
    } else {
      found = found || pattern[i] == c;
    }
  }
  at = close + 1;
  return found != negated && c != '.';
}

}  // namespace

bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, s = 0, star = kNone, star_next = 0, deep = kNone, deep_next = 0;
  while (s < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      if (p + 1 < pattern.size() && pattern[p + 1] == '*') {
        p += 2;
        deep = p;
        deep_next = s;
        star = kNone;
      } else {
        star = ++p;
        star_next = s;
      }
      continue;
    }
    if (p < pattern.size()) {
      std::size_t next = p + 1;
      const char wanted = pattern[p];
      const bool same = wanted == '['   ? in_set(pattern, next = p, name[s])
                        : wanted == '?' ? name[s] != '.'
                                        : wanted == name[s];
      if (same) {
        p = next;
        ++s;
        continue;
      }
    }
    if (star != kNone && name[star_next] != '.') {
      p = star;
      s = ++star_next;
    } else if (deep != kNone) {
      star = kNone;
      p = deep;
      s = ++deep_next;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace heddle
