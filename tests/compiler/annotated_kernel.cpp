#include "tests/compiler/annotated_kernel.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/compiler/listing.h"
#include "models/compiler/predict_accesses.h"
#include "models/compiler/strand_regions.h"
#include "tests/compiler/compiler_harness.h"
#include "tests/compiler/hierarchy_options.h"

namespace heddle::compiler::test {

AnnotatedKernel::AnnotatedKernel(const std::string& body, const std::vector<std::string>& passes)
    : program_(compile(bare_kernel(fmt::format(
                           ".reg .b32 %r<30>;\n.reg .b64 %d<10>;\n.reg .pred %p<10>;\n{}\nret;", body)),
                       with_pass_texts(passes, false))),
      strands_(number_strands(program_, ControlFlow(program_))) {}

std::size_t AnnotatedKernel::at(const std::string& label) const {
  for (std::size_t n = 0; n < program_.labels.size(); ++n)
    if (program_.labels[n] == label) return n;
  ADD_FAILURE() << "no label " << label;
  return 0;
}

std::string AnnotatedKernel::levels(const std::string& label) const {
  return level_text(program_.code[at(label)]);
}

std::string AnnotatedKernel::end_of(std::size_t n) const {
  const isa::Instruction& i = program_.code[n];
  return i.ends_strand ? (i.strand_waits ? "ends waits" : "ends") : "";
}
std::string AnnotatedKernel::end(const std::string& label) const { return end_of(at(label)); }
std::string AnnotatedKernel::end_before(const std::string& label) const { return end_of(at(label) - 1); }
int AnnotatedKernel::strand(const std::string& label) const { return strands_[at(label)]; }

void AnnotatedKernel::expect(const std::vector<std::pair<std::string, std::string>>& by_label) const {
  bool same = true;
  for (const auto& [label, text] : by_label) {
    EXPECT_EQ(levels(label), text) << "at " << label;
    same = same && levels(label) == text;
  }
  if (!same) ADD_FAILURE() << make_listing(program_);
}

int AnnotatedKernel::upper_accesses() const {
  const LevelAccesses all = predict_accesses(program_);
  int sum = 0;
  for (const int level : {isa::kOperandLevel, isa::kLastResultLevel})
    sum += static_cast<int>(all.read(level) + all.written(level));
  return sum;
}

namespace {

constexpr const char* kEnergy =
    R"("energy": {"operand_read_pj": 1.2, "operand_write_pj": 4.4, "main_wire_pj": 0, "operand_wire_pj": 0, )"
    R"("operand_wire_shared_pj": 0, "last_wire_pj": 0})";

}  // namespace

std::string operand_file(int entries, const std::string& on, const std::string& more) {
  const auto option = [&](char c) { return on.find(c) != std::string::npos; };
  return fmt::format(
      R"({{"type": "operand-file", "entries": {}, "partial_range": {}, "read_operands": {}, "forward_branches": {}, {}{}}})",
      entries, option('p'), option('r'), option('f'), kEnergy, more);
}

std::string scratchpad(int entries, const std::string& more) {
  return fmt::format(R"({{"type": "scratchpad", "entries": {}, {}{}}})", entries, kEnergy, more);
}

}  // namespace heddle::compiler::test
