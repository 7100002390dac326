#include "testbench/program/program_counts.h"

#include <filesystem>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"
#include "testbench/program/kernel_counts.h"

namespace heddle::program {
namespace {

ConfigNode& part(ConfigNode& counts, const char* key) {
  ConfigNode* const found = counts.find(key);
  if (!found) throw Error(counts.file, std::string("counts without ") + key);
  return *found;
}

void add(ConfigNode& sum, ConfigNode more) {
  part(sum, "cycles").integer += part(more, "cycles").integer;
  merge_kernel_counts(part(sum, "kernels"), part(more, "kernels"));
  add_counters(part(sum, "counters"), part(more, "counters"));
}

}  // namespace

std::string counts_file(const std::string& work, unsigned process) {
  return work + "/counts-" + std::to_string(process) + ".json";
}

void write_counts(const ConfigNode& counts, const std::string& file) {
  launch::write_text(file, to_json(counts));
}

ConfigNode read_counts(const std::string& work, const std::vector<std::uint64_t>& timed) {
  ConfigNode sum;
  for (unsigned process = 0; process < timed.size(); ++process) {
    if (!timed[process]) continue;
    const std::string file = counts_file(work, process);
    if (std::error_code ec; !std::filesystem::exists(file, ec)) return {};
    ConfigNode one = parse_config_file(file);
    if (sum.is_object())
      add(sum, std::move(one));
    else
      sum = std::move(one);
  }
  return sum;
}

}  // namespace heddle::program
