#include "models/stages/swapping.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

void SwappingParameters::fields(FieldVisitor& v) {
  v.field("profile", profile, {"pilot", "none", "static", "static-then-pilot"},
          "source of the most accessed registers: a pilot warp; none; the compiler (pass register-ranks); "
          "the compiler until a pilot has ended");
  v.field("remap", remap, {"new-warps", "migrate"},
          "a table applies to warps that start later; or also to resident warps, whose values are moved");
  v.field("counters", counters, {1, 256}, "registers whose accesses are counted (Abdel-Majeed 2016, 6.3.1)");
  v.field("counter_bits", counter_bits, {1, 32},
          "width of a counter, which saturates (Abdel-Majeed 2016, 6.3.1)");
  v.field("table", table, {"cam", "indexed"},
          "form of the table: two entries for each pair of registers, or one entry for each register "
          "(Abdel-Majeed 2016, 6.3.1)");
  v.field("lookup_cycles", lookup_cycles, {0, 32}, "cycles added to every access that looks up its row");
}

Swapping::Swapping(const SwappingParameters& p, Context& c)
    : UpperStage(c),
      parameters_(p),
      fast_(static_cast<std::uint32_t>(c.parameters->banks.partition.fast_registers)),
      table_settings_{p.table, c.parameters->banks.partition.fast_registers, p.counters,
                      p.profile != "static-then-pilot"},
      pilot_({p.counters, p.counter_bits, c.parameters->banks.partition.fast_registers}, c.stats),
      by_pilot_(p.profile == "pilot" || p.profile == "static-then-pilot"),
      migrates_(p.remap == "migrate"),
      warps_(static_cast<std::size_t>(c.max_warps)),
      moves_(*this, c.stats),
      probe_(table_settings_),
      lookups_(c.stats.add("lookups", "accesses", "words whose row was looked up")),
      bypassed_(c.stats.add("bypassed", "accesses", "words of warps without a table")),
      swapped_(c.stats.add("swapped", "accesses", "words of registers that had exchanged rows")),
      swaps_(c.stats.add("swaps", "pairs", "pairs of registers in the tables of pilots")),
      moved_warps_(c.stats.add("moved_warps", "warps", "resident warps whose registers exchanged rows")),
      move_refusals_(
          c.stats.add("move_refusals", "accesses", "accesses refused while their warp's values moved")) {}

void Swapping::kernel_begins(const KernelBegins& kernel) {
  for (Warp& warp : warps_) warp = {};
  tables_.clear();
  table_ = before_ = nullptr;
  pilot_.kernel_begins(by_pilot_);
  if (parameters_.profile == "pilot" || parameters_.profile == "none") return;
  const isa::Notes& notes = kernel.program->notes;
  const auto ranks = isa::NotedWords(notes, "register-ranks").in(notes.of_program());
  if (ranks.empty())
    throw Error("gpu.sm.register_file.stages[swapping].profile",
                fmt::format("{}: the compiler has not ranked the registers of {}", parameters_.profile,
                            kernel.program->kernel),
                "with the pass register-ranks, or profile pilot");
  std::vector<std::uint8_t> top;
  for (const std::uint64_t reg : ranks)
    if (top.size() < fast_ && reg < static_cast<std::uint64_t>(parameters_.counters))
      top.push_back(static_cast<std::uint8_t>(reg));
  table_ = before_ = add_table(swaps_for(top, fast_));
}

const SwappingTable* Swapping::add_table(std::vector<RegisterSwap> swaps) {
  const SwappingTable& table = tables_.emplace_back(std::move(swaps));
  std::uint32_t none = 0;
  if (probe_.attached()) probe_.answered({&table, 0, true}, none);
  return &table;
}

// The kernel's first warp becomes the pilot warp (Abdel-Majeed 2016, 6.3.1: a warp of the first CTA). Its
// accesses are counted for each register, to find the registers that later warps should have in fast rows.
void Swapping::warp_begins(const WarpBegins& warp) {
  Warp& state = warps_[warp.warp.value];
  state = {table_came_.seen(now()) ? table_ : before_, warp.registers, {}, 0};
  state.began.raise(now());
  pilot_.warp_begins(now(), warp.warp);
}

void Swapping::end_pilot(WarpId warp) {
  if (pilot_.counted() != warps_[warp.value].words)
    throw InternalError(fmt::format("{}: cycle {}: {} words were counted for a pilot that has accessed {}",
                                    name(), now(), pilot_.counted(), warps_[warp.value].words));
  const SwappingTable* table = add_table(swaps_for(pilot_.end(now()), fast_));
  swaps_ += table->swaps().size();
  before_ = std::exchange(table_, table);
  table_came_.lower();
  table_came_.raise(now());
  if (migrates_) choose_movers_.raise(now());
}

RegisterStage::Answer Swapping::take(RegisterAccess& access) {
  begin();
  if (moves_.of(access.warp)) {
    ++move_refusals_;
    return refuse();
  }
  const SwappingTable* table = warps_[access.warp.value].table;
  map(access, table);
  const bool word = access.command == RegisterCommand::read || access.command == RegisterCommand::write;
  const Cycle asked = access.earliest_service;
  if (word && table)
    access.earliest_service = earliest(access) + static_cast<Cycle>(parameters_.lookup_cycles);
  const Answer answer = pass(access);
  if (answer == Answer::refused)
    access.earliest_service = asked;
  else if (word)
    count({&access, 1}, table);
  return answer;
}

ReadsTaken Swapping::take_reads(std::span<RegisterAccess> reads) {
  begin();
  const WarpId warp = reads.front().warp;
  const SwappingTable* table = warps_[warp.value].table;
  if (moves_.of(warp) || (table && parameters_.lookup_cycles != 0)) return UpperStage::take_reads(reads);
  for (RegisterAccess& read : reads) read.row = table ? table->row_of(read.home) : read.home;
  const ReadsTaken taken = pass_reads(reads);
  count(reads.first(taken.count), table);
  return taken;
}

void Swapping::map(RegisterAccess& access, const SwappingTable* table) {
  access.row = table ? table->row_of(access.home) : access.home;
  if (access.command != RegisterCommand::prepare) return;
  RegisterPrepare& note = *access.prepare;
  for (std::size_t i = 0; i < std::size_t{note.sources} + note.destinations; ++i)
    note.words[i].row = table ? table->row_of(note.words[i].home) : note.words[i].home;
}

void Swapping::count(std::span<const RegisterAccess> words, const SwappingTable* table) {
  if (words.empty()) return;
  const WarpId warp = words.front().warp;
  (table ? lookups_ : bypassed_) += words.size();
  warps_[warp.value].words += words.size();
  if (table)
    for (const RegisterAccess& word : words)
      if (word.row != word.home) ++swapped_;
  if (pilot_.is(warp)) pilot_.count(words);
  if (!table || !probe_.attached()) return;
  for (const RegisterAccess& word : words) {
    std::uint32_t row = word.row.value;
    probe_.answered({table, word.home.value, false}, row);
  }
}

// Chooses the resident warps whose registers must move to the rows that the new swapping table gives them.
// Warps that began in this cycle are not chosen yet.
void Swapping::choose_movers() {
  choose_movers_.lower();
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.began.seen(now()) && warp.table != table_) movers_.push_back(WarpId(w));
  }
}

void Swapping::begin_cycle() {
  if (choose_movers_.seen(now())) choose_movers();
  if (!moves_.any() && !movers_.empty()) {
    moves_.begin(movers_.front(), warps_[movers_.front().value].table, *table_);
    movers_.pop_front();
  }
  if (moves_.any()) move();
}

void Swapping::move() {
  clock().wake();
  const auto offer = [this](RegisterAccess& access) {
    return may_send(Sender::own) ? pass(access) : Answer::refused;
  };
  if (!moves_.step(now(), offer) || moves_.cancelled()) return;
  warps_[moves_.warp().value].table = table_;
  ++moved_warps_;
}

void Swapping::give_up(WarpId warp) {
  warps_[warp.value].began.lower();
  std::erase(movers_, warp);
  if (moves_.of(warp)) moves_.cancel();
}

void Swapping::answered(RegisterAccess& access) {
  if (access.stage != this) return respond(access);
  moves_.answered(now(), access);
  clock().wake();
}

LaneVec* Swapping::find(RegisterAccess& access) {
  if (moves_.of(access.warp)) return moves_.find(access);
  map(access, warps_[access.warp.value].table);
  return nullptr;
}

void Swapping::debug_read(RegisterAccess& access) {
  if (const LaneVec* values = find(access))
    *access.values = *values;
  else
    initiator->transport_dbg(access);
}

bool Swapping::flip_bit(RegisterAccess& access, int lane, int bit) {
  LaneVec* values = find(access);
  if (values) (*values)[lane] ^= std::uint32_t{1} << bit;
  return values != nullptr;
}

std::optional<StageBalance> Swapping::balance(const RegisterFlow& came) const {
  StageBalance balance;
  balance.passed = {came.reads + moves_.read(), came.writes + moves_.written()};
  balance.rules = {
      {"words that come, looked up or without a table", came.reads + came.writes,
       lookups_.value() + bypassed_.value()},
      {"values taken from their rows, those moved or dropped", moves_.read(),
       moves_.written() + moves_.dropped()},
  };
  return balance;
}

void Swapping::probes(const ProbeScope& scope) {
  if (by_pilot_) scope.part("pilot").add(pilot_.probe());
  if (parameters_.profile != "none") scope.part("table").add(probe_);
}

namespace {
const Registration<RegisterStage, Swapping, SwappingParameters> swapping_entry{
    "swapping",
    "registers exchange rows so that the most accessed ones lie in fast rows",
    {.kinds = {"mapping"}, .before = {"renaming", "banks"}}};

const Arrays<RegisterStage> swapping_arrays{
    "swapping",
    {{"swapping table",
      "(1 - profile.none) * if(table.cam, 2 * fast_registers, counters)",
      "if(table.cam, 13, 6)",
      "3R1W",
      {"register_file.swapping_table"}},
     {"counters of the pilot warp",
      "(1 - profile.none - profile.static) * counters",
      "counter_bits",
      "1R1W",
      {"register_file.swapping_table"}}}};
}  // namespace

}  // namespace heddle
