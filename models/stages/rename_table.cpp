// Models the stage "rename-table": the table of CORF and CORF++ that gives the bank and row of each register
// (Radaideh 2021, III-B and Table II: 3.7 KB, which is 48 warps x 63 registers x 10 bits). Every read looks
// up its register in the table. For a write, the announcement of the instruction does the look-up, as in a
// renaming table (Jeon 2015, Fig. 6); a write that was not announced does its own look-up. The table is
// written at a register's first write and when the register is freed. This stage does not choose the place:
// bank and row come from the mapping, and sub-banks from the entry format.
//
// Assumed, because the published descriptions of CORF state only the size: number of the table's banks, and
// time of a look-up. Both are taken from the renaming table of Jeon 2015.
//
// If the stage "renaming" is above, both tables have the same index {warp, register}, and one look-up reads
// both at once. This stage then adds no time, but counts its look-ups and updates, because they cost energy.

#include <vector>

#include "models/core/fields.h"
#include "models/core/part_arrays.h"
#include "models/core/register_set.h"
#include "models/core/registry.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"
#include "models/stages/table_look_ups.h"

namespace heddle {
namespace {

struct RenameTableParameters {
  int table_banks = 4;
  int latency_cycles = 1;

  void fields(FieldVisitor& v) {
    v.field("table_banks", table_banks, {1, 32},
            "banks of the table, by register number; each serves one look-up a cycle (assumed as in Jeon "
            "2015, 7.1: "
            "four)");
    v.field("latency_cycles", latency_cycles, {0, 16},
            "cycles that a look-up adds to an access (assumed as in Jeon 2015, 7.1: one)");
  }
};

class RenameTable : public PassingStage {
 public:
  RenameTable(const RenameTableParameters& p, Context& context)
      : PassingStage(context),
        fixed_(context.map),
        look_ups_(p.table_banks, static_cast<Cycle>(p.latency_cycles), context.stats),
        mapped_(static_cast<std::size_t>(context.max_warps)),
        maps_(context.stats.add("maps", "registers", "first writes of registers, which write the table")),
        unmaps_(
            context.stats.add("unmaps", "registers", "registers that were freed, which writes the table")) {}

  int latency_cycles() const override { return looks_up() ? static_cast<int>(look_ups_.latency()) : 0; }
  RegisterWants wants() const override { return wants::results; }
  LifeSet subscriptions() const override { return {Life::warp_gone}; }
  void warp_gone(WarpId warp) override {
    unmaps_ += static_cast<std::uint64_t>(mapped_[warp.value].count());
    mapped_[warp.value] = {};
  }

  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    StageBalance balance{
        came, {{"reads and writes that come, looked up", came.reads + came.writes, look_ups_.count()}}};
    std::uint64_t mapped = 0;
    for (const RegisterSet& warp : mapped_) mapped += static_cast<std::uint64_t>(warp.count());
    balance.rules.push_back(
        {"entries of the table written, those freed or in use", maps_.value(), unmaps_.value() + mapped});
    if (looks_up()) look_ups_.add_rules(balance);
    return balance;
  }

 protected:
  void tick() override {}
  bool wants_read_answers() const override { return false; }

  Answer take(RegisterAccess& access) override {
    switch (access.command) {
      case RegisterCommand::read:
        return look_up(access);
      case RegisterCommand::write:
        return write(access);
      case RegisterCommand::prepare:
        return announce(access);
      case RegisterCommand::release:
        return release(access);
      default:
        return forward(access);
    }
  }

  ReadsTaken take_reads(std::span<RegisterAccess> reads) override {
    return each_of(reads, [this](RegisterAccess& read) { return look_up(read); });
  }

 private:
  /// True if this stage does its own look-ups, because no stage above (such as renaming) has already looked
  /// up the register.
  bool looks_up() const { return &mapping() == static_cast<const RegisterMapping*>(fixed_); }

  Answer look_up(RegisterAccess& access) {
    if (!looks_up()) return pass(access);
    return look_ups_.take_through(now(), access, [this](RegisterAccess& one) { return forward(one); });
  }
  Answer pass(RegisterAccess& access) {
    const Answer answer = forward(access);
    if (answer != Answer::refused) look_ups_.note_taken_along(access);
    return answer;
  }

  Answer write(RegisterAccess& access) {
    const bool announced = access.instruction && access.annotation().writes_main_level();
    const Answer answer = announced ? pass(access) : look_up(access);
    RegisterSet& mapped = mapped_[access.warp.value];
    if (answer == Answer::refused || mapped.test(access.home.value)) return answer;
    mapped.set(access.home.value);
    ++maps_;
    return answer;
  }

  Answer announce(RegisterAccess& access) {
    const Answer answer = wanted_below(wants::announcements) ? forward(access) : Answer::answered;
    if (!looks_up() || answer == Answer::refused) return answer;
    for (const RegisterWord& word : access.prepare->destination_words())
      if (word.operand->annotation.writes_main_level()) look_ups_.take_for_result(now(), word.home);
    return answer;
  }

  Answer release(RegisterAccess& access) {
    const Answer answer = forward(access);
    RegisterSet& mapped = mapped_[access.warp.value];
    if (answer == Answer::refused || !mapped.test(access.home.value)) return answer;
    mapped.clear(access.home.value);
    ++unmaps_;
    return answer;
  }

  const RegisterMap* fixed_;
  TableLookUps look_ups_;
  std::vector<RegisterSet> mapped_;
  Counter &maps_, &unmaps_;
};

const Registration<RegisterStage, RenameTable, RenameTableParameters> rename_table_entry{
    "rename-table",
    "every access looks up the place of its register in a table, as with CORF (Radaideh 2021, III-B)",
    {.kinds = {"mapping"}, .before = {"banks"}, .after = {"renaming", "swapping"}}};

const Arrays<RegisterStage> rename_table_arrays{
    "rename-table",
    {{"rename table", "registers", "10", "1R1W in each of table_banks banks", {"register_file.rename_table"}},
     {"map of free entries", "rows", "4", "1R1W", {"register_file.rename_table"}}}};

}  // namespace
}  // namespace heddle
