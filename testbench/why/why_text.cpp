#include "testbench/why/why_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/ptx/kernel_name.h"

namespace heddle::why {
namespace {

constexpr std::size_t kSentences = 4;
constexpr double kWorthNaming = 0.0005;  // a smaller share prints as 0.0 %

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// Returns how many of the items (causes or structures) get a sentence of their own. The last sentence sums up
// the other items.
template <class Item, class Share>
std::size_t named(const std::vector<Item>& items, Share share) {
  std::size_t count = 0;
  while (count < items.size() && count < kSentences && share(items[count]) >= kWorthNaming) ++count;
  return count;
}

std::string sentence(const Cause& cause, bool several_kernels) {
  std::string text = cause.text.empty()
                         ? fmt::format("{} ({} of issue slots), which no rule explains further", cause.reason,
                                       percent(cause.slots))
                         : cause.text;
  if (several_kernels) text = ptx::plain_name(cause.kernel) + ": " + text;
  if (cause.launches > 1)
    text += fmt::format("; most in launch {}, of {} launches", cause.launch, cause.launches);
  if (!cause.place.empty()) text += fmt::format("; mostly at {}", cause.place);
  if (!cause.advice.empty()) text += fmt::format(". Try {}", cause.advice);
  return text;
}

std::string rest_of(const std::vector<Cause>& causes, std::size_t from) {
  std::string names;
  double sum = 0;
  for (std::size_t i = from; i < causes.size(); ++i) {
    sum += causes[i].slots;
    if (causes[i].slots >= kWorthNaming)
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", causes[i].name, percent(causes[i].slots));
  }
  return names.empty() ? "" : fmt::format("the rest ({}): {}\n", percent(sum), names);
}

std::string energy_text(const Causes& causes) {
  const auto share = [&](const StructureEnergy& s) { return s.total_nj / causes.energy_nj; };
  const std::size_t count = causes.energy_nj > 0 ? named(causes.energy, share) : 0;
  if (count == 0) return {};
  std::string text = fmt::format("\nenergy {:.4g} nJ\n", causes.energy_nj);
  double rest = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const StructureEnergy& s = causes.energy[i];
    rest -= share(s);
    text += fmt::format("{}. {}: {:.4g} nJ ({}), {} of it leakage\n", i + 1, s.name, s.total_nj,
                        percent(share(s)), percent(s.leakage_nj / s.total_nj));
  }
  return text + fmt::format("the rest: {}\n", percent(std::max(0.0, rest)));
}

// Returns the number of cycles as text. If some of them are estimated, "~" comes before the number.
std::string cycles_of(const Causes& causes) {
  return fmt::format("{}{:.0f}", causes.estimated ? "~" : "", causes.cycles);
}

bool several_kernels(const Causes& causes) {
  return std::any_of(causes.ranked.begin(), causes.ranked.end(),
                     [&](const Cause& c) { return c.kernel != causes.ranked.front().kernel; });
}

std::string terms_text(const std::vector<Term>& terms, double whole, const char* unit) {
  const auto share = [&](const Term& t) { return whole == 0 ? 0 : std::abs(t.difference()) / whole; };
  const std::size_t count = named(terms, share);
  std::string text;
  double rest = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i >= count) {
      rest += terms[i].difference();
      continue;
    }
    text += fmt::format("{}. {:+.5g} {} {}{}{}\n", i + 1, terms[i].difference(), unit, terms[i].name,
                        terms[i].text.empty() ? "" : ": ", terms[i].text);
  }
  return text + fmt::format("the rest: {:+.5g} {}\n", rest, unit);
}

ConfigNode member_list(const std::vector<std::pair<std::string, ConfigNode>>& members) {
  ConfigNode node = ConfigNode::make_object();
  node.members = members;
  return node;
}

ConfigNode terms_tree(const std::vector<Term>& terms) {
  std::vector<ConfigNode> list;
  for (const Term& t : terms)
    list.push_back(member_list({{"name", ConfigNode::make_string(t.name)},
                                {"own", ConfigNode::make_number(t.own)},
                                {"other", ConfigNode::make_number(t.other)},
                                {"difference", ConfigNode::make_number(t.difference())}}));
  return ConfigNode::make_list(std::move(list));
}

}  // namespace

std::string cycles_text(const Causes& causes) {
  const std::size_t count = named(causes.ranked, [](const Cause& c) { return c.slots; });
  const bool several = several_kernels(causes);
  std::string text = causes.failures.empty() ? "" : causes.failures + "\n";
  text += fmt::format("{} cycles{}\n", cycles_of(causes), causes.estimated ? ", estimated" : "");
  if (causes.uncounted_cycles > 0)
    text += fmt::format("{:.0f} more cycles are of launches without counters (output.launches_in_full)\n",
                        causes.uncounted_cycles);
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("{}. {}\n", i + 1, sentence(causes.ranked[i], several));
  text += rest_of(causes.ranked, count);
  if (causes.lacks_lines)
    text += "no source lines: compile the program with -lineinfo (heddle-cc and nvcc alike)\n";
  return text;
}

std::string text_of(const Causes& causes) { return cycles_text(causes) + energy_text(causes); }

std::string failures_of(const std::string& name, const Causes& causes) {
  return causes.failures.empty() ? "" : fmt::format("{}: {}\n", name, causes.failures);
}

std::string text_of(const Causes& own, const Causes& other, const Differences& d, const std::string& own_name,
                    const std::string& other_name) {
  std::string text = failures_of(own_name, own) + failures_of(other_name, other);
  text += fmt::format("{} takes {} cycles, {} {} ({:+.1f} %)\n", own_name, cycles_of(own), other_name,
                      cycles_of(other), 100 * (own.cycles / other.cycles - 1));
  text += terms_text(d.cycles, other.cycles, "cycles");
  if (own.energy_nj == 0 || other.energy_nj == 0) return text;
  text += fmt::format("\n{} takes {:.4g} nJ, {} {:.4g} ({:+.1f} %)\n", own_name, own.energy_nj, other_name,
                      other.energy_nj, 100 * (own.energy_nj / other.energy_nj - 1));
  return text + terms_text(d.energy, other.energy_nj, "nJ");
}

ConfigNode tree_of(const Causes& causes) {
  std::vector<ConfigNode> list, energy;
  for (const Cause& c : causes.ranked)
    list.push_back(member_list({{"name", ConfigNode::make_string(c.name)},
                                {"reason", ConfigNode::make_string(c.reason)},
                                {"kernel", ConfigNode::make_string(c.kernel)},
                                {"slots", ConfigNode::make_number(c.slots)},
                                {"text", ConfigNode::make_string(c.text)},
                                {"try", ConfigNode::make_string(c.advice)},
                                {"place", ConfigNode::make_string(c.place)}}));
  for (const StructureEnergy& s : causes.energy)
    energy.push_back(member_list({{"name", ConfigNode::make_string(s.name)},
                                  {"total_nj", ConfigNode::make_number(s.total_nj)},
                                  {"leakage_nj", ConfigNode::make_number(s.leakage_nj)}}));
  return member_list({{"failures", ConfigNode::make_string(causes.failures)},
                      {"cycles", ConfigNode::make_number(causes.cycles)},
                      {"estimated", ConfigNode::make_boolean(causes.estimated)},
                      {"causes", ConfigNode::make_list(std::move(list))},
                      {"energy", ConfigNode::make_list(std::move(energy))}});
}

ConfigNode tree_of(const Differences& d) {
  return member_list({{"cycles", terms_tree(d.cycles)}, {"energy", terms_tree(d.energy)}});
}

}  // namespace heddle::why
