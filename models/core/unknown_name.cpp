#include "models/core/unknown_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kLongestCompared = 256;
constexpr std::size_t kShortestWord = 4;

// Largest edit distance of a suggestion from a name of `letters` letters: 0 for one letter, 1 for two or
// three letters. For more letters, a third of their number, but at least 2.
std::size_t most_wrong(std::size_t letters) {
  if (letters < kShortestWord) return letters > 1 ? 1 : 0;
  return std::max<std::size_t>(2, letters / 3);
}

std::size_t distance_to(std::string_view name, std::string_view known) {
  std::size_t best = edit_distance(name, known);
  if (known.find(' ') == std::string_view::npos) return best;
  for (std::size_t begin = 0; begin < known.size();) {
    const std::size_t end = std::min(known.find(' ', begin), known.size());
    if (end - begin >= kShortestWord)
      best = std::min(best, edit_distance(name, known.substr(begin, end - begin)));
    begin = end + 1;
  }
  return best;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestCompared);
  b = b.substr(0, kLongestCompared);
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::size_t best = most_wrong(name.size()) + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const std::size_t distance = distance_to(name, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? nearest : fmt::format(", did you mean \"{}\"?", nearest);
}

Error unknown_name(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known, const std::string& also) {
  const std::string listed = fmt::format("{}", fmt::join(known, ", "));
  return {where, fmt::format("unknown {} \"{}\"{}", what, name, did_you_mean(name, known)),
          listed.empty() || also.empty() ? listed + also : listed + ", " + also};
}

}  // namespace heddle
