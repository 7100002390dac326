#include "testbench/output/counter_view.h"

#include <utility>

#include "models/scheduler/stall_reason.h"

namespace heddle::output {

CounterView::CounterView(CounterClasses classes, const std::vector<std::uint64_t>& values)
    : classes_(values.empty() ? CounterClasses(StatsRegistry()) : std::move(classes)) {
  sums_.reserve(classes_.all().size());
  for (const CounterClass& one : classes_.all()) sums_.push_back(sum_of(values, one.counters));
}

std::uint64_t CounterView::sum(std::string_view name) const {
  const std::size_t position = classes_.position(name);
  return position == sums_.size() ? 0 : sums_[position];
}

const std::vector<std::size_t>& CounterView::counters(std::string_view name) const {
  static const std::vector<std::size_t> none;
  const std::size_t position = classes_.position(name);
  return position == sums_.size() ? none : classes_.all()[position].counters;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& values, const std::vector<std::size_t>& places) {
  std::uint64_t sum = 0;
  for (const std::size_t place : places) sum += values[place];
  return sum;
}

double CounterView::share_of_cycles(std::string_view name, std::uint64_t cycles) const {
  const std::uint64_t all = units(name) * cycles;
  return all == 0 ? 0 : static_cast<double>(sum(name)) / static_cast<double>(all);
}

std::vector<std::string> stall_reasons(const CounterView& counters) {
  std::vector<std::string> found;
  const std::string_view begin = kIdleSlots;
  for (const CounterClass& one : counters.classes())
    if (one.name.starts_with(begin)) found.push_back(one.name.substr(begin.size()));
  return stall_reason_names(std::move(found));
}

}  // namespace heddle::output
