#include "testbench/launch/capture_table.h"

#include <filesystem>
#include <string_view>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;

// Looks for the row of launches.csv that begins with this folder. Returns the hash in this row; empty if
// there is no such row. Names of captured folders never need quotes in CSV.
std::string hash_of_row(std::string_view table, const std::string& folder) {
  if (!table.starts_with(kCaptureColumns)) return {};
  const std::string begin = "\n" + folder + ",";
  const std::size_t at = table.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view row = table.substr(at + 1, table.find('\n', at + 1) - at - 1);
  return std::string(row.substr(row.rfind(',') + 1));
}

}  // namespace

void check_against_capture_table(const std::string& launch_file) {
  const fs::path folder = fs::absolute(launch_file).lexically_normal().parent_path();
  // A program's first process has its launches in folders next to the table. Further processes have them one
  // folder deeper.
  for (const fs::path& at : {folder.parent_path(), folder.parent_path().parent_path()}) {
    const fs::path table = at / kCaptureTable, name = folder.lexically_relative(at);
    if (std::error_code ec; !fs::is_regular_file(table, ec)) continue;
    const std::string hash =
        hash_of_row(read_text_file(table.string(), "the table of a capture"), name.generic_string());
    if (hash.empty()) continue;
    if (hash != hash_of_file(launch_file))
      throw Error(launch_file, "not the launch that was captured here, by " + table.string(),
                  "the captured file; a changed one in a folder outside of the capture");
    return;
  }
}

}  // namespace heddle::launch
