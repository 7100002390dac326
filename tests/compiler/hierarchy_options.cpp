#include "tests/compiler/hierarchy_options.h"

#include <fmt/format.h>

namespace heddle::compiler::test {
namespace {

HierarchyPipeline operand_file(const std::string& name, int entries, const std::string& options,
                               const std::string& strands = R"("strands")") {
  return {name,
          {strands, fmt::format(R"({{"type": "operand-file", "entries": {}{}}})", entries, options)},
          entries};
}

HierarchyPipeline scratchpad(const std::string& name, int entries, const std::string& options) {
  return {name,
          {R"({"type": "strands", "rule": "bailey"})",
           fmt::format(R"({{"type": "scratchpad", "entries": {}{}}})", entries, options)},
          entries};
}

}  // namespace

std::vector<HierarchyPipeline> hierarchy_pipelines() {
  const std::string basic = R"(, "partial_range": false, "read_operands": false, "forward_branches": false)";
  return {
      operand_file("basic", 3, basic),
      operand_file("partial", 2, R"(, "read_operands": false, "forward_branches": false)"),
      operand_file("read-operands", 2, R"(, "partial_range": false, "forward_branches": false)"),
      operand_file("forward", 3, R"(, "partial_range": false, "read_operands": false)"),
      operand_file("all-1", 1, ""),
      operand_file("all-3", 3, ""),
      operand_file("all-8", 8, ""),
      operand_file("unified", 3, R"(, "last_result": "unified")"),
      operand_file("split", 3, R"(, "last_result": "split")"),
      operand_file("pairs anywhere", 4, R"(, "last_result": "split", "pairs": "anywhere")"),
      operand_file("one-level", 3, R"(, "last_result": "split", "writes": "one-level")"),
      operand_file("last-result-and-main", 3,
                   R"(, "last_result": "split", "writes": "last-result-and-main")"),
      operand_file("variable", 8, R"(, "last_result": "split", "variable_entries": true)"),
      operand_file("loops", 5, R"(, "last_result": "split")",
                   R"({"type": "strands", "backward_branches": false})"),
      operand_file("bailey-strands", 3, R"(, "last_result": "split")",
                   R"({"type": "strands", "rule": "bailey"})"),
      scratchpad("scratchpad-2", 2, ""),
      scratchpad("scratchpad-6", 6, ""),
      scratchpad("scratchpad-5, pairs anywhere", 5, R"(, "pairs": "anywhere")"),
      scratchpad("no-live-out", 3, R"(, "live_out": false)"),
      scratchpad("no-read-allocations", 3, R"(, "read_allocations": false)"),
      scratchpad("whole-lifetimes", 2, R"(, "live_out": false, "read_allocations": false)"),
      scratchpad("no-reduction", 2, R"(, "reduce_ranges": false)"),
      operand_file("cheap", 8, R"(, "energy": {"operand_read_pj": 1.2, "operand_write_pj": 4.4})"),
  };
}

CompilerParameters with_pass_texts(const std::vector<std::string>& passes, bool clean_ups,
                                   int max_registers) {
  CompilerParameters parameters;
  parameters.max_registers = max_registers;
  if (!clean_ups) parameters.passes.clear();
  for (const std::string& pass : passes) parameters.passes.push_back(parse_config_text(pass, "test"));
  return parameters;
}

}  // namespace heddle::compiler::test
