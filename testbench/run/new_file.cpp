#include "testbench/run/new_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "models/core/error.h"
#include "testbench/launch/npy.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

// Of this process on a folder that several machines share.
std::string own_suffix() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format(".{}-{}.part", host.data(), ::getpid());
}

}  // namespace

NewFile::NewFile(std::string path) : path_(std::move(path)), target_(path_) {
  std::error_code ec;
  if (fs::is_symlink(path_, ec)) {
    const fs::path target = fs::weakly_canonical(path_, ec);
    if (!ec) target_ = target.string();
  }
  const bool special = fs::exists(target_, ec) && !fs::is_regular_file(target_, ec);
  part_ = special ? target_ : target_ + own_suffix();
}

NewFile::~NewFile() {
  std::error_code ec;
  if (!committed_ && part_ != target_) fs::remove(part_, ec);
}

void NewFile::commit() {
  committed_ = true;
  if (part_ == target_) return;
  std::error_code ec;
  fs::rename(part_, target_, ec);
  if (ec) throw Error(path_, "cannot write this file: " + ec.message());
}

void write_text(const std::string& path, const std::string& text) {
  NewFile file(path);
  std::ofstream out(file.part(), std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Error(path, "cannot write this file");
  file.commit();
}

std::uint64_t fnv1a64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3;
  return hash;
}

std::string hash_of_text(std::string_view text) { return fmt::format("{:016x}", fnv1a64(text)); }

std::string hash_of_file(const std::string& path) {
  const std::vector<std::uint8_t> bytes = launch::read_bytes(path);
  return hash_of_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

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

}  // namespace heddle::run
