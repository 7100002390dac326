#include "testbench/experiment/claims.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return host.data();
}

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

Claims::Claims(std::string folder)
    : folder_(std::move(folder)), host_(host_name()), owner_(fmt::format("{} {}", host_, ::getpid())) {}

// The claim is complete when it appears: a link, unlike an open file, cannot be seen half written, and there
// is one winner on network file systems, too.
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
  if (!taken && is_stale(file)) {
    // Only one of those who see it moves it away.
    const std::string grave = own + ".stale";
    if (::rename(file.c_str(), grave.c_str()) == 0) {
      ::unlink(grave.c_str());
      taken = ::link(own.c_str(), file.c_str()) == 0;
    }
  }
  ::unlink(own.c_str());
  return taken;
}

bool Claims::is_stale(const std::string& file) const {
  const std::string owner = first_line(file);
  const std::size_t blank = owner.find(' ');
  if (blank != std::string::npos && owner.substr(0, blank) == host_) {
    const long process = std::strtol(owner.c_str() + blank + 1, nullptr, 10);
    if (process <= 0 || (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH)) return true;
  }
  // By the clock of the file system, which may be another machine's.
  const std::string now = fmt::format("{}.{}-{}.now", file, host_, ::getpid());
  std::ofstream(now) << "\n";
  struct stat claimed {
  }, present{};
  const bool known = ::stat(file.c_str(), &claimed) == 0 && ::stat(now.c_str(), &present) == 0;
  ::unlink(now.c_str());
  return known && present.st_mtime - claimed.st_mtime > kStaleSeconds;
}

void Claims::renew(const std::string& point) const {
  if (is_ours(point)) ::utimensat(AT_FDCWD, file_of(point).c_str(), nullptr, 0);
}

bool Claims::is_free(const std::string& point) const {
  const std::string file = file_of(point);
  return !fs::exists(file) || is_stale(file);
}

bool Claims::is_ours(const std::string& point) const { return first_line(file_of(point)) == owner_; }

void Claims::release(const std::string& point) const {
  if (is_ours(point)) ::unlink(file_of(point).c_str());
}

}  // namespace heddle::experiment
