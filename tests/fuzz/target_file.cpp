#include "tests/fuzz/target_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

namespace heddle::fuzz {
namespace {

std::string temporary(const std::string& ending) {
  return (std::filesystem::temp_directory_path() / ("heddle-fuzz-" + std::to_string(::getpid()) + ending))
      .string();
}

}  // namespace

TargetFolder::TargetFolder() : path_(temporary("-folder")) { std::filesystem::create_directories(path_); }
TargetFolder::TargetFolder(TargetFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
TargetFolder::~TargetFolder() {
  std::error_code ec;
  if (!path_.empty()) std::filesystem::remove_all(path_, ec);
}

TargetFile::TargetFile(const std::string& content, std::string path)
    : path_(path.empty() ? temporary("") : std::move(path)) {
  std::ofstream(path_, std::ios::binary) << content;
}
TargetFile::~TargetFile() {
  std::error_code ec;
  std::filesystem::remove(path_, ec);
}

}  // namespace heddle::fuzz
