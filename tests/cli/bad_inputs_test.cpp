// Every incorrect input must give one clear line on stderr and exit status 1. The program's file readers are
// built with sanitizers (tests/sanitized).

#include <gtest/gtest.h>

#include "program.h"

namespace heddle::test {
namespace {

constexpr const char* kHead = ".version 6.0\n.target sm_30\n.address_size 64\n";

// b[i] = a[i] for i < n, in blocks of 64 threads
constexpr const char* kCopy = R"(
.visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<7>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r6, [%rd4];
  st.global.u32 [%rd5], %r6;
DONE:
  ret;
}
)";

std::string kernel(const std::string& body) {
  return std::string(kHead) + ".visible .entry copy(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n" +
         ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<4>;\n" + body + "\n}\n";
}

std::string launch(const std::string& arguments = R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 100})",
                   const std::string& grid = "[2]", const std::string& block = "[64]",
                   const std::string& more = "") {
  return R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 100, "init": {"kind": "range"}},
 "b": {"type": "u32", "count": 100, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "copy", "grid": )" +
         grid + R"(, "block": )" + block + R"(, "args": [)" + arguments + "]" + more + "}]}";
}

struct BadInput {
  const char* name;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> arguments;
  std::vector<std::string> expected;
};

void PrintTo(const BadInput& row, std::ostream* out) { *out << row.name; }

std::vector<std::string> run(std::vector<std::string> more) {
  std::vector<std::string> all = {"run", "--launch", "l.json", "--gpu", "fermi-gtx480", "--set", "gpu.sms=1"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<BadInput>& table() {
  static const std::vector<BadInput> rows = {
      {"no_command", {}, {"--bogus"}, {"command line", "--help"}},
      {"unknown_command",
       {},
       {"walk"},
       {"unknown command \"walk\"", "run, compare, exec, experiment, completion, compile"}},
      {"unknown_option", {}, run({"--fast"}), {"unknown option \"--fast\"", "--scheduler"}},
      {"count_too_large",
       {},
       run({"--max-cycles", "18446744073709551615"}),
       {"--max-cycles", "18446744073709551615 is out of range"}},
      {"option_without_value", {}, {"run", "--gpu"}, {"--gpu"}},
      {"launch_file_as_scenario", {}, {"run", "l.json"}, {"l.json", "launch file", "--launch l.json"}},
      {"no_launch", {}, {"run", "--gpu", "fermi-gtx480"}, {"no launch file", "--launch"}},
      {"no_gpu", {}, {"run", "--launch", "l.json"}, {"no GPU", "--gpu"}},
      {"unknown_preset", {}, {"run", "--launch", "l.json", "--gpu", "voodoo"}, {"voodoo", "fermi-gtx480"}},
      {"unknown_scheduler", {}, run({"--scheduler", "fifo"}), {"fifo", "gto", "two-level"}},
      {"unknown_check", {}, run({"--check", "maybe"}), {"--check", "maybe", "auto, on, off"}},
      {"set_without_value", {}, run({"--set", "gpu.sms"}), {"--set gpu.sms", "path.key=value"}},
      {"set_unknown_key",
       {},
       run({"--set", "gpu.sm.max_warp=3"}),
       {"max_warp", "did you mean \"max_warps\"?"}},
      {"set_out_of_range", {}, run({"--set", "gpu.sm.max_warps=65"}), {"gpu.sm.max_warps", "65", "1 to 64"}},
      {"set_wrong_type",
       {},
       run({"--set", "gpu.sms=many"}),
       {"gpu.sms", "expected an integer, found a string"}},
      {"set_part_parameter", {}, run({"--set", "gpu.sm.scheduler.age=3"}), {"gpu.sm.scheduler.age", "age"}},
      {"set_no_such_item", {}, run({"--set", "gpu.sm.register_file.stages[4]=x"}), {"has no item 4"}},
      {"too_many_registers", {}, run({"--registers", "300"}), {"--registers", "300", "8 to 255"}},
      {"bad_launch_list", {}, run({"--launches", "first"}), {"--launches", "first"}},
      {"no_such_launch", {}, run({"--launches", "7"}), {"no launch 7", "0 to 0"}},
      {"unwritable_output", {}, run({"--out", "k.ptx/results"}), {"k.ptx/results", "output folder"}},
      {"missing_scenario", {}, {"run", "s.json"}, {"s.json", "cannot read"}},
      {"scenario_is_a_folder", {}, {"run", "."}, {".: is a folder"}},
      {"scenario_syntax",
       {{"s.json", "{\n\"gpu\": \"fermi-gtx480\",\n}"}},
       {"run", "s.json"},
       {"s.json:3", "JSON"}},
      {"scenario_unknown_key",
       {{"s.json", "{\"gpu\": \"fermi-gtx480\",\n\"lunch\": \"l.json\"}"}},
       {"run", "s.json"},
       {"s.json:2: lunch", "did you mean \"launch\"?"}},
      {"scenario_duplicate_key",
       {{"s.json", R"({"gpu": "a", "gpu": "b"})"}},
       {"run", "s.json"},
       {"duplicate key"}},
      {"scenario_not_an_object", {{"s.json", "[1]"}}, {"run", "s.json"}, {"not a scenario"}},
      {"scenario_stage_unknown",
       {{"s.json",
         R"({"gpu": "fermi-gtx480", "launch": "l.json", "register_file_stages": ["cache", "banks"]})"}},
       {"run", "s.json"},
       {"s.json:1: register_file_stages[0]", "unknown register-file stage \"cache\"", "banks"}},
      {"scenario_no_stage",
       {{"s.json", R"({"gpu": "fermi-gtx480", "launch": "l.json", "register_file_stages": []})"}},
       {"run", "s.json"},
       {"stages"}},
      {"scenario_missing_launch",
       {{"s.json", R"({"gpu": "fermi-gtx480", "launch": "other.json"})"}},
       {"run", "s.json"},
       {"other.json", "cannot read"}},
      {"preset_wrapper",
       {{"s.json", R"({"gpu": {"preset": "fermi-gtx480", "sms": {"value": 3}}, "launch": "l.json"})"}},
       {"run", "s.json"},
       {"s.json:1: gpu.sms", "source"}},
      {"launch_missing",
       {},
       {"run", "--launch", "none.json", "--gpu", "fermi-gtx480"},
       {"none.json", "cannot read"}},
      {"launch_syntax", {{"l.json", "{\"ptx\" \"k.ptx\"}"}}, {}, {"l.json:1", "JSON"}},
      {"launch_unknown_key", {{"l.json", R"({"ptx": "k.ptx", "steps": [], "stepps": []})"}}, {}, {"stepps"}},
      {"ptx_missing",
       {{"l.json",
         R"({"ptx": "none.ptx", "buffers": {"a": {"type": "u32", "count": 8}}, "steps": [{"kernel": "copy", "grid": [1], "block": [32], "args": [{"buffer": "a"}, {"buffer": "a"}, {"u32": 1}]}]})"}},
       {},
       {"none.ptx", "cannot read"}},
      {"unknown_kernel",
       {{"l.json",
         R"({"ptx": "k.ptx", "steps": [{"kernel": "move", "grid": [1], "block": [32], "args": []}]})"}},
       {},
       {"move", "copy"}},
      {"too_few_arguments", {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"})")}}, {}, {"l.json", "3"}},
      {"argument_size",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u64": 1})")}},
       {},
       {"l.json", "n"}},
      {"unknown_buffer",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "c"}, {"u32": 1})")}},
       {},
       {"l.json", "\"c\""}},
      {"too_many_threads",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 1})", "[1]", "[2048]")}},
       {},
       {"2048", "1024"}},
      {"empty_grid",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 1})", "[0]")}},
       {},
       {"l.json"}},
      {"too_much_shared_memory",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 1})", "[1]", "[32]",
                          R"(, "shared_bytes": 1000000)")}},
       {},
       {"does not fit on an SM", "shared memory"}},
      {"huge_buffer",
       {{"l.json",
         R"({"ptx": "k.ptx", "buffers": {"a": {"type": "f64", "count": 2000000000}}, "steps": [{"kernel": "copy", "grid": [1], "block": [32], "args": [{"buffer": "a"}, {"buffer": "a"}, {"u32": 1}]}]})"}},
       {},
       {"l.json", "a"}},
      {"endless_while",
       {{"l.json",
         R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 100, "init": {"kind": "range", "start": 1}},
 "b": {"type": "u32", "count": 100, "init": {"kind": "zeros"}}}, "steps": [{"while": "a", "max": 3, "steps": [
 {"kernel": "copy", "grid": [2], "block": [64], "args": [{"buffer": "a"}, {"buffer": "b"}, {"u32": 100}]}]}]})"}},
       {},
       {"l.json", "3"}},
      {"npy_broken",
       {{"data.npy", "not numpy"},
        {"l.json",
         R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "file": "data.npy"}}, "steps": [{"kernel": "copy", "grid": [1], "block": [32], "args": [{"buffer": "a"}, {"buffer": "a"}, {"u32": 1}]}]})"}},
       {},
       {"data.npy"}},
      {"ptx_syntax", {{"k.ptx", kernel("add.s32 %r1 %r2, %r3;\nret;")}}, {}, {"k.ptx:7"}},
      {"ptx_unsupported",
       {{"k.ptx", kernel("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f1}, [t, {%f1,%f2}];\nret;")}},
       {},
       {"k.ptx:7", "tex"}},
      {"ptx_unknown_opcode",
       {{"k.ptx", kernel("frobnicate.s32 %r1, %r2;\nret;")}},
       {},
       {"k.ptx:7", "frobnicate"}},
      {"ptx_undeclared_register", {{"k.ptx", kernel("mov.u32 %r77, 1;\nret;")}}, {}, {"k.ptx:7", "%r77"}},
      {"ptx_indirect_call",
       {{"k.ptx", kernel("mov.u64 %rd1, 8;\ncall %rd1, ();\nret;")}},
       {},
       {"k.ptx", "call"}},
      {"reads_out_of_bounds",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 128})")}},
       {},
       {"k.ptx:20", "thread (36,0,0)", "load of 4 bytes", "past the end of \"a\""}},
      {"reads_out_of_bounds_unchecked",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 128})")}},
       run({"--check", "off"}),
       {"k.ptx:", "thread", "ld.global.u32"}},
      {"misaligned",
       {{"l.json", launch(R"({"buffer": "a", "offset_bytes": 2}, {"buffer": "b"}, {"u32": 50})")}},
       {},
       {"k.ptx:20", "load of 4 bytes", "misaligned"}},
      {"misaligned_unchecked",
       {{"l.json", launch(R"({"buffer": "a", "offset_bytes": 2}, {"buffer": "b"}, {"u32": 50})")}},
       run({"--check", "off"}),
       {"k.ptx:", "ld.global.u32", "align"}},
      {"null_pointer",
       {{"k.ptx", kernel("mov.u64 %rd1, 0;\nst.global.u32 [%rd1], %r1;\nret;")}},
       {},
       {"k.ptx:8", "store of 4 bytes"}},
      {"trap", {{"k.ptx", kernel("trap;\nret;")}}, {}, {"k.ptx:7", "trap"}},
      {"trap_unchecked", {{"k.ptx", kernel("trap;\nret;")}}, run({"--check", "off"}), {"k.ptx:7", "trap"}},
      {"barrier_never_met",
       {{"k.ptx", kernel("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra L;\nbar.sync 0;\nL: "
                         "bar.sync 1;\nret;")}},
       {},
       {"k.ptx", "barrier"}},
      {"barrier_never_met_unchecked",
       {{"k.ptx", kernel("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra L;\nbar.sync 0;\nL: "
                         "bar.sync 1;\nret;")}},
       run({"--check", "off"}),
       {"k.ptx", "barrier"}},
      {"endless_loop",
       {{"k.ptx", kernel("L: add.s32 %r1, %r1, 1;\nbra L;")}},
       run({"--max-cycles", "5000"}),
       {"k.ptx", "5000 cycles"}},
      {"registers_too_few_for_pairs", {}, run({"--registers", "4"}), {"--registers", "8 to 255"}},
      {"compile_missing", {}, {"compile", "none.ptx"}, {"none.ptx", "cannot read"}},
      {"compile_unknown_kernel", {}, {"compile", "k.ptx", "--kernel", "move"}, {"move", "copy"}},
      {"compile_unknown_pass",
       {},
       {"compile", "k.ptx", "--passes", "polish"},
       {"polish", "propagate-copies"}},
      {"compile_nothing", {}, {"compile"}, {"nothing to compile", "--survey FOLDER"}},
      {"compile_survey_of_nothing", {}, {"compile", "--survey", "none"}, {"\"none\" is no folder"}},
      {"compile_survey_of_a_file", {}, {"compile", "--survey", "k.ptx"}, {"\"k.ptx\" is no folder"}},
      {"compile_empty", {{"k.ptx", kHead}}, {"compile", "k.ptx"}, {"no kernel"}},
      {"list_unknown", {}, {"list", "wheels"}, {"wheels", "scheduler"}},
      {"schema_unknown", {}, {"schema", "wheels"}, {"wheels", "launch"}},
      {"schema_without_root", {}, {"schema", "published"}, {"published", "launch"}},
      {"rerun_of_something_else",
       {},
       {"rerun", "l.json"},
       {"l.json", "not a result.json of heddle run", "format"}},
      {"compare_bad_variant",
       {},
       {"compare", "fermi-gtx480,gpu.smms=1", "--launch", "l.json"},
       {"gpu.smms", "did you mean"}},
      {"bank_width",
       {},
       run({"--set", "gpu.sm.load_store.shared.bank_width_bytes=5"}),
       {"bank_width_bytes", "4 or 8"}},
      {"no_admission",
       {{"l.json", launch(R"({"buffer": "a"}, {"buffer": "b"}, {"u32": 100})", "[9999]")}},
       run({"--set", "gpu.admission=[]"}),
       {"gpu.admission", "a list with"}},
      {"reference_limit",
       {{"k.ptx", kernel("L: add.s32 %r1, %r1, 1;\nbra L;")}},
       {"reference", "l.json", "--max-instructions", "1000"},
       {"k.ptx", "1000"}},
  };
  return rows;
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, OneLineAndStatusOne) {
  const BadInput& row = GetParam();
  Folder folder;
  folder.write("k.ptx", std::string(kHead) + kCopy);
  folder.write("l.json", launch());
  for (const auto& [name, text] : row.files) folder.write(name, text);
  const ProgramResult result = run_program(row.arguments.empty() ? run({}) : row.arguments, folder.path(), 0,
                                           sanitized_program_path());
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  EXPECT_EQ(result.err.rfind("error: ", 0), 0u) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(result.err.find("internal error"), std::string::npos) << result.err;
  for (const std::string& text : row.expected)
    EXPECT_NE(result.err.find(text), std::string::npos) << "no \"" << text << "\" in " << result.err;
}

INSTANTIATE_TEST_SUITE_P(Table, BadInputs, testing::ValuesIn(table()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(BadInputsBase, RunsWell) {
  Folder folder;
  folder.write("k.ptx", std::string(kHead) + kCopy);
  folder.write("l.json", launch());
  const ProgramResult result = run_program(run({}), folder.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("check: equal"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace heddle::test
