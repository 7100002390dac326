// Executes the step "set" of a launch file: between two launches, the host computes new values for names of
// the file or for elements of buffers.

#include <fmt/format.h>

#include "models/core/error.h"
#include "testbench/launch/buffer_data.h"
#include "testbench/launch/launch_run.h"

namespace heddle::launch {
namespace {

class BufferElements : public ElementSource {
 public:
  explicit BufferElements(const LaunchRun& run) : run_(run) {}
  Number element(const std::string& buffer, const Number& index, const std::string& where) const override {
    const BufferView view = run_.buffer(buffer);
    const std::uint8_t* const at = view.data.data() + element_index(index, view, where) * bytes_of(view.type);
    if (is_real(view.type)) return Number::of(element_as_real(view.type, at));
    const std::uint64_t bits = element_bits(view.type, at);
    if (!is_signed(view.type)) return Number::of(WideInteger{bits});
    const int unused = 64 - 8 * static_cast<int>(bytes_of(view.type));
    return Number::of(WideInteger{static_cast<std::int64_t>(bits << unused) >> unused});
  }
  static std::uint64_t element_index(const Number& index, const BufferView& view, const std::string& where) {
    if (!index.integral || index.integer < 0 || index.integer >= static_cast<WideInteger>(view.count()))
      throw Error(
          where,
          fmt::format("element {} of the buffer \"{}\"",
                      index.integral ? to_text(index.integer) : fmt::format("{}", index.real), view.name),
          fmt::format("0..{}", view.count() - 1));
    return static_cast<std::uint64_t>(index.integer);
  }

 private:
  const LaunchRun& run_;
};

}  // namespace

void LaunchRun::set(const Step& step) {
  const BufferElements elements(*this);
  if (!step.at && step.index.empty()) {
    const Number value = step.value.evaluate_host(scope_, elements);
    if (scope_.find(step.buffer)->integral && !value.integral)
      throw Error(step.where,
                  fmt::format("the value {} for \"{}\", which begins as an integer", value.real, step.buffer),
                  "trunc(...), or a fraction to begin with, as 0.0");
    scope_.set(step.buffer, value);
    return;
  }
  const BufferView view = buffer(step.buffer);
  const std::span<std::uint8_t> data = bytes_of_buffer(step.buffer);
  const std::size_t bytes = launch::bytes_of(view.type);
  const auto store = [&](std::uint64_t at) {
    const Number value = step.value.evaluate_host(scope_, elements);
    store_element(view.type, bits_of_number(value, view.type, step.where), data.data() + at * bytes);
  };
  if (step.at) {
    store(BufferElements::element_index(step.at->evaluate_host(scope_, elements), view, step.where));
    return;
  }
  const auto all = static_cast<std::int64_t>(view.count());
  const std::int64_t count = step.count ? step.count->evaluate(scope_, 0, all) : all;
  scope_.add(step.index, Number::of(WideInteger{0}));
  for (std::int64_t i = 0; i < count; ++i) {
    scope_.set_last(Number::of(WideInteger{i}));
    store(static_cast<std::uint64_t>(i));
  }
  scope_.remove_last();
}

}  // namespace heddle::launch
