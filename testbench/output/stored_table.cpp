#include "testbench/output/stored_table.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "models/core/error.h"
#include "models/core/read_file.h"

namespace heddle::output {
namespace {

namespace fs = std::filesystem;

// Returns the hash that a result states for a table; nullptr if it states none. Results of earlier versions
// have no hashes.
const ConfigNode* hash_in(const ConfigNode& result, const std::string& name) {
  const ConfigNode* tables = result.find("tables");
  if (!tables) return nullptr;
  for (const ConfigNode& table : tables->items)
    if (const ConfigNode* file = table.find("file"); file && file->text == name) return table.find("fnv1a64");
  return nullptr;
}

}  // namespace

void add_files(ConfigNode& result, const run::OutFolder& folder) {
  std::erase_if(result.members,
                [](const auto& one) { return one.first == "files" || one.first == "tables"; });
  result.members.emplace_back("files", ConfigNode::make_texts(folder.names(), {}));
  ConfigNode tables = ConfigNode::make_list();
  for (const auto& [name, hash] : folder.tables()) {
    ConfigNode& table = tables.items.emplace_back(ConfigNode::make_object());
    table.members = {{"file", ConfigNode::make_string(name)}, {"fnv1a64", ConfigNode::make_string(hash)}};
  }
  if (!tables.items.empty()) result.members.emplace_back("tables", std::move(tables));
}

std::optional<std::string> stored_table(const ConfigNode& result, const std::string& folder,
                                        const std::string& name) {
  const std::string file = (fs::path(folder) / name).string();
  std::error_code ec;
  if (!fs::exists(file, ec)) return std::nullopt;
  const std::string bytes = read_whole_file(file, "this table", kMostTextBytes);
  const ConfigNode* hash = hash_in(result, name);
  if (hash && hash->text != launch::hash_of_text(bytes))
    throw Error(file, "this table is not the one that the run of result.json wrote",
                "both files of one run, unchanged");
  return bytes;
}

}  // namespace heddle::output
