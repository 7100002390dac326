#include "tests/fuzz/reader_targets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/core/config_node.h"
#include "models/ptx/module.h"
#include "power/technology.h"
#include "testbench/cudart/fat_binary.h"
#include "testbench/experiment/experiment_file.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/npy.h"
#include "testbench/program/elf_needs.h"
#include "testbench/run/scenario.h"
#include "testbench/run/technique_file.h"
#include "tests/fuzz/pack_target.h"
#include "tests/fuzz/stored_targets.h"
#include "tests/fuzz/target_file.h"

namespace heddle::fuzz {
namespace {

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

bool read_npy(const std::string& bytes) {
  const TargetFile file(bytes);
  return takes([&] { launch::read_npy(file.path()); });
}

bool read_technique(const std::string& text) {
  const TargetFile file(text);
  std::vector<std::string> files;
  return takes([&] { run::read_technique(file.path(), files); });
}

bool read_experiment(const std::string& text) {
  const TargetFile file(text);
  return takes([&] { experiment::read_experiment(file.path(), "quick"); });
}

// Copies the bytes to their own memory block, so that a sanitizer finds reads beyond their end.
bool read_fat_binary(const std::string& bytes) {
  const std::vector<char> image(bytes.begin(), bytes.end());
  if (image.size() < sizeof(std::uint32_t) || !cudart::is_fat_binary(image.data())) return false;
  return takes([&] {
    cudart::require_whole_fat_binary(image.data(), image.size(), "fuzz");
    cudart::read_fat_binary(image.data(), "fuzz");
  });
}

bool read_elf(const std::string& bytes) {
  const TargetFile file(bytes);
  const auto needs = program::read_elf_needs(file.path());
  // Returns true for the file in the corpus, which names two libraries and has a section with a fat binary.
  return needs && needs->libraries.size() == 2 && needs->has_fat_binary;
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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
      {"npy", {"tests/fuzz/corpus/floats.npy", "tests/fuzz/corpus/matrix.npy"}, read_npy},
      {"technique",
       {"configs/techniques/hybrid.json", "configs/techniques/gates.json", "configs/techniques/corf++.json"},
       read_technique},
      {"experiment",
       {"tests/experiment/good.json", "configs/experiments/schedulers.json",
        "configs/experiments/kernel-clusters.json"},
       read_experiment},
      {"point", {}, read_point, point_seed},
      {"program", {"tests/fuzz/corpus/program.json", "tests/fuzz/corpus/result.json"}, read_result},
      {"capture", {"tests/fuzz/corpus/capture/0000-add/launch.json"}, read_capture},
      {"pages", {}, read_pages_file, pages_seed},
      {"untimed", {}, read_untimed, untimed_seed},
      {"fatbin", {"tests/fuzz/corpus/lz4.fatbin", "tests/fuzz/corpus/zstd.fatbin"}, read_fat_binary},
      {"elf", {"tests/fuzz/corpus/needs.so"}, read_elf},
      {"pack", {"tests/fuzz/corpus/pack.json"}, read_pack, pack_seed}};
  return targets;
}

std::vector<std::string> seeds_of(const ReaderTarget& target) {
  std::vector<std::string> seeds;
  for (const std::string& path : target.corpus) seeds.push_back(content_of(path));
  if (target.made) seeds.push_back(target.made());
  return seeds;
}

std::vector<std::string> kept_inputs_of(const ReaderTarget& target) {
  const std::filesystem::path folder = std::filesystem::path("tests/fuzz/inputs") / target.name;
  std::vector<std::string> paths, inputs;
  if (std::filesystem::is_directory(folder))
    for (const auto& file : std::filesystem::directory_iterator(folder))
      paths.push_back(file.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) inputs.push_back(content_of(path));
  return inputs;
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
