#include "testbench/program/capture_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "testbench/launch/capture_table.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/csv_text.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;

std::string marker_of(const std::string& folder) {
  return folder + "/" + launch::NewFile::part_of("capture");
}

// Returns true for names that a capture writes: "0002-expand", "process-1", "module-0.ptx", "pages.bin",
// launches.csv, and the marker file.
bool is_of_capture(const std::string& name) {
  const auto digits = static_cast<std::size_t>(
      std::find_if(name.begin(), name.end(), [](char c) { return c < '0' || c > '9'; }) - name.begin());
  return (digits >= 4 && digits < name.size() && name[digits] == '-') || name.starts_with("process-") ||
         (name.starts_with("module-") && name.ends_with(".ptx")) || name == "pages.bin" ||
         name == launch::kCaptureTable || launch::NewFile::is_left_over(name);
}

std::string text_of_extents(const isa::Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

}  // namespace

CaptureFolder::CaptureFolder(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code ec;
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder_, ec)) all.push_back(entry.path());
  const bool is_left = std::any_of(all.begin(), all.end(), [](const fs::path& path) {
    return launch::NewFile::is_left_over(path.filename().string());
  });
  if (is_left)
    for (const fs::path& path : all)
      if (is_of_capture(path.filename().string())) fs::remove_all(path, ec);
  if (fs::exists(folder_, ec) && (!fs::is_directory(folder_, ec) || !fs::is_empty(folder_, ec)))
    throw Error("--capture", folder_ + " is not empty", "a new folder");
  fs::create_directories(folder_, ec);
  if (!std::ofstream(marker_of(folder_))) throw Error("--capture", folder_ + " cannot be written to");
}

CaptureFolder::~CaptureFolder() {
  if (folder_.empty()) return;
  std::error_code ec;
  fs::remove(marker_of(folder_), ec);
  if (fs::is_empty(folder_, ec)) fs::remove(folder_, ec);
}

void CaptureFolder::finish(const ProgramEnd& end) {
  if (folder_.empty() || end.launches.empty()) return;
  std::string text = launch::kCaptureColumns;
  for (const LaunchRow& row : end.launches)
    if (!row.captured.empty())
      text += fmt::format("{},{},{},{},{},{},{},{}\n",
                          output::csv_field(fs::path(row.captured).lexically_relative(folder_).string()),
                          row.launch, output::csv_field(row.kernel), text_of_extents(row.grid),
                          text_of_extents(row.block), row.instructions,
                          row.represents ? std::to_string(row.represents) : "",
                          launch::hash_of_file(row.captured + "/launch.json"));
  launch::write_text(folder_ + "/" + launch::kCaptureTable, text);
}

}  // namespace heddle::program
