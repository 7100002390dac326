#include "power/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/core/error.h"
#include "models/core/expression.h"
#include "models/core/registry.h"
#include "power/expression.h"

namespace heddle::power {
namespace {

// Families (interfaces with exchangeable parts) whose parts are hardware of the SM.
constexpr const char* kFamilies[] = {
    "register-file stage", "entry format",     "register power",        "bank arbiter",  "operand stage",
    "front-end stage",     "issue constraint", "warp scheduler policy", "gating policy", "fold policy"};

std::int64_t integer_at(const ConfigNode& configuration, const std::string& path,
                        std::int64_t otherwise = 0) {
  const ConfigNode* node = find_parameter(configuration, path);
  return node && node->is_integer ? node->integer : otherwise;
}

std::int64_t rows_of(const ConfigNode& configuration) {
  const std::string banks = "gpu.sm.register_file.banks.";
  const ConfigNode* uneven = find_parameter(configuration, banks + "uneven_entries");
  if (uneven && !uneven->items.empty())
    return std::accumulate(
        uneven->items.begin(), uneven->items.end(), std::int64_t{0},
        [](std::int64_t sum, const ConfigNode& rows) { return sum + rows.unwrapped().integer; });
  return integer_at(configuration, banks + "count") * integer_at(configuration, banks + "entries");
}

const ExpressionRules& size_rules() {
  static const ExpressionRules rules = [] {
    ExpressionRules all;
    all.arithmetic = ExpressionRules::Arithmetic::defined;
    all.comparisons = true;
    all.dots = true;
    all.functions = {"if", "max", "min"};
    return all;
  }();
  return rules;
}

// Evaluates the expressions for the size of an array. A name in an expression is a parameter of the part or a
// size of the SM partition. NAME.OPTION is 1 if parameter NAME has the value OPTION, otherwise 0.
class Sizes : public ExpressionValues {
 public:
  Sizes(const ConfigNode& configuration, const ConfigNode& part)
      : configuration_(&configuration), part_(&part) {}

  std::uint64_t of(const std::string& text, const PartArray& array) {
    const std::string where = fmt::format("array \"{}\"", array.name);
    const double size = FlatExpression::parse(text, where, size_rules()).evaluate(*this).real;
    if (!(size >= 0) || size != std::floor(size))
      throw Error(where, fmt::format("the size {} is {}", text, size), "whole numbers");
    return static_cast<std::uint64_t>(size);
  }

  Number value(const ExpressionUse& use) override {
    const std::string name = use.name.substr(0, use.name.find('.'));
    const ConfigNode* own = part_->is_object() ? part_->find(name) : nullptr;
    if (!own) return Number::of(static_cast<double>(size(use.name)));
    const ConfigNode& found = own->unwrapped();
    if (name.size() < use.name.size())
      return Number::of(choice_text(found) == use.name.substr(name.size() + 1) ? 1.0 : 0.0);
    if (found.kind == ConfigNode::Kind::boolean) return Number::of(found.boolean ? 1.0 : 0.0);
    if (!found.is_integer) throw Error(use.name, "the parameter is no integer", "NAME.OPTION for a choice");
    return Number::of(static_cast<double>(found.integer));
  }

 private:
  std::int64_t size(const std::string& name) const {
    const auto at = [this](const char* path) {
      return std::max<std::int64_t>(1, integer_at(*configuration_, path));
    };
    const std::int64_t warps = at("gpu.sm.max_warps") / at("gpu.sm.partitions");
    const std::int64_t schedulers = at("gpu.sm.schedulers_per_partition");
    if (name == "warps") return warps;
    if (name == "registers") return warps * integer_at(*configuration_, "compiler.max_registers", 63);
    if (name == "renamed") {
      const std::string pass = "compiler.passes[exempt-registers].";
      const std::int64_t bytes = integer_at(*configuration_, pass + "table_bytes"),
                         entry_bits = integer_at(*configuration_, pass + "entry_bits", 10);
      const std::int64_t all = warps * integer_at(*configuration_, "compiler.max_registers", 63);
      return bytes == 0 ? all : std::min(all, bytes * 8 / entry_bits);
    }
    if (name == "rows") return rows_of(*configuration_);
    if (name == "banks") return at("gpu.sm.register_file.banks.count");
    if (name == "fast_registers")
      return integer_at(*configuration_, "gpu.sm.register_file.banks.partition.fast_registers");
    if (name == "schedulers") return schedulers;
    if (name == "ctas") return at("gpu.sm.max_ctas");
    if (name == "active")
      return integer_at(*configuration_, "gpu.sm.scheduler.active_warps", warps / schedulers);
    throw Error(name, "no parameter of the part, and no size of the partition",
                "warps, registers, renamed, rows, banks, fast_registers, schedulers, ctas, active");
  }

  const ConfigNode* configuration_;
  const ConfigNode* part_;
};

class Collector {
 public:
  Collector(const ConfigNode& configuration, ArrayList& list)
      : configuration_(&configuration), list_(&list) {}

  // Adds the storage arrays of the parts of a family (such as gating policies) that a node of the
  // configuration names. The node has one of three forms: one part; a list of parts or of groups of parts; an
  // object whose members (such as the unit classes in gpu.sm.gating) each name a part by the key "policy".
  void add(const std::string& family, const ConfigNode& node) {
    if (node.is_array()) {
      for (const ConfigNode& item : node.items) add(family, item.unwrapped());
      return;
    }
    const std::string type = choice_text(node);
    if (type.empty()) {
      for (const auto& [name, member] : node.unwrapped().members)
        if (const ConfigNode* policy = member.unwrapped().find("policy")) add(family, policy->unwrapped());
      return;
    }
    for (const auto& [key, member] : node.members)
      if (member.is_array() && !member.items.empty() && member.items.front().is_object()) add(family, member);
    add_part(family, type, node);
  }

 private:
  void add_part(const std::string& family, const std::string& type, const ConfigNode& part) {
    const auto declared = declared_arrays().find({family, type});
    if (declared == declared_arrays().end()) {
      if (std::find(list_->undeclared.begin(), list_->undeclared.end(), type) == list_->undeclared.end())
        list_->undeclared.push_back(type);
      return;
    }
    Sizes sizes(*configuration_, part);
    for (const PartArray& array : declared->second) {
      const SizedArray sized{type,
                             array.name,
                             array.ports,
                             sizes.of(array.entries, array),
                             sizes.of(array.bits, array),
                             array.structures};
      if (sized.entries * sized.bits != 0) list_->arrays.push_back(sized);
    }
  }

  const ConfigNode* configuration_;
  ArrayList* list_;
};

}  // namespace

ArrayList arrays_of(const ConfigNode& configuration) {
  ArrayList list;
  Collector collector(configuration, list);
  for (const char* name : kFamilies)
    if (const Family* family = Families::instance().named(name))
      if (const ConfigNode* node = find_parameter(configuration, family->place())) collector.add(name, *node);
  return list;
}

std::vector<std::string> find_undeclared_parts() {
  std::vector<std::string> parts;
  for (const char* name : kFamilies)
    if (const Family* family = Families::instance().named(name))
      for (const PartInfo& part : family->parts())
        if (!declared_arrays().contains({name, part.name}))
          parts.push_back(fmt::format("{}: {}", name, part.name));
  return parts;
}

}  // namespace heddle::power
