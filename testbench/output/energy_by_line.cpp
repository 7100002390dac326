#include "testbench/output/energy_by_line.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "testbench/output/counter_view.h"
#include "testbench/output/energy_causes.h"

namespace heddle::output {
namespace {

constexpr const char* kLeakage = "leakage";

constexpr const char* kNoCta = "SMs without a CTA";

std::string group_of(const std::string& structure) { return structure.substr(0, structure.find('.')); }

// Returns true for a structure that all SMs share.
bool is_shared(const std::string& structure) {
  return structure == "memory.l2" || structure == "memory.dram" || structure == "memory.rest";
}

// Returns "sm3." for a counter of SM 3; empty for a counter that belongs to no SM.
std::string sm_of(const std::string& path) {
  const std::size_t dot = path.find('.');
  return path.starts_with("sm") && dot != std::string::npos ? path.substr(0, dot + 1) : "";
}

// Use of the issue slots of one SM, or of all SMs together, during a launch.
struct SlotShares {
  double issued = 0;  ///< share of issue slots in which an instruction issued
  double no_cta = 0;  ///< share of cycles in which an SM had no CTA
};

// Computes the SlotShares of each SM, and of all SMs together, from the counters of a launch. of() takes the
// prefix of the SM's counters, such as "sm3."; "" means all SMs together.
class LaunchSlots {
 public:
  LaunchSlots(const StatsRegistry& stats, const run::LaunchRecord& record) {
    const CounterView counters(stats, record.counters);
    std::map<std::string, Sums> sums;
    const auto add = [&](const char* name, std::uint64_t Sums::*to) {
      for (const std::size_t c : counters.counters(name)) {
        sums[""].*to += record.counters[c];
        sums[sm_of(stats.counters()[c].full_name())].*to += record.counters[c];
      }
    };
    add("sm.issue.issue_slots", &Sums::slots);
    add("sm.issue.issued", &Sums::issued);
    add("sm.busy_cycles", &Sums::busy);
    const double all_sms = static_cast<double>(counters.units("sm.busy_cycles"));
    for (const auto& [sm, sum] : sums) {
      const double cycles = static_cast<double>(record.cycles) * (sm.empty() ? all_sms : 1);
      SlotShares& shares = shares_[sm];
      if (sum.slots > 0)
        shares.issued = std::min(1.0, static_cast<double>(sum.issued) / static_cast<double>(sum.slots));
      if (cycles > 0)
        shares.no_cta = std::clamp(1 - static_cast<double>(sum.busy) / cycles, 0.0, 1 - shares.issued);
    }
  }
  const SlotShares& of(const std::string& sm) const {
    const auto known = shares_.find(sm);
    return known == shares_.end() ? shares_.at("") : known->second;
  }

 private:
  struct Sums {
    std::uint64_t slots = 0, issued = 0, busy = 0;
  };
  std::map<std::string, SlotShares> shares_ = {{"", {}}};
};

// Divides energies among the instructions of one program.
class Division {
 public:
  explicit Division(const ProgramProfile& profile)
      : profile_(profile), words_(footprints_of(*profile.program)) {
    energy_.by_instruction.resize(profile.instructions.size());
    slots_issued_ =
        weights([](const ProfiledInstruction& i) { return static_cast<double>(i.counts.issues); });
    slots_waited_ =
        weights([](const ProfiledInstruction& i) { return static_cast<double>(i.counts.waited()); });
    if (slots_waited_.empty()) slots_waited_ = slots_issued_;
  }

  /// Divides a counter's energy among the instructions that caused the counted events. Returns false if no
  /// instruction caused such events.
  bool by_cause(const std::string& counter, const std::string& group, double pj) {
    const auto [known, is_new] = by_counter_.try_emplace(class_of_units(counter));
    if (is_new)
      for (const EventCount* count : find_causes(counter))
        if (known->second = weights(*count); !known->second.empty()) break;
    if (known->second.empty()) return false;
    add(group, known->second, pj);
    return true;
  }
  bool by_slots(const std::string& group, double issued_pj, double empty_pj) {
    if (slots_issued_.empty()) return false;
    add(group, slots_issued_, issued_pj);
    add(group, slots_waited_, empty_pj);
    return true;
  }
  void no_cta(const power::EntryReport& entry, double pj) {
    rest({entry.technology, kNoCta, "all entries", name_of(entry.entry->kind), pj});
  }
  void rest(const power::EntryReport& entry, double pj) {
    rest({entry.technology, entry.entry->structure, entry.entry->name, name_of(entry.entry->kind), pj});
  }
  void rest(const EnergyRest& more) {
    const auto known = std::find_if(energy_.rest.begin(), energy_.rest.end(), [&](const EnergyRest& r) {
      return r.technology == more.technology && r.structure == more.structure && r.entry == more.entry &&
             r.kind == more.kind;
    });
    if (known != energy_.rest.end())
      known->pj += more.pj;
    else
      energy_.rest.push_back(more);
  }
  /// Returns the energies by instruction. The last column is leakage.
  ProfileEnergy take() {
    for (const auto& [name, pj] : columns_) {
      if (name != kLeakage) add_column(name, pj);
    }
    if (const auto leakage = columns_.find(kLeakage); leakage != columns_.end())
      add_column(leakage->first, leakage->second);
    return std::move(energy_);
  }

 private:
  /// Returns each instruction's share of the sum of `count` over all instructions; empty if this sum is 0.
  std::vector<double> weights(const EventCount& count) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < profile_.instructions.size(); ++i)
      all.push_back(count({profile_.instructions[i], words_[i], profile_.program->code[i]}));
    const double sum = std::accumulate(all.begin(), all.end(), 0.0);
    if (!(sum > 0)) return {};
    for (double& one : all) one /= sum;
    return all;
  }
  void add(const std::string& group, const std::vector<double>& shares, double pj) {
    std::vector<double>& column = columns_[group];
    column.resize(shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) column[i] += shares[i] * pj;
  }
  void add_column(const std::string& name, const std::vector<double>& pj) {
    energy_.columns.push_back(name);
    for (std::size_t i = 0; i < pj.size(); ++i) energy_.by_instruction[i].push_back(pj[i]);
  }

  const ProgramProfile& profile_;
  std::vector<InstructionFootprint> words_;
  std::vector<double> slots_issued_, slots_waited_;
  std::map<std::string, std::vector<double>> by_counter_, columns_;
  ProfileEnergy energy_;
};

}  // namespace

EnergyByLine::EnergyByLine(const power::EnergyAccount& account, const StatsRegistry& stats)
    : stats_(stats),
      priced_(account.priced_counters()),
      entries_(account.balances(std::vector<std::uint64_t>(stats.counters().size()), 0).entries) {}

void EnergyByLine::launch_ended(std::size_t program, const run::LaunchRecord& record) {
  if (!record.timed || record.counters.empty()) return;
  if (spent_.size() <= program) spent_.resize(program + 1, std::vector<Spent>(priced_.size()));
  const LaunchSlots slots(stats_, record);
  for (std::size_t i = 0; i < priced_.size(); ++i) {
    const auto& [entry, counter, pj_each] = priced_[i];
    const power::Entry& priced = *entries_[entry].entry;
    const SlotShares& shares = slots.of(
        counter < record.counters.size() ? sm_of(stats_.counters()[counter].full_name()) : std::string());
    const std::uint64_t events =
        counter < record.counters.size() ? record.counters[counter] : std::uint64_t{record.cycles};
    const double pj = static_cast<double>(events) * pj_each;
    spent_[program][i].pj += pj;
    spent_[program][i].issued_pj += pj * shares.issued;
    if (priced.kind != power::Kind::dynamic && !is_shared(priced.structure))
      spent_[program][i].no_cta_pj += pj * shares.no_cta;
  }
}

ProfileEnergy EnergyByLine::energy_of(std::size_t program, const ProgramProfile& profile) const {
  Division division(profile);
  if (program >= spent_.size()) return division.take();
  for (std::size_t i = 0; i < priced_.size(); ++i) {
    const Spent& spent = spent_[program][i];
    const power::EntryReport& entry = entries_[priced_[i].entry];
    const bool still = entry.entry->kind != power::Kind::dynamic;
    const std::string group = group_of(entry.entry->structure);
    const std::size_t counter = priced_[i].counter;
    const std::string path =
        counter < stats_.counters().size() ? stats_.counters()[counter].full_name() : "run.cycles";
    const bool divided = still || counts_cycles(path)
                             ? division.by_slots(still ? kLeakage : group, spent.issued_pj,
                                                 spent.pj - spent.issued_pj - spent.no_cta_pj)
                             : division.by_cause(path, group, spent.pj);
    if (!divided && spent.pj != 0) division.rest(entry, spent.pj - spent.no_cta_pj);
    if (spent.no_cta_pj != 0) division.no_cta(entry, spent.no_cta_pj);
  }
  return division.take();
}

}  // namespace heddle::output
