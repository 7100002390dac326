// A plug-in register stage that reads the notes of toy_colours.cpp. It counts results by colour, adds up the
// weights of issued instructions, and counts how often the basic block of a warp's issue differs from the
// block of the warp's previous issue. It looks up the names of the notes once for each kernel.

#include <array>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

class ToyPainter : public PassingStage {
 public:
  ToyPainter(const NoParameters&, Context& context)
      : PassingStage(context),
        blocks_(static_cast<std::size_t>(context.max_warps), kNoBlock),
        plain_(context.stats.add("plain", "accesses", "writes without a colour")),
        weight_(context.stats.add("weight", "units", "sum of the weights of issued instructions")),
        entries_(
            context.stats.add("entries", "blocks", "instructions issued from another block than before")) {
    for (std::size_t c = 0; c < colours_.size(); ++c)
      colours_[c] = &context.stats.add("colour" + std::to_string(c), "accesses", "writes of this colour");
  }

  LifeSet subscriptions() const override { return {Life::kernel_begins, Life::warp_begins, Life::issued}; }
  void kernel_begins(const KernelBegins& kernel) override {
    const isa::Notes& notes = kernel.program->notes;
    colour_ = isa::NotedWords(notes, "toy-colour");
    weights_ = isa::NotedWords(notes, "toy-weight");
    block_ = isa::NotedWords(notes, "toy-block");
  }
  void warp_begins(const WarpBegins& warp) override { blocks_[warp.warp.value] = kNoBlock; }
  void issued(const InFlight& item) override {
    const isa::NoteSet set = item.instruction->notes;
    if (const auto weight = weights_.in(set); !weight.empty()) weight_ += weight[0];
    const auto block = block_.in(set);
    if (block.empty()) return;
    std::uint64_t& before = blocks_[item.warp().value];
    entries_ += before != block[0];
    before = block[0];
  }

  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    std::uint64_t sum = plain_.value();
    for (const Counter* colour : colours_) sum += colour->value();
    return StageBalance{came, {{"writes that came, by colour or plain", came.writes, sum}}};
  }

 protected:
  void tick() override {}
  Answer take(RegisterAccess& access) override {
    const Answer answer = forward(access);
    if (answer == Answer::refused || access.command != RegisterCommand::write) return answer;
    const auto words = access.instruction && access.operand != &kNoOperand
                           ? colour_.in(access.instruction->dst[access.operand->slot].notes)
                           : std::span<const std::uint64_t>{};
    if (words.empty())
      ++plain_;
    else
      ++*colours_[words[0]];
    return answer;
  }

 private:
  static constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};
  isa::NotedWords colour_, weights_, block_;
  std::vector<std::uint64_t> blocks_;
  Counter &plain_, &weight_, &entries_;
  std::array<Counter*, 4> colours_{};
};

const Registration<RegisterStage, ToyPainter> toy_painter_entry{
    "toy-painter", "counts what notes tell", {.before = {"mapping", "banks"}, .after = {"level"}}};

}  // namespace
}  // namespace heddle
