#include "tests/fuzz/reader_targets.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/ptx/module.h"
#include "power/technology.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/npy.h"
#include "testbench/run/scenario.h"

namespace heddle::fuzz {
namespace {

template <class F>
bool takes(F&& read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool read_ptx(const std::string& text) {
  return takes([&] {
    const auto module = ptx::parse_module(text, "fuzz.ptx");
    for (const ptx::KernelName& kernel : module->kernels()) ptx::lower_kernel(*module, kernel.mangled);
  });
}

bool read_launch(const std::string& text) {
  return takes([&] { launch::read_launch_text(text, "fuzz.json"); });
}

bool read_scenario(const std::string& text) {
  return takes([&] { run::read_scenario_tree(parse_config_text(text, "configs/scenarios/fuzz.json"), {}); });
}

bool read_technology(const std::string& text) {
  return takes([&] { power::read_technology(parse_config_text(text, "fuzz.json")); });
}

// This reader takes the path of a file, so the bytes are written to a file first.
bool read_npy(const std::string& bytes) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("heddle-fuzz-" + std::to_string(::getpid()) + ".npy"))
          .string();
  std::ofstream(path, std::ios::binary) << bytes;
  const bool taken = takes([&] { launch::read_npy(path); });
  std::filesystem::remove(path);
  return taken;
}

}  // namespace

const std::vector<ReaderTarget>& reader_targets() {
  static const std::vector<ReaderTarget> targets = {
      {"ptx",
       {"testbench/kernels/vector_add/kernel.ptx", "tests/fuzz/corpus/narrow_reduction.ptx",
        "testbench/kernels/scan/kernel.ptx"},
       read_ptx},
      {"launch", {"docs/formats/launch-maximal.json", "testbench/kernels/bfs/small.json"}, read_launch},
      {"scenario", {"configs/scenarios/quickstart.json", "configs/scenarios/hybrid.json"}, read_scenario},
      {"technology", {"configs/technology/gtx480-45nm.json"}, read_technology},
      {"npy", {"tests/fuzz/corpus/floats.npy", "tests/fuzz/corpus/matrix.npy"}, read_npy}};
  return targets;
}

std::string read_corpus(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string mutate(std::string text, const std::string& other, Dice& dice) {
  for (int n = dice.between(1, 4); n > 0 && !text.empty(); --n) {
    const auto size = static_cast<int>(text.size());
    const auto at = static_cast<std::size_t>(dice.pick(size));
    switch (dice.pick(6)) {
      case 0:
        text[at] = static_cast<char>(dice.next());
        break;
      case 1:
        text.erase(at, static_cast<std::size_t>(dice.between(1, 30)));
        break;
      case 2:
        text.insert(at, text.substr(static_cast<std::size_t>(dice.pick(size)),
                                    static_cast<std::size_t>(dice.between(1, 60))));
        break;
      case 3:
        if (!other.empty())
          text.insert(at, other.substr(static_cast<std::size_t>(dice.pick(static_cast<int>(other.size()))),
                                       static_cast<std::size_t>(dice.between(1, 60))));
        break;
      case 4:
        text.insert(at, dice.choose({"18446744073709551616", "-1", "1e999", "0", "{", "]", "\"", "\\u0000",
                                     ":", ";", "null", "[[[[[[[[", "\xef\xbb\xbf", "0x"}));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

}  // namespace heddle::fuzz
