#include "tests/fuzz/stored_targets.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/ptx/module.h"
#include "testbench/comparison/comparison.h"
#include "testbench/estimate/untimed_file.h"
#include "testbench/experiment/point_file.h"
#include "testbench/experiment/point_values.h"
#include "testbench/launch/captured_launch.h"
#include "testbench/launch/draft.h"
#include "testbench/launch/launch_run.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/pages.h"
#include "testbench/launch/program_provider.h"
#include "tests/fuzz/target_file.h"

namespace heddle::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCapture = "tests/fuzz/corpus/capture";

const experiment::PointIdentity& identity() {
  static const experiment::PointIdentity own{"label", "name", "configuration", "inputs", "program"};
  return own;
}

bool read_one_point(const std::string& text) {
  return takes([&] {
    const TargetFile file(text);
    const experiment::PointFile point = experiment::read_point_file(file.path(), identity());
    if (!point.error.empty()) throw Error(file.path(), point.error);
    const experiment::PointValues values(point.result);
    (void)values.find("cycles");
    (void)values.match("sm*");
  });
}

// A kernel with a loop, a launch of this kernel, and the memory before the launch.
class SmallLaunch : public launch::LaunchExecutor {
 public:
  SmallLaunch() {
    const auto module = ptx::parse_module(R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r2, 0;
L:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra L;
  st.global.u32 [%rd3], %r2;
  ret;
}
)",
                                          "k.ptx");
    const launch::LaunchFile file = launch::read_launch_text(
        R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 200, "init": {"kind": "range"}}},
            "steps": [{"kernel": "k", "grid": [3], "block": [64], "args": [{"buffer": "a"}]}]})",
        "k.json");
    launch::PtxPrograms programs(module);
    MemoryImage memory;
    launch::LaunchRun run(file, programs, memory);
    run.prepare();
    run.run(*this);
  }
  void launch(const isa::KernelLaunch& one, MemoryImage& memory) override {
    launch_ = one;
    before_ = memory;
  }
  const isa::KernelLaunch& launch() const { return launch_; }
  const MemoryImage& before() const { return before_; }

 private:
  isa::KernelLaunch launch_;
  MemoryImage before_;
};

const SmallLaunch& small_launch() {
  static const SmallLaunch small;
  return small;
}

constexpr const char* kUntimedKey = "0123456789abcdef0123456789abcdef";

bool fits_small_launch(const std::vector<std::uint8_t>& file) {
  MemoryImage memory = small_launch().before();
  return estimate::read_untimed_file(file, kUntimedKey, small_launch().launch(), 0, memory)
      .execution.has_value();
}

}  // namespace

std::string resealed(std::string text) {
  constexpr const char* kSeal = "\"content_fnv1a64\": \"";
  const std::size_t seal = text.find(kSeal), line = text.find('\n', std::min(seal, text.size()));
  if (line == std::string::npos) return text;
  const std::size_t at = seal + std::string(kSeal).size();
  const std::string hash = launch::hash_of_text("{\n" + text.substr(line + 1));
  if (at + hash.size() < line) text.replace(at, hash.size(), hash);
  return text;
}

bool read_point(const std::string& text) {
  const bool as_it_is = read_one_point(text);
  return read_one_point(resealed(text)) || as_it_is;
}

std::string point_seed() {
  return experiment::point_file_text(identity(), parse_config_file("tests/fuzz/corpus/result.json"));
}

bool read_result(const std::string& text) {
  return takes(
      [&] { comparison::compared_run("fuzz", parse_config_text(text, "fuzz.json"), "out", "fuzz.json"); });
}

bool read_capture(const std::string& text) {
  static const TargetFolder folder = [] {
    TargetFolder made;
    for (const char* name : {"module-0.ptx", "pages.bin"})
      fs::copy_file(fs::path(kCapture) / name, fs::path(made.path()) / name);
    fs::create_directory(made.path() + "/0000-add");
    return made;
  }();
  return takes([&] {
    const TargetFile file(text, folder.path() + "/0000-add/launch.json");
    const launch::CapturedLaunch captured(file.path());
    for (const launch::BufferSpec& buffer : captured.file().buffers) {
      launch::read_pages(buffer.source.pages);
      if (buffer.expected) launch::read_pages(*buffer.expected);
    }
    const launch::PtxPrograms programs(captured.file());
    launch::draft_launch(*programs.module(), captured, "module-0.ptx", "pages.bin");
  });
}

bool read_pages_file(const std::string& bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  std::istringstream line(bytes.substr(0, end));
  launch::PageSource source;
  line >> source.bytes >> source.hash;
  for (launch::PageRun run; line >> run.first >> run.count;) source.runs.push_back(run);
  const TargetFile file(bytes.substr(std::min(end + 1, bytes.size())));
  source.file = source.where = file.path();
  return takes([&] { launch::read_pages(source); });
}

std::string pages_seed() {
  std::string pages(2 * launch::kPageBytes, 'a');
  for (std::size_t i = 0; i < pages.size(); i += 7) pages[i] = static_cast<char>(i);
  launch::PagesHash hash;
  for (const std::size_t page : {1, 0})
    hash.add(launch::key_of({reinterpret_cast<const std::uint8_t*>(pages.data()) + page * launch::kPageBytes,
                             launch::kPageBytes}));
  return "8000 " + hash.text() + " 1 1 0 1\n" + pages;
}

bool read_untimed(const std::string& bytes) {
  const std::vector<std::uint8_t> content(bytes.begin(), bytes.end());
  const bool as_it_is = fits_small_launch(content);
  return fits_small_launch(estimate::sealed_untimed_file(kUntimedKey, content)) || as_it_is;
}

std::string untimed_seed() {
  MemoryImage after = small_launch().before();
  const estimate::UntimedExecution execution =
      estimate::execute_in_parts(small_launch().launch(), after, {}, 16, 1);
  const std::vector<std::uint8_t> file =
      estimate::untimed_file(kUntimedKey, execution, small_launch().before(), after);
  const std::ptrdiff_t key = 1 + static_cast<std::ptrdiff_t>(std::string(kUntimedKey).size());
  return {file.begin() + key, file.end() - static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))};
}

}  // namespace heddle::fuzz
