#include "testbench/pack/contents.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"
#include "testbench/pack/opened_pack.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

constexpr const char* kResults = "a result.json, a program.json, or the folder of a run or an experiment";

}  // namespace

std::string result_file(const std::string& result) {
  for (const char* name : {"result.json", "program.json"})
    if (const fs::path file = fs::path(result) / name; fs::exists(file)) return file.string();
  if (std::error_code ec; fs::is_directory(result, ec) && !is_experiment(result))
    throw Error(result, "this folder holds no result", kResults);
  return result;
}

Contents contents_of(const std::string& result, bool with_counters) {
  if (is_pack(result)) throw Error(result, "this is a pack already", kResults);
  if (std::error_code ec; !fs::is_directory(result, ec)) return run_contents(result);
  if (const std::string file = result_file(result); file != result) return run_contents(file);
  return experiment_contents(result, with_counters);
}

PackList write_pack(const std::string& path, Contents contents) {
  PackList& list = contents.list;
  list.heddle = HEDDLE_VERSION;
  for (const Entry& entry : contents.entries) {
    const std::string bytes = entry.bytes();
    list.files.push_back({entry.name, bytes.size(), launch::hash_of_text(bytes)});
  }
  write_archive(path, list, contents.entries);
  return std::move(list);
}

}  // namespace heddle::pack
