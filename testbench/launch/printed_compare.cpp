#include "testbench/launch/printed_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace heddle::launch {
namespace {

auto place_of(const PrintedText& call) {
  return std::tuple(call.launch, call.cta.z, call.cta.y, call.cta.x, call.thread.z, call.thread.y,
                    call.thread.x);
}

std::vector<const PrintedText*> by_thread(const Printed& printed) {
  std::vector<const PrintedText*> calls;
  for (const PrintedText& call : printed.calls) calls.push_back(&call);
  std::stable_sort(calls.begin(), calls.end(),
                   [](const auto* a, const auto* b) { return place_of(*a) < place_of(*b); });
  return calls;
}

std::string describe(const PrintedText& call) {
  return fmt::format("launch {}, CTA ({},{},{}), thread ({},{},{}) prints \"{}\"", call.launch, call.cta.x,
                     call.cta.y, call.cta.z, call.thread.x, call.thread.y, call.thread.z, call.text);
}

}  // namespace

BufferComparison compare_printed(const Printed& actual, const Printed& expected) {
  BufferComparison result;
  result.buffer = "printf";
  result.count = expected.calls.size();
  const auto a = by_thread(actual), e = by_thread(expected);
  for (std::size_t i = 0; i < std::max(a.size(), e.size()); ++i) {
    if (i < a.size() && i < e.size() && place_of(*a[i]) == place_of(*e[i]) && a[i]->text == e[i]->text)
      continue;
    if (result.differing++ > 0) continue;
    result.first_index = i;
    result.actual = i < a.size() ? describe(*a[i]) : "nothing";
    result.expected = i < e.size() ? describe(*e[i]) : "nothing";
  }
  result.equal = result.differing == 0;
  return result;
}

}  // namespace heddle::launch
