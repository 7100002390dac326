#include "testbench/estimate/timed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/ptx/kernel_name.h"
#include "testbench/launch/output_compare.h"

namespace heddle::estimate {
namespace {

constexpr std::size_t kMostDifferences = 10;
constexpr std::uint64_t kWord = 4;

}  // namespace

class TimedWords::Marks : public reference::Observer {
 public:
  Marks(std::map<std::uint64_t, std::vector<bool>>& written, const std::vector<launch::BufferView>& outputs)
      : written_(written) {
    for (const launch::BufferView& view : outputs) {
      std::vector<bool>& words = written_[view.address];
      words.resize((view.data.size() + kWord - 1) / kWord);
    }
  }
  void accessed(const reference::ExecutedInstruction& executed,
                std::span<const std::uint64_t, kLanes> addresses) override {
    const isa::Opcode op = executed.instruction.op;
    if (op != isa::Opcode::st && op != isa::Opcode::atom && op != isa::Opcode::red) return;
    const isa::MemoryAccess& form = executed.instruction.memory;
    const std::uint64_t bytes = std::uint64_t{form.element_bytes} * form.elements;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!((executed.executing >> lane) & 1u)) continue;
      mark(addresses[static_cast<std::size_t>(lane)], bytes);
    }
  }

 private:
  void mark(std::uint64_t address, std::uint64_t bytes) {
    auto buffer = written_.upper_bound(address);
    if (buffer == written_.begin()) return;
    --buffer;
    for (std::uint64_t at = address - buffer->first; at < address - buffer->first + bytes; at += kWord)
      if (at / kWord < buffer->second.size()) buffer->second[at / kWord] = true;
  }
  std::map<std::uint64_t, std::vector<bool>>& written_;
};

void TimedWords::compare(const isa::KernelLaunch& launch, std::shared_ptr<const isa::Program> parsed,
                         reference::ReferenceOptions options, MemoryImage& expected, MemoryImage& actual) {
  isa::KernelLaunch before_passes = launch;
  before_passes.program = std::move(parsed);
  Marks marks(written_, outputs_());
  options.observer = &marks;
  std::sort(ranges_.begin(), ranges_.end(),
            [](const DispatchRange& a, const DispatchRange& b) { return a.first < b.first; });
  for (const DispatchRange& range : ranges_) {
    options.first_cta = range.first;
    options.cta_count = range.count;
    reference::run_reference(before_passes, expected, options);
  }
  ++launches_;
  const std::string where =
      fmt::format("launch {}, kernel {}", launch.id.value, ptx::plain_name(launch.program->kernel));
  if (any_order_)
    compare_outputs(where, expected);
  else
    compare_memory(where, expected, actual);
}

void TimedWords::compare_memory(const std::string& where, const MemoryImage& expected,
                                const MemoryImage& actual) {
  for (const auto& wanted : expected.allocations()) {
    const MemoryImage::Allocation* const got = actual.find_by_base(wanted->base);
    if (!got || got->bytes != wanted->bytes) continue;
    launch::WordDifferences found;
    wanted->data.for_unshared(got->data, [&](std::uint64_t first, std::uint64_t bytes) {
      const launch::WordDifferences part =
          launch::compare_words({got->data.data() + first, bytes}, {wanted->data.data() + first, bytes});
      if (found.differing == 0) found = {0, first + part.first_byte, part.actual, part.expected};
      found.differing += part.differing;
    });
    if (!found.differing) continue;
    add(where,
        fmt::format("{}: {} words differ after the timed CTAs, the first at byte {}: {:#x}, expected {:#x}",
                    wanted->name, found.differing, found.first_byte, found.actual, found.expected));
  }
}

void TimedWords::compare_outputs(const std::string& where, MemoryImage& expected) {
  const std::vector<launch::BufferView> actual = outputs_();
  std::vector<launch::BufferView> wanted = actual;
  for (launch::BufferView& view : wanted)
    if (const std::uint8_t* bytes = expected.find(view.address, view.data.size()))
      view.data = {bytes, view.data.size()};
  for (const launch::BufferComparison& comparison : launch::compare_outputs(actual, wanted))
    if (!comparison.equal) add(where, comparison.report() + " after the timed CTAs");
}

void TimedWords::add(const std::string& where, const std::string& what) {
  if (differences_.size() < kMostDifferences) differences_.push_back(where + ": " + what);
}

std::uint64_t TimedWords::output_words() const {
  std::uint64_t words = 0;
  for (const launch::BufferView& view : outputs_()) words += (view.data.size() + kWord - 1) / kWord;
  return words;
}

std::uint64_t TimedWords::written_words() const {
  std::uint64_t words = 0;
  for (const launch::BufferView& view : outputs_())
    if (const auto marks = written_.find(view.address); marks != written_.end())
      words += static_cast<std::uint64_t>(std::count(marks->second.begin(), marks->second.end(), true));
  return words;
}

}  // namespace heddle::estimate
