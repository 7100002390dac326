// Tests `heddle draft` for all kernels. The test takes values that the draft leaves open from the kernel's
// own launch file. The completed draft must leave the same bytes in memory as this launch file.

#include "testbench/launch/draft.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>

#include "models/core/error.h"
#include "models/isa/own_variables.h"
#include "models/isa/runtime_call.h"
#include "models/ptx/module.h"
#include "testbench/launch/reference_executor.h"
#include "tests/support/kernel_list.h"

namespace heddle::launch::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Captured : public LaunchExecutor {
 public:
  struct Launch {
    isa::KernelLaunch launch;
    MemoryImage before, after;
  };
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    const bool first = !seen.contains(launch.program->kernel);
    Launch& one = seen[launch.program->kernel];
    if (first) one.before = memory;
    reference::run_reference(launch, memory);
    if (!first) return;
    one.launch = launch;
    one.after = memory;
  }
  std::map<std::string, Launch> seen;
};

ConfigNode number(ElementType type, const std::uint8_t* bytes) {
  return is_real(type) ? ConfigNode::make_number(element_as_real(type, bytes))
                       : ConfigNode::make_string(element_text(type, bytes));
}

class Filling {
 public:
  Filling(const std::string& draft, const Captured::Launch& real,
          const std::vector<isa::ModuleVariable>& variables, std::string folder)
      : tree_(parse_config_text(draft, "draft.json")),
        real_(real),
        variables_(variables),
        folder_(std::move(folder)) {}

  LaunchFile fill() {
    ConfigNode& step = tree_.find("steps")->items[0];
    const isa::Dim3 &grid = real_.launch.grid, &block = real_.launch.block;
    extents(*step.find("grid"), {grid.x, grid.y, grid.z});
    extents(*step.find("block"), {block.x, block.y, block.z});
    if (ConfigNode* shared = step.find("shared_bytes"))
      *shared = ConfigNode::make_integer(real_.launch.dynamic_shared_bytes);
    else
      EXPECT_EQ(real_.launch.dynamic_shared_bytes, 0u);
    for (ConfigNode& argument : step.find("args")->items) this->argument(argument);
    if (!tree_.find("symbols")) tree_.members.emplace_back("symbols", ConfigNode::make_object());
    ConfigNode& symbols = *tree_.find("symbols");
    for (const isa::ModuleVariable& v : variables_)
      if (!v.initial.empty() &&
          !std::equal(v.initial.begin(), v.initial.end(), real_.before.find(v.address, v.bytes)))
        symbols.members.emplace_back(v.name, ConfigNode::make_object());
    for (auto& [name, symbol] : symbols.members) fill_symbol(name, symbol);
    drop_aliases();
    return read_launch_text(to_json(tree_), folder_ + "/draft.json");
  }

  const std::map<std::string, std::string>& buffers() const { return buffers_; }

 private:
  static void extents(ConfigNode& node, const std::vector<std::uint32_t>& values) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (i >= node.items.size())
        EXPECT_EQ(values[i], 1u) << "an extent that the draft does not have";
      else if (node.items[i].is_string())
        node.items[i] = ConfigNode::make_integer(values[i]);
    }
  }

  void argument(ConfigNode& node) {
    if (ConfigNode* members = node.find("struct")) {
      for (ConfigNode& member : members->items) argument(member);
      return;
    }
    auto& [kind, value] = node.members[0];
    if (!value.is_string() || value.text[0] != 'p') return;
    const std::string name = value.text;
    const std::size_t inner = name.find('_');
    const auto& parameter = real_.launch.program->parameters[std::stoul(name.substr(1))];
    const std::size_t offset =
        parameter.offset + (inner == std::string::npos ? 0 : std::stoul(name.substr(inner + 1)));
    const std::uint8_t* const bytes = real_.launch.parameters.data() + offset;
    ElementType type{};
    if (kind != "buffer") {
      EXPECT_TRUE(find_element_type(kind, type));
      *tree_.find("values")->find(name) = number(type, bytes);
      return;
    }
    std::uint64_t address = 0;
    std::memcpy(&address, bytes, sizeof address);
    for (const auto& allocation : real_.before.allocations()) {
      if (address < allocation->base || address >= allocation->base + allocation->bytes) continue;
      const auto [known, is_new] = buffers_.try_emplace(allocation->name, name);
      node.members = {
          {"buffer", ConfigNode::make_string(known->second)},
          {"offset_bytes", ConfigNode::make_integer(static_cast<std::int64_t>(address - allocation->base))}};
      if (is_new)
        contents(name, allocation->data);
      else
        aliases_.insert(name);
      return;
    }
    ADD_FAILURE() << name << " is no address";
  }

  void contents(const std::string& name, std::span<const std::uint8_t> data) {
    const std::string file = folder_ + "/" + name + ".bin";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    ConfigNode& buffer = *tree_.find("buffers")->find(name);
    ElementType type{};
    EXPECT_TRUE(find_element_type(buffer.find("type")->text, type));
    EXPECT_EQ(buffer.find("count")->text, kToFillIn);
    buffer.members = {
        {"type", ConfigNode::make_string(name_of(type))},
        {"count", ConfigNode::make_integer(static_cast<std::int64_t>(data.size() / bytes_of(type)))},
        {"file", ConfigNode::make_string(file)}};
  }

  void fill_symbol(const std::string& name, ConfigNode& symbol) {
    const auto v =
        std::find_if(variables_.begin(), variables_.end(), [&](const auto& one) { return one.name == name; });
    ASSERT_NE(v, variables_.end());
    const std::uint8_t* const bytes = real_.before.find(v->address, v->bytes);
    ConfigNode values;
    values.kind = ConfigNode::Kind::array;
    for (std::uint64_t i = 0; i < v->bytes; ++i) values.items.push_back(ConfigNode::make_integer(bytes[i]));
    symbol.members = {{"type", ConfigNode::make_string("u8")}, {"values", values}};
  }

  void drop_aliases() {
    if (ConfigNode* buffers = tree_.find("buffers"))
      std::erase_if(buffers->members, [this](const auto& b) { return aliases_.contains(b.first); });
    if (ConfigNode* outputs = tree_.find("outputs"))
      std::erase_if(outputs->items, [this](const auto& o) {
        return o.find("buffer") && aliases_.contains(o.find("buffer")->text);
      });
  }

  ConfigNode tree_;
  const Captured::Launch& real_;
  const std::vector<isa::ModuleVariable>& variables_;
  std::string folder_;
  std::map<std::string, std::string> buffers_;
  std::set<std::string> aliases_;
};

void check(const std::shared_ptr<const ptx::Module>& module, const std::string& kernel,
           const Captured::Launch& real, const std::string& folder) {
  SCOPED_TRACE(kernel);
  const std::string text = draft_launch(*module, kernel, std::filesystem::absolute(module->file()).string());
  EXPECT_THROW(
      {
        const LaunchFile open = read_launch_text(text, "draft.json");
        PtxPrograms programs(module);
        MemoryImage memory;
        LaunchRun(open, programs, memory).prepare();
      },
      Error)
      << "nothing is left to fill in";
  Filling filling(text, real, module->variables(), folder);
  const LaunchFile file = filling.fill();
  PtxPrograms programs(module);
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  ReferenceExecutor executor;
  run.run(executor);
  std::set<std::string> outputs;
  for (const OutputSpec& output : file.outputs) outputs.insert(output.buffer);
  for (const auto& [name, drafted] : filling.buffers()) {
    const auto& after = real.after.find_by_name(name)->data;
    const BufferView view = run.buffer(drafted);
    EXPECT_TRUE(std::equal(after.begin(), after.end(), view.data.begin(), view.data.end())) << name << text;
    EXPECT_TRUE(outputs.contains(drafted) || after == real.before.find_by_name(name)->data)
        << name << " is written, and no output of the draft";
  }
  for (const isa::ModuleVariable& v : module->variables()) {
    if (isa::is_of_run_time(v.name)) continue;
    const std::uint8_t* const before = real.before.find(v.address, v.bytes);
    EXPECT_TRUE(outputs.contains(v.name) ||
                std::equal(before, before + v.bytes, real.after.find(v.address, v.bytes)))
        << v.name << " is written, and no output of the draft";
  }
}

TEST(Draft, FilledInFromTheRealLaunchDoesWhatThatDoes) {
  int kernels = 0;
  const std::string folder = ::testing::TempDir() + fmt::format("heddle_draft_{}", ::getpid());
  std::filesystem::create_directories(folder);
  for (const std::string& name : testing_support::kernels()) {
    // Skip two kernels. heap_lists: a draft cannot contain the contents of a heap. virtual_shapes: objects
    // point to tables of functions, and a draft would make buffers of these tables.
    if (name == "heap_lists" || name == "virtual_shapes") continue;
    SCOPED_TRACE(name);
    const LaunchFile file = read_launch_file(testing_support::small_launch(name));
    // Skip kernels with textures: a draft contains a texture's handle as a number, but not the texture.
    if (!file.textures.empty()) continue;
    PtxPrograms programs(file);
    MemoryImage memory;
    LaunchRun run(file, programs, memory);
    run.prepare();
    Captured captured;
    run.run(captured);
    for (const auto& [kernel, launch] : captured.seen) check(programs.module(), kernel, launch, folder);
    kernels += static_cast<int>(captured.seen.size());
  }
  std::filesystem::remove_all(folder);
  EXPECT_GE(kernels, 50);
}

TEST(Draft, ShowsWhatTheCodeDetermines) {
  const auto module = ptx::parse_module_file("testbench/kernels/saxpy/kernel.ptx");
  const std::string text = draft_launch(*module, module->resolve_kernel("saxpy"), "kernel.ptx");
  for (
      const char* part : {
          R"("p0": "?",  // parameter 0: s32)",
          R"("p1": "?"  // parameter 1: f32)",
          R"("p2": {"type": "f32", "count": "?", "init": {"kind": "uniform", "low": 0, "high": 1, "seed": 1}},)"
          R"(  // parameter 2: read as f32)",
          R"(  // parameter 3: read and written as f32)",
          R"({"kernel": "saxpy",)",
          R"("grid": ["?"])",
          R"("outputs": [
    {"buffer": "p3"})",
      })
    EXPECT_THAT(text, HasSubstr(part));
}

// A number that lies in the address range of shared memory must not become an address in the draft. If a
// kernel only reads integers from a buffer, the draft must leave the range of these integers open ("?").
TEST(Draft, ContainsIntegersAndNoSharedMemoryOfNumbers) {
  const auto module = ptx::parse_module(R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry bytes(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  ld.global.u32 %r1, [%rd1];
  xor.b32 %r2, %r1, 16909060; // 0x01020304
  st.global.u32 [%rd2], %r2;
  ret;
})",
                                        "bytes.ptx");
  const std::string text = draft_launch(*module, "bytes", "bytes.ptx");
  EXPECT_THAT(text, ::testing::Not(HasSubstr("shared_bytes")));
  EXPECT_THAT(
      text,
      HasSubstr(R"("p0": {"type": "u32", "count": "?", "init": {"kind": "uniform", "low": 0, "high": "?")"));
  EXPECT_THAT(text, HasSubstr(R"("p1": {"type": "u32", "count": "?"})"));
}

// The draft must propose shared memory for a __local pointer of an OpenCL kernel, and for a parameter that is
// used as an address of shared memory. A parameter that is added to an address of the kernel's own shared
// memory is an index, not an address.
TEST(Draft, ProposesSharedMemoryForItsPointers) {
  const auto module = ptx::parse_module(R"(.version 7.0
.target sm_50
.address_size 64
.shared .align 4 .b8 own[64];
.visible .entry local(.param .u64 .ptr .shared .align 4 declared, .param .u64 used, .param .u64 index,
                      .param .u64 .ptr .shared .align 8 idle, .param .u64 cast, .param .u64 .ptr .global out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [declared]; ld.param.u64 %rd2, [used]; ld.param.u64 %rd3, [index]; ld.param.u64 %rd4, [out];
  ld.shared.f32 %r1, [%rd1];
  add.s64 %rd2, %rd2, 8;
  st.shared.u32 [%rd2], %r1;
  mov.u64 %rd5, own;
  add.s64 %rd5, %rd5, %rd3;
  ld.shared.u32 %r2, [%rd5];
  ld.param.u64 %rd6, [cast];
  cvta.shared.u64 %rd7, %rd6;
  ld.f32 %r3, [%rd7];
  st.global.u32 [%rd4], %r2;
  ret;
})",
                                        "local.ptx");
  const std::string text = draft_launch(*module, "local", "local.ptx");
  EXPECT_THAT(text, HasSubstr(R"("p0_bytes": "?",  // parameter 0, declared: bytes of shared memory)"));
  EXPECT_THAT(text, HasSubstr("OpenCL), read as f32\n"));
  EXPECT_THAT(text, HasSubstr("parameter 1, used: bytes of shared memory"));
  EXPECT_THAT(text, HasSubstr("OpenCL), written as u32\n"));
  EXPECT_THAT(text, HasSubstr(R"("p2": "?",  // parameter 2, index: s64)"));
  for (const char* name : {"p0", "p1", "p3", "p4"})
    EXPECT_THAT(text, HasSubstr("{\"shared\": \"" + std::string(name) + "_bytes\"}"));
  EXPECT_THAT(text, HasSubstr(R"({"buffer": "p5"})"));
  std::string filled = text;
  for (std::size_t at; (at = filled.find("\"?\"")) != std::string::npos;) filled.replace(at, 3, "32");
  EXPECT_EQ(read_launch_text(filled, "local.json").steps[0].arguments[1].kind, Argument::Kind::shared);
}

// `rows` is nvcc's PTX of rows(float* const* rows, int n), which loads the addresses of buffers from a
// buffer.
TEST(Draft, SeesAddressesInBuffersAndInSymbols) {
  const auto module = ptx::parse_module_file("tests/launch/programs/talk.ptx");
  const std::string rows = draft_launch(*module, "rows", "talk.ptx");
  EXPECT_THAT(rows, HasSubstr(R"("p0_target": {"type": "f32", "count": "?")"));
  EXPECT_THAT(
      rows,
      HasSubstr(
          R"("p0": {"type": "u64", "init": {"kind": "members", "members": [{"buffer": "p0_target"}]}})"));
  EXPECT_THAT(rows, HasSubstr(R"({"buffer": "p0_target"})"));
  const std::string weigh = draft_launch(*module, "weigh", "talk.ptx");
  EXPECT_THAT(
      weigh,
      HasSubstr("\"weights\": {\"type\": \"f32\", \"values\": [\"?\"]},  // constant variable of 16 bytes"));
  EXPECT_THAT(weigh, HasSubstr("16 bytes that the module leaves 0: read as f32\n"));
  EXPECT_THAT(weigh, HasSubstr(R"("total": {"type": "u32", "values": ["?"]},)"));
  EXPECT_THAT(weigh, HasSubstr("4 bytes that the module leaves 0: atomics as u32\n"));
  EXPECT_THAT(weigh, HasSubstr(R"({"symbol": "total", "type": "u32"})"));
  EXPECT_THAT(
      weigh,
      HasSubstr(
          R"("node": {"type": "u64", "init": {"kind": "members", "members": [{"buffer": "node_target"}]}})"));
  EXPECT_THAT(weigh, HasSubstr(R"("node_target": {"type": "f32", "count": "?")"));
}

TEST(Draft, FillsAVariableOfAddresses) {
  const auto module = ptx::parse_module(R"(.version 7.0
.target sm_50
.address_size 64
.global .align 8 .u64 rows[3];
.visible .entry pick(.param .u32 n)
{
  .reg .f32 %f<2>; .reg .b32 %r<2>; .reg .b64 %rd<6>;
  ld.param.u32 %r1, [n];
  mul.wide.u32 %rd1, %r1, 8;
  mov.u64 %rd2, rows;
  add.s64 %rd3, %rd2, %rd1;
  ld.global.u64 %rd4, [%rd3];
  cvta.to.global.u64 %rd5, %rd4;
  ld.global.f32 %f1, [%rd5];
  st.global.f32 [%rd5+4], %f1;
  ret;
})",
                                        "rows.ptx");
  const std::string text = draft_launch(*module, "pick", "rows.ptx");
  EXPECT_THAT(text, HasSubstr(R"("members": [{"buffer": "rows_target"}, {"buffer": "rows_target"}, )"
                              R"({"buffer": "rows_target"}]})"));
  EXPECT_THAT(text, HasSubstr(R"("rows_target": {"type": "f32", "count": "?")"));
  EXPECT_THAT(text, HasSubstr(R"({"buffer": "rows_target"})"));
}

// The draft must not contain addresses of functions as data: a module's tables of functions have initial
// values, and kernels store other addresses of functions.
TEST(Draft, TakesTablesOfFunctionsForNoBuffers) {
  const auto module = ptx::parse_module(R"(.version 7.0
.target sm_50
.address_size 64
.func twice(.param .b64 word);
.global .align 8 .u64 table[3] = {0, twice, twice};
.func twice(.param .b64 word)
{
  .reg .b64 %rd<2>; .reg .f32 %f<2>;
  ld.param.u64 %rd1, [word];
  ld.global.f32 %f1, [%rd1+8];
  add.f32 %f1, %f1, %f1;
  st.global.f32 [%rd1+8], %f1;
  ret;
}
.visible .entry each(.param .u64 objects, .param .u64 list, .param .u64 given)
{
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [objects];
  ld.global.u64 %rd2, [%rd1];
  ld.u64 %rd3, [%rd2+8];
  { .param .b64 word; st.param.b64 [word], %rd1; prototype_0: .callprototype ()_ (.param .b64 _); call %rd3, (word), prototype_0; }
  ld.param.u64 %rd4, [list];
  ld.global.u64 %rd5, [%rd4];
  { .param .b64 word; st.param.b64 [word], %rd1; prototype_1: .callprototype ()_ (.param .b64 _); call %rd5, (word), prototype_1; }
  ld.param.u64 %rd6, [given];
  { .param .b64 word; st.param.b64 [word], %rd1; prototype_2: .callprototype ()_ (.param .b64 _); call %rd6, (word), prototype_2; }
  ret;
})",
                                        "each.ptx");
  const std::string text = draft_launch(*module, "each", "each.ptx");
  EXPECT_THAT(
      text,
      HasSubstr(
          R"("p0": {"type": "u64", "init": {"kind": "members", "members": [{"symbol": "table", "offset_bytes": 8}]}})"));
  EXPECT_THAT(text, HasSubstr("addresses of tables of functions"));
  EXPECT_THAT(text, Not(HasSubstr("p0_target")));
  EXPECT_THAT(text, HasSubstr(R"("p1": {"type": "u64", "count": "?"})"));
  EXPECT_THAT(text, HasSubstr("holds addresses of functions, which only kernels know"));
  EXPECT_THAT(text, HasSubstr(R"("p2": "?"  // parameter 2, given: u64; the address of a function)"));
}

TEST(Draft, GivesEveryParameterANumberOfItsKind) {
  const auto module = ptx::parse_module(R"(.version 7.0
.target sm_50
.address_size 64
.visible .entry kinds(.param .f32 idle, .param .f64 wide, .param .u32 count, .param .f32 bits, .param .u32 real)
{
  .reg .b32 %r<4>; .reg .f32 %f<4>;
  ld.param.b32 %r1, [bits]; ld.param.f32 %f1, [real];
  ret;
})",
                                        "kinds.ptx");
  const std::string text = draft_launch(*module, "kinds", "kinds.ptx");
  for (const char* part :
       {R"({"f32": 0})", R"({"f64": 0})", R"({"u32": 0})", R"({"f32": "p3"})", R"({"u32": "p4"})"})
    EXPECT_THAT(text, HasSubstr(part));
}

// A printf that prints the thread's index in three dimensions must not make the block of the draft
// three-dimensional.
TEST(Draft, TakesNoExtentsFromAPrintf) {
  const auto module = ptx::parse_module_file("tests/launch/programs/talk.ptx");
  const std::string text = draft_launch(*module, "talk", "talk.ptx");
  EXPECT_THAT(text, HasSubstr(R"("grid": ["?"])"));
  EXPECT_THAT(text, HasSubstr(R"("block": ["?"])"));
}

// Without optimisation, compilers store each parameter to local memory, and load it from there at each use.
// The draft must still find buffers and types.
void expect_frame_seen_through(const std::string& file) {
  SCOPED_TRACE(file);
  const auto module = ptx::parse_module_file("tests/launch/programs/" + file);
  const auto draft = [&](const char* kernel) {
    return draft_launch(*module, module->resolve_kernel(kernel), file);
  };
  const std::string axpy = draft("axpy");
  for (const char* part :
       {"// parameter 0: read and written as f32\n", "// parameter 1: read as f32\n", R"({"buffer": "p0"})",
        R"({"buffer": "p1"})", "// parameter 2: f32\n", "// parameter 3: s32\n"})
    EXPECT_THAT(axpy, HasSubstr(part));
  const std::string either = draft("either");
  EXPECT_THAT(either, HasSubstr("// parameter 0: written as u32\n"));
  EXPECT_THAT(either, HasSubstr("// parameter 1: written as u32\n"));
  const std::string chosen = draft("chosen");
  for (
      const char* part :
      {"// parameter 0: u64; kept in local memory where the draft cannot follow it: a number or an address\n",
       "// parameter 1: u64; kept in local memory where the draft cannot follow it: a number or an address\n",
       "// parameter 3: s64\n"})
    EXPECT_THAT(chosen, HasSubstr(part));
}

TEST(Draft, SeesThroughTheFrameOfUnoptimisedCode) {
  expect_frame_seen_through("frame.ptx");
  expect_frame_seen_through("debug.ptx");
}

}  // namespace
}  // namespace heddle::launch::testing
