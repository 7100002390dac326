#include "tests/compiler/control_bits_harness.h"

#include <memory>

#include "models/compiler/listing.h"

namespace heddle::compiler::test {

isa::LatencyTable ampere_latencies() {
  using isa::OpClass;
  isa::LatencyTable table;
  table.machine = "ampere";
  const auto set = [&](OpClass c, int cycles) { table.rows[static_cast<std::size_t>(c)].cycles = cycles; };
  set(OpClass::fp16, 5);
  set(OpClass::fp16x2, 5);
  set(OpClass::matrix_short, 14);
  set(OpClass::matrix_long, 18);
  set(OpClass::matrix_tf32, 18);
  set(OpClass::matrix_quad, 18);
  set(OpClass::matrix_f64, 26);
  table.set(isa::DependenceParameters{});
  return table;
}

CompilerParameters with_control_bits(const isa::LatencyTable& table, const std::vector<std::string>& force) {
  CompilerParameters parameters;
  ConfigNode pass = ConfigNode::make_object();
  pass.members.emplace_back("type", ConfigNode::make_string("control-bits"));
  if (!force.empty()) pass.members.emplace_back("force", ConfigNode::make_texts(force));
  parameters.passes = {ConfigNode::make_string("swap-operands"), std::move(pass)};
  parameters.latencies = std::make_shared<const isa::LatencyTable>(table);
  return parameters;
}

std::string text_with_bits(const isa::Program& program) {
  std::string text;
  for (const isa::Instruction& i : program.code) text += to_string(i) + " ; " + control_text(i) + "\n";
  return text;
}

}  // namespace heddle::compiler::test
