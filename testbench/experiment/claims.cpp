#include "testbench/experiment/claims.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return host.data();
}

std::string first_line(const std::string& file) {
  std::string line;
  if (std::error_code ec; !fs::is_regular_file(file, ec)) return line;
  std::ifstream in(file);
  std::getline(in, line);
  return line;
}

bool is_file_of_ours(std::string_view stem) {
  for (const std::string_view ending :
       {".json.", ".csv.", ".sqlite.", ".md.", ".html.", ".gp.", ".sh.", ".untimed."})
    if (stem.find(ending) != std::string_view::npos) return true;
  return false;
}

}  // namespace

Claims::Claims(std::string folder)
    : folder_(std::move(folder)), host_(host_name()), owner_(fmt::format("{} {}", host_, ::getpid())) {}

// Creates the file that claims a run for this process. The file is written under another name and then
// linked, so it appears together with its contents. Only one process succeeds, also on network file systems.
bool Claims::take(const std::string& point) const {
  const std::string file = file_of(point), own = fmt::format("{}.{}-{}", file, host_, ::getpid());
  std::ofstream(own) << owner_ << "\n";
  if (!fs::exists(own)) throw Error(own, "cannot write this file");
  bool taken = ::link(own.c_str(), file.c_str()) == 0;
  if (!taken && errno != EEXIST) {
    const std::string reason = std::strerror(errno);
    ::unlink(own.c_str());
    throw Error(file, "cannot write this file: " + reason);
  }
  if (!taken && is_stale(file) && move_stale_away(file)) taken = ::link(own.c_str(), file.c_str()) == 0;
  ::unlink(own.c_str());
  return taken;
}

// Removes the file by which an ended process has claimed a run. If several processes call this function at
// the same time, the rename succeeds in only one of them, and only this process returns true.
bool Claims::move_stale_away(const std::string& file) const {
  const std::string grave = fmt::format("{}.{}-{}.stale", file, host_, ::getpid());
  if (::rename(file.c_str(), grave.c_str()) != 0) return false;
  ::unlink(grave.c_str());
  return true;
}

void Claims::remove_left(const std::function<bool(const std::string& point)>& has_result) const {
  constexpr std::string_view kClaim = ".claim";
  std::error_code ec;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder_, ec))
    if (entry.path().extension() == kClaim) left.push_back(entry.path());
  for (const fs::path& file : left)
    if (has_result(file.stem().string()))
      ::unlink(file.c_str());
    else if (is_stale(file.string()))
      move_stale_away(file.string());
}

bool Claims::is_gone(long process) const {
  return process <= 0 || (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH);
}

// Returns the age of a file. The clock of the file system may be another machine's clock, so the function
// creates a file to read the current time of this clock. A file dated in the future has a negative age.
long Claims::seconds_since(const std::string& file, long otherwise) const {
  const std::string now = fmt::format("{}.{}-{}.now", file, host_, ::getpid());
  std::ofstream(now) << "\n";
  struct stat then {
  }, present{};
  const bool known = ::stat(file.c_str(), &then) == 0 && ::stat(now.c_str(), &present) == 0;
  ::unlink(now.c_str());
  return known ? static_cast<long>(present.st_mtime - then.st_mtime) : otherwise;
}

bool Claims::is_stale(const std::string& file) const {
  const std::string owner = first_line(file);
  const std::size_t blank = owner.find(' ');
  if (blank != std::string::npos && owner.substr(0, blank) == host_ &&
      is_gone(std::strtol(owner.c_str() + blank + 1, nullptr, 10)))
    return true;
  return std::labs(seconds_since(file, 0)) > kStaleSeconds;
}

// Returns true for a file that an ended process has left. Its name ends in ".HOST-PROCESS", possibly followed
// by ".part", ".stale" or ".now" (unfinished files).
bool Claims::is_left_over(const std::string& folder, const std::string& name) const {
  if (launch::NewFile::is_left_over(name)) return true;
  std::string_view stem = name;
  bool marked = false;
  for (const std::string_view ending : {".part", ".stale", ".now"})
    if (stem.ends_with(ending)) {
      stem.remove_suffix(ending.size());
      marked = true;
    }
  const auto has = [&stem](std::string_view part) { return stem.find(part) != std::string_view::npos; };
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos || !(has(".claim.") || (marked && is_file_of_ours(stem)))) return false;
  const std::string process(stem.substr(dash + 1));
  if (process.empty() || process.find_first_not_of("0123456789") != std::string::npos) return false;
  const long id = std::strtol(process.c_str(), nullptr, 10);
  if (stem.substr(0, dash).ends_with("." + host_)) return is_gone(id);
  const std::string point(stem.substr(0, stem.find('.')));
  const bool idle = folder != folder_ || is_free(point);
  return idle && seconds_since(folder + "/" + name, 0) > kStaleSeconds;
}

void Claims::clean(const std::string& folder) const {
  std::error_code ec;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(folder, ec))
    if (is_left_over(folder, entry.path().filename().string())) left.push_back(entry.path());
  for (const fs::path& file : left) fs::remove(file, ec);
}

void Claims::renew(const std::string& point) const {
  if (is_ours(point)) ::utimensat(AT_FDCWD, file_of(point).c_str(), nullptr, 0);
}

bool Claims::is_free(const std::string& point) const {
  const std::string file = file_of(point);
  return !fs::exists(file) || is_stale(file);
}

std::string Claims::owner_of(const std::string& point) const { return first_line(file_of(point)); }

bool Claims::is_ours(const std::string& point) const { return first_line(file_of(point)) == owner_; }

void Claims::release(const std::string& point) const {
  if (is_ours(point)) ::unlink(file_of(point).c_str());
}

}  // namespace heddle::experiment
