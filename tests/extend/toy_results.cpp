// A plug-in register stage that subscribes only to results. Before an instruction writes, the stage receives
// the words that the instruction will write. Without the parameter `answers`, answers to reads bypass the
// stage.

#include "models/core/registry.h"
#include "models/ports/register_stage.h"

namespace heddle {
namespace {

struct ResultsParameters {
  bool answers = false;
  void fields(FieldVisitor& v) { v.field("answers", answers, "answers of reads come by"); }
};

class ToyResults : public PassingStage {
 public:
  ToyResults(const ResultsParameters& p, Context& context)
      : PassingStage(context),
        answers_(p.answers),
        announced_(static_cast<std::size_t>(context.max_warps) * 256),
        words_(context.stats.add("announced", "registers", "result words that were announced")),
        sources_(context.stats.add("sources", "registers", "source words that were told with them")),
        unannounced_(context.stats.add("unannounced", "accesses", "results that nobody announced")),
        answered_(context.stats.add("answers", "accesses", "answers of reads that came by")) {}

  RegisterWants wants() const override { return wants::results; }
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {{"results that nobody announced", unannounced_.value(), 0}}};
  }

 protected:
  bool wants_read_answers() const override { return answers_; }
  void answered(RegisterAccess& access) override {
    answered_ += access.command == RegisterCommand::read;
    respond(access);
  }
  Answer take(RegisterAccess& access) override {
    // Look at the access before passing it on, because its storage may be reused afterwards.
    const bool result = access.command == RegisterCommand::write && access.instruction &&
                        access.instruction->op != isa::Opcode::bar;
    const std::size_t place = access.warp.value * std::size_t{256} + access.home.value;
    const Answer answer = forward(access);
    if (answer == Answer::refused) return answer;
    if (access.command == RegisterCommand::prepare) note(access);
    if (result && announced_[place]-- == 0) ++unannounced_;
    return answer;
  }
  void tick() override {}

 private:
  void note(const RegisterAccess& access) {
    sources_ += access.prepare->sources;
    words_ += access.prepare->destinations;
    for (const RegisterWord& word : access.prepare->destination_words())
      ++announced_[access.warp.value * std::size_t{256} + word.home.value];
  }

  bool answers_;
  std::vector<std::uint32_t> announced_;
  Counter &words_, &sources_, &unannounced_, &answered_;
};

const Registration<RegisterStage, ToyResults, ResultsParameters> toy_results_entry{
    "toy-results", "receives results before they are written"};

}  // namespace
}  // namespace heddle
