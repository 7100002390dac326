#include "testbench/launch/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "models/core/error.h"
#include "testbench/launch/npy.h"

namespace heddle::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part";

std::string host_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return host.data();
}

[[noreturn]] void fail(const std::string& path, int reason) {
  throw Error(path, fmt::format("cannot write this file: {}", std::generic_category().message(reason)));
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)), target_(path_) {
  std::error_code ec;
  if (fs::is_symlink(path_, ec)) {
    const fs::path target = fs::weakly_canonical(path_, ec);
    if (!ec) target_ = target.string();
  }
  const bool special = fs::exists(target_, ec) && !fs::is_regular_file(target_, ec);
  part_ = special ? target_ : part_of(target_);
  constexpr mode_t kReadableByAll = 0666;
  // Without O_NONBLOCK, opening a pipe would block until the pipe has a reader.
  const int waits = special ? O_NONBLOCK : 0;
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | waits, kReadableByAll);
  if (descriptor_ < 0 && errno == ENXIO && fs::is_fifo(target_, ec))
    throw Error(path_, "is a pipe that no program reads", "a file");
  if (descriptor_ < 0) fail(path_, errno);
  if (special) ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  std::error_code ec;
  if (!committed_ && part_ != target_) fs::remove(part_, ec);
}

void NewFile::write(std::string_view text) {
  constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  if (hash_) hash_ = fnv1a64(text, *hash_);
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  if (text.size() < kBufferBytes) {
    buffer_ += text;
  } else {
    write_all(text);
  }
}

void NewFile::write_all(std::string_view text) {
  while (!text.empty() && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      failure_ = errno;
  }
}

void NewFile::flush() {
  write_all(buffer_);
  buffer_.clear();
}

void NewFile::finish() {
  if (descriptor_ >= 0) {
    flush();
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0 && failure_ == 0) failure_ = errno;
  }
  if (failure_ != 0) fail(path_, failure_);
}

void NewFile::commit() {
  finish();
  committed_ = true;
  if (part_ == target_) return;
  std::error_code ec;
  fs::rename(part_, target_, ec);
  if (ec) fail(path_, ec.value());
}

// Returns a temporary name. The name contains host and process number, so the name is unique even in a folder
// that several machines share.
std::string NewFile::part_of(const std::string& name) {
  return fmt::format("{}.{}-{}{}", name, host_name(), ::getpid(), kPart);
}

bool NewFile::is_part_of(const std::string& part, const std::string& name) {
  return part.size() > name.size() + 1 + kPart.size() && part.starts_with(name + ".") &&
         part.ends_with(kPart);
}

bool NewFile::is_left_over(const std::string& part) {
  if (!part.ends_with(kPart)) return false;
  const std::size_t end = part.size() - kPart.size(), dash = part.rfind('-', end);
  const std::string machine = "." + host_name();
  if (dash == std::string::npos || !part.substr(0, dash).ends_with(machine)) return false;
  pid_t process = 0;
  const auto read = std::from_chars(part.data() + dash + 1, part.data() + end, process);
  return read.ec == std::errc{} && read.ptr == part.data() + end && process > 0 && ::kill(process, 0) != 0 &&
         errno == ESRCH;
}

void remove_unless_file(const std::string& path) {
  std::error_code ec;
  if (!fs::is_regular_file(fs::symlink_status(path, ec))) fs::remove_all(path, ec);
}

void remove_left_over(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const std::string name = fs::path(path).filename().string();
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ec)) {
    const std::string part = entry.path().filename().string();
    std::error_code failed;
    if (NewFile::is_part_of(part, name) && NewFile::is_left_over(part)) fs::remove(entry.path(), failed);
  }
}

void write_text(const std::string& path, const std::string& text) {
  NewFile file(path);
  file.write(text);
  file.commit();
}

void write_named(const std::string& path, const std::string& text) {
  remove_left_over(path);
  write_text(path, text);
}

std::uint64_t fnv1a64(std::string_view text, std::uint64_t before) {
  std::uint64_t hash = before;
#pragma GCC unroll 8
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return hash;
}

std::string hash_digits(std::uint64_t hash) { return fmt::format("{:016x}", hash); }
std::string hash_of_text(std::string_view text) { return hash_digits(fnv1a64(text)); }

std::string hash_of_file(const std::string& path) { return hash_of_text(launch::read_binary(path)); }

void check_overwrites_no_input(const std::vector<std::string>& outputs,
                               const std::vector<std::string>& inputs, const std::string& option) {
  for (const std::string& output : outputs) {
    std::error_code ec;
    if (!fs::exists(output, ec)) continue;
    for (const std::string& input : inputs)
      if (fs::equivalent(output, input, ec))
        throw Error(option, fmt::format("{} would be written over the input {}", output, input),
                    "another folder or name");
  }
}

}  // namespace heddle::launch
