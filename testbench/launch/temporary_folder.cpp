#include "testbench/launch/temporary_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomLetters = 6;  // number of letters that mkdtemp chooses

// Returns true for a folder of an ended process of this host. Names of folders have the form
// "heddle-exec.HOST-PROCESS.part-XXXXXX".
bool is_left_over(const fs::directory_entry& entry, const std::string& begin) {
  const std::string name = entry.path().filename().string();
  struct stat found {};
  return name.starts_with(begin) && name.size() > begin.size() + kRandomLetters + 1 &&
         NewFile::is_left_over(name.substr(0, name.size() - kRandomLetters - 1)) &&
         ::lstat(entry.path().c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid();
}

void remove_left_over(const fs::path& in, const std::string& begin) {
  std::vector<fs::path> left;
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(in, ec))
    if (is_left_over(entry, begin)) left.push_back(entry.path());
  for (const fs::path& folder : left) fs::remove_all(folder, ec);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& kind) {
  const char* const set = std::getenv("TMPDIR");
  const fs::path in = set && *set ? set : "/tmp";
  const std::string name = "heddle-" + kind;
  remove_left_over(in, name + ".");
  path_ = (in / NewFile::part_of(name)).string() + "-XXXXXX";
  if (!::mkdtemp(path_.data()))
    throw Error(set && *set ? fmt::format("TMPDIR ({})", set) : in.string(),
                "cannot make a temporary folder: " + std::generic_category().message(errno),
                "TMPDIR names a folder that can be written to");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ec;
  fs::remove_all(path_, ec);
}

}  // namespace heddle::launch
