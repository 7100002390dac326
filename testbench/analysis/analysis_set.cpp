#include "testbench/analysis/analysis_set.h"

#include <fmt/format.h>

namespace heddle::analysis {
namespace {

double share(std::uint64_t count, std::uint64_t total) {
  return total == 0 ? 0 : static_cast<double>(count) / static_cast<double>(total);
}

ConfigNode number(std::uint64_t value) { return ConfigNode::make_count(value); }

}  // namespace

AnalysisSet::AnalysisSet(const std::vector<ConfigNode>& choices, Gpu& gpu) {
  RunAnalysis::Context context;
  for (const ConfigNode& choice : choices) {
    const auto& registry = Registry<RunAnalysis>::instance();
    const auto& entry = registry.find(choice);
    parts_.push_back({entry.name, entry.doc, registry.make(choice, context)});
  }
  for (Part& part : parts_)
    for (auto& sm : gpu.sms()) part.analysis->attach(*sm);
}

ConfigNode AnalysisSet::tree() const {
  ConfigNode all = ConfigNode::make_object();
  for (const Part& part : parts_) {
    ConfigNode tables = ConfigNode::make_object();
    for (const AnalysisTable& table : part.analysis->tables()) {
      ConfigNode bins = ConfigNode::make_object();
      for (const auto& [label, count] : table.bins) bins.members.emplace_back(label, number(count));
      ConfigNode node = ConfigNode::make_object();
      node.members.emplace_back("bins", std::move(bins));
      node.members.emplace_back("total", number(table.total()));
      for (const auto& [key, value] : table.figures)
        node.members.emplace_back(key, ConfigNode::make_number(value));
      tables.members.emplace_back(table.name, std::move(node));
    }
    all.members.emplace_back(part.name, std::move(tables));
  }
  return all;
}

std::string AnalysisSet::csv() const {
  std::string out = "analysis,table,bin,count,share\n";
  for (const Part& part : parts_)
    for (const AnalysisTable& table : part.analysis->tables()) {
      for (const auto& [label, count] : table.bins)
        out += fmt::format("{},{},{},{},{:.6f}\n", part.name, table.name, label, count,
                           share(count, table.total()));
      for (const auto& [key, value] : table.figures)
        out += fmt::format("{},{},{},{},\n", part.name, table.name, key, value);
    }
  return out;
}

std::string AnalysisSet::markdown() const {
  std::string out;
  for (const Part& part : parts_) {
    out += fmt::format("# {}\n\n{}.\n\n", part.name, part.doc);
    for (const AnalysisTable& table : part.analysis->tables()) {
      out += fmt::format("## {}\n\n| | {} | share |\n| --- | ---: | ---: |\n", table.title, table.unit);
      for (const auto& [label, count] : table.bins)
        out += fmt::format("| {} | {} | {:.1f} % |\n", label, count, 100 * share(count, table.total()));
      for (const auto& [key, value] : table.figures) out += fmt::format("\n{}: {:.2f}\n", key, value);
      out += "\n";
    }
  }
  return out;
}

}  // namespace heddle::analysis
