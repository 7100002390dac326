#include "testbench/why/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "models/core/error.h"
#include "testbench/output/stored_report.h"

namespace heddle::why {
namespace {

constexpr const char* kStall = "stall_";
constexpr double kMostSlots =
    0.6;  ///< share of issue slots above which a cause that is no loss (issued slots) may come before losses

constexpr const char* kResults =
    "a result.json of heddle run, a program.json of heddle exec, its folder, or a pack of it";

// Returns a member of a launch or kernel. Throws Error if the member is missing or is of another kind.
const ConfigNode& part(const ConfigNode& node, const char* key, ConfigNode::Kind kind,
                       const std::string& where) {
  const ConfigNode* found = node.find(key);
  if (!found || found->kind != kind)
    throw Error(where, fmt::format("a launch without \"{}\"", key), kResults);
  return *found;
}

double number_of(const ConfigNode& node, const char* key) {
  const ConfigNode* value = node.find(key);
  return value && value->is_number() ? value->number : 0;
}

bool is_true(const ConfigNode& node, const char* key) {
  const ConfigNode* value = node.find(key);
  return value && value->boolean;
}

// A launch of a run, or a kernel of a program. It has metrics and counters.
struct Timed {
  ConfigNode node;
  std::string kernel;
  std::size_t index = 0;
  double cycles = 0;  ///< cycles of the whole launch, estimated if only a part was timed
};

// Reads the timed launches of a run, or the kernels of a program, from a stored file.
class StoredLaunches {
 public:
  StoredLaunches(const ConfigNode& result, const std::string& where) : where_(where) {
    const ConfigNode* configuration = result.find("configuration");
    const ConfigNode* launches = result.find("launches");
    program_ = result.find("command") && result.find("kernels");
    if (!launches || !launches->is_array() || (!configuration && !program_))
      throw Error(where, "not the result of a run or a program", kResults);
    if (program_)
      for (const ConfigNode& kernel : result.find("kernels")->items) add_kernel(kernel);
    else
      for (const ConfigNode& launch : launches->items) add_launch(launch);
    if (!all_.empty()) return;
    if (program_)
      throw Error(where, "no kernel of this program was timed and counted", "heddle exec --gpu PRESET");
    throw Error(where, "no launch of this run was timed", "a run with a timed launch");
  }

  const std::vector<Timed>& all() const { return all_; }
  bool is_program() const { return program_; }
  bool estimated() const { return estimated_; }
  double uncounted_cycles() const { return uncounted_; }

 private:
  void add_kernel(const ConfigNode& kernel) {
    const ConfigNode* figures = kernel.find("figures");
    if (!figures) {
      uncounted_ += number_of(kernel, "cycles");
    } else if (number_of(*figures, "cycles") > 0) {
      add(*figures, kernel, 0, number_of(kernel, "cycles"));
      estimated_ |= is_true(kernel, "estimated");
    }
  }
  void add_launch(const ConfigNode& launch) {
    if (!launch.find("metrics") || number_of(launch, "cycles") == 0) return;
    double cycles = number_of(launch, "cycles");
    if (const ConfigNode* estimate = launch.find("estimate")) {
      estimated_ = true;
      if (const ConfigNode* whole = estimate->find("cycles")) cycles = number_of(*whole, "value");
    }
    if (launch.find("counters"))
      add(launch, launch, static_cast<std::size_t>(number_of(launch, "index")), cycles);
    else
      uncounted_ += cycles;
  }

  void add(const ConfigNode& figures, const ConfigNode& named, std::size_t index, double cycles) {
    part(figures, "metrics", ConfigNode::Kind::object, where_);
    all_.push_back({figures, part(named, "kernel", ConfigNode::Kind::string, where_).text, index, cycles});
  }

  const std::string& where_;
  std::vector<Timed> all_;
  bool program_ = false, estimated_ = false;
  double uncounted_ = 0;
};

// Returns, for each reason such as "memory" or "issued", the share of a launch's issue slots that have this
// reason. The sum of the shares is 1.
std::map<std::string, double> reasons_of(const RunFigures& figures) {
  std::map<std::string, double> shares = {{kIssued, figures.metric("slot_use")}};
  for (const auto& [name, value] : figures.launch().find("metrics")->members)
    if (name.starts_with(kStall)) shares[name.substr(std::string(kStall).size())] = value.number;
  return shares;
}

// A share of a launch's issue slots, and the rule that explains this share, if there is such a rule.
struct Part {
  const Rule* rule = nullptr;  ///< nullptr: no rule explains the part
  std::string reason;
  double share = 0;
};

// For each reason of issue slots, such as "memory": the share of a launch's issue slots that have this reason
// and that no rule has explained yet.
class Unexplained {
 public:
  explicit Unexplained(const RunFigures& figures) : left_(reasons_of(figures)) {}

  /// Returns the share of issue slots that `rule` can still explain: its reasons' unexplained slots, summed
  /// over the reasons. Throws Error for an unknown reason.
  double left(const Rule& rule) const {
    double sum = 0;
    for (const std::string& reason : rule.of) {
      const auto it = left_.find(reason);
      if (it == left_.end())
        throw Error(rule.where, "no reason of issue slots is \"" + reason + "\"", names());
      sum += it->second;
    }
    return sum;
  }
  /// Marks `share` of the issue slots as explained by `rule`. Subtracts it from the unexplained slots of the
  /// rule's first reason and, when these are used up, of the next reasons. Returns the reason from which most
  /// was subtracted.
  std::string take(const Rule& rule, double share) {
    std::string most;
    double largest = -1;
    for (const std::string& reason : rule.of) {
      const double part = std::min(share, left_[reason]);
      left_[reason] -= part;
      share -= part;
      if (part > largest) {
        largest = part;
        most = reason;
      }
    }
    return most;
  }
  const std::map<std::string, double>& rest() const { return left_; }

 private:
  std::string names() const {
    std::string names;
    for (const auto& [name, share] : left_) names += (names.empty() ? "" : ", ") + name;
    return names;
  }
  std::map<std::string, double> left_;
};

// Divides a launch's issue slots into shares that rules explain and shares that no rule explains. There is at most one
// unexplained share for each reason of a slot, such as "memory". The sum of all shares is 1.
std::vector<Part> parts_of(RunFigures& figures, const RuleSet& set) {
  define_values(set, figures);
  Unexplained unexplained(figures);
  std::vector<Part> parts;
  for (const Rule& rule : set.rules) {
    const double left = unexplained.left(rule);
    figures.define("left", left);
    if (evaluate(rule.when, figures) == 0) continue;
    const double share = std::clamp(evaluate(rule.share, figures), 0.0, left);
    if (share > 0) parts.push_back({&rule, unexplained.take(rule, share), share});
  }
  for (const auto& [name, share] : unexplained.rest())
    if (share > 0) parts.push_back({nullptr, name, share});
  return parts;
}

// Sorts causes by their shares of the issue slots, largest first. A cause that is no loss (slots that issued)
// comes last. Exception: such a cause keeps its place if it has at least 60 % of all slots and no other cause
// decides how long the kernel takes.
void rank(std::vector<Cause>& causes) {
  std::set<std::string> decided;
  for (const Cause& cause : causes)
    if (cause.decides) decided.insert(cause.kernel);
  const auto is_last = [&](const Cause& cause) {
    return cause.useful && (cause.slots < kMostSlots || decided.contains(cause.kernel));
  };
  std::stable_sort(causes.begin(), causes.end(), [&](const Cause& a, const Cause& b) {
    if (is_last(a) != is_last(b)) return is_last(b);
    return a.slots > b.slots;
  });
}

// Computes the share of the whole run's issue slots that each rule explains, summed over all launches of a
// kernel. The text of a cause states this share. Other numbers in the text are those of the launch that
// contributes most to the share.
class Ranking {
 public:
  Ranking(const ConfigNode& result, const RuleSet& rules) : result_(result), rules_(rules) {}

  /// Adds the issue slots of a launch. `weight`: cycles of the launch divided by the cycles of the whole run.
  void add(const Timed& launch, double weight) {
    RunFigures figures(result_, launch.node);
    ++launches_[launch.kernel];
    for (const Part& part : parts_of(figures, rules_)) {
      Entry& entry =
          entries_[{launch.kernel, part.rule ? part.rule->name : "", part.rule ? "" : part.reason}];
      const double slots = part.share * weight;
      entry.slots += slots;
      if (slots < entry.largest) continue;
      entry.largest = slots;
      entry.reason = part.reason;
      entry.rule = part.rule;
      entry.launch = &launch;
    }
  }

  /// Returns the causes of all items that were added. `counts_launches`: true if the items are launches of a
  /// run, false if they are kernels of a program.
  std::vector<Cause> take(const Places& places, bool counts_launches) const {
    std::vector<Cause> causes;
    for (const auto& [key, entry] : entries_) {
      const std::string& kernel = std::get<0>(key);
      Cause cause{entry.rule ? entry.rule->name : entry.reason,
                  entry.reason,
                  kernel,
                  counts_launches ? launches_.at(kernel) : 0,
                  entry.launch->index,
                  entry.slots,
                  entry.rule && entry.rule->useful,
                  false,
                  {},
                  {},
                  places.most(kernel, entry.reason)};
      if (entry.rule) {
        RunFigures figures(result_, entry.launch->node);
        define_values(rules_, figures);
        figures.define("share", entry.slots);
        cause.decides = evaluate(entry.rule->decides, figures) != 0;
        cause.text = entry.rule->text.fill(figures);
        cause.advice = entry.rule->advice.fill(figures);
      }
      causes.push_back(std::move(cause));
    }
    rank(causes);
    return causes;
  }

 private:
  struct Entry {
    double slots = 0, largest = 0;
    std::string reason;
    const Rule* rule = nullptr;
    const Timed* launch = nullptr;
  };
  const ConfigNode& result_;
  const RuleSet& rules_;
  std::map<std::tuple<std::string, std::string, std::string>, Entry> entries_;
  std::map<std::string, std::size_t> launches_;
};

std::vector<StructureEnergy> energies_of(const ConfigNode& result) {
  std::vector<StructureEnergy> all;
  const ConfigNode* total = result.find("total");
  const ConfigNode* estimate = total ? total->find("estimate") : nullptr;
  if (estimate && estimate->find("energy")) total = estimate;
  const ConfigNode* energy = total ? total->find("energy") : nullptr;
  const ConfigNode* structures = energy ? energy->find("structures") : nullptr;
  if (!structures) return all;
  for (const auto& [name, node] : structures->members)
    all.push_back({name, number_of(node, "total_nj"), number_of(node, "leakage_nj")});
  std::stable_sort(all.begin(), all.end(), [](const StructureEnergy& a, const StructureEnergy& b) {
    return a.total_nj > b.total_nj;
  });
  return all;
}

}  // namespace

Causes causes_of(const ConfigNode& result, const RuleSet& rules, const Places& places,
                 const std::string& where) {
  Causes causes;
  const StoredLaunches launches(result, where);
  for (const Timed& launch : launches.all()) causes.cycles += launch.cycles;
  causes.uncounted_cycles = launches.uncounted_cycles();
  causes.estimated = launches.estimated();
  causes.lacks_lines = places.lacks_lines();
  Ranking ranking(result, rules);
  for (const Timed& launch : launches.all()) ranking.add(launch, launch.cycles / causes.cycles);
  causes.ranked = ranking.take(places, !launches.is_program());
  causes.failures = output::failures_of(result);
  causes.energy = energies_of(result);
  for (const StructureEnergy& structure : causes.energy) causes.energy_nj += structure.total_nj;
  return causes;
}

}  // namespace heddle::why
