#include "testbench/run/out_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "models/core/config_node.h"
#include "models/core/error.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".heddle";
constexpr int kListFormat = 1;

std::string reason(int number) { return std::generic_category().message(number); }

bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '.' && fs::path(name).filename() == name &&
         name.find('\0') == std::string::npos;
}

/// Reads the list "files" of a ".heddle" or result.json file. Returns false if the file has no such list.
bool read_files(const std::string& path, std::set<std::string>& names) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec) || fs::is_empty(path, ec)) return false;
  ConfigNode tree;
  try {
    tree = parse_config_file(path);
  } catch (const Error&) {
    return false;
  }
  const ConfigNode* files = tree.is_object() && tree.find("format") ? tree.find("files") : nullptr;
  if (!files || !files->is_array()) return false;
  for (const ConfigNode& file : files->items)
    if (is_plain(file.text)) names.insert(file.text);
  return true;
}

}  // namespace

OutFolder::OutFolder(std::string path) : path_(std::move(path)) {
  std::error_code ec;
  fs::create_directories(path_, ec);
  if (ec) throw Error(path_, "cannot make the output folder: " + ec.message());
  if (::access(path_.c_str(), W_OK | X_OK) != 0)
    throw Error(path_, "the output folder cannot be written to: " + reason(errno));
  claim();
  read_list();
  remove_parts(ours_);
}

OutFolder::~OutFolder() {
  files_.clear();
  if (lock_ < 0) return;
  struct stat opened {};
  if (::fstat(lock_, &opened) == 0 && opened.st_size == 0) ::unlink(path_of(kList).c_str());
  ::close(lock_);
}

// Locks the folder until the process ends. On file systems without locks (some clusters), the folder stays
// unlocked.
void OutFolder::claim() {
  const std::string list = path_of(kList);
  for (;;) {
    constexpr mode_t kReadableByAll = 0666;
    lock_ = ::open(list.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kReadableByAll);
    if (lock_ < 0) throw Error(list, "cannot be opened: " + reason(errno), "a file that Heddle makes itself");
    const bool taken = ::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    // Another process may have removed the file between open() and flock(); if so, try again.
    struct stat opened {
    }, named{};
    const bool same = ::fstat(lock_, &opened) == 0 && ::stat(list.c_str(), &named) == 0 &&
                      opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
    if (same && !taken) return;
    ::close(std::exchange(lock_, -1));
    if (taken)
      throw Error(path_, "another run is writing into this folder", "another folder, or wait for its end");
  }
}

void OutFolder::read_list() {
  if (read_files(path_of(kList), ours_)) return;
  if (read_files(path_of("result.json"), ours_)) ours_.insert("result.json");
}

// Overwrite the file in place, because the folder's lock is a lock of this file. If the process is killed
// meanwhile, the list is incomplete, and read_list() rejects it.
void OutFolder::write_list(const std::set<std::string>& names) const {
  ConfigNode files = ConfigNode::make_list();
  for (const std::string& name : names) files.items.push_back(ConfigNode::make_string(name));
  ConfigNode list = ConfigNode::make_object();
  list.members = {{"format", ConfigNode::make_integer(kListFormat)}, {"files", std::move(files)}};
  const std::string text = to_json(list);
  const ssize_t written = ::pwrite(lock_, text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size()) || ::ftruncate(lock_, written) != 0)
    throw Error(path_of(kList), "cannot write this file: " + reason(errno));
}

void OutFolder::remove_parts(const std::set<std::string>& names) const {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(path_, ec)) {
    const std::string file = entry.path().filename().string();
    if (launch::NewFile::is_left_over(file) ||
        std::any_of(names.begin(), names.end(),
                    [&file](const std::string& name) { return launch::NewFile::is_part_of(file, name); }))
      fs::remove(entry.path(), ec);
  }
}

void OutFolder::expect(const std::vector<std::string>& names, const std::vector<std::string>& inputs,
                       const std::string& option) {
  inputs_ = inputs;
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(path_of(name));
  launch::check_overwrites_no_input(paths, inputs, option);
  for (const std::string& name : names) {
    std::error_code ec;
    const fs::file_status status = fs::symlink_status(path_of(name), ec);
    if (!fs::exists(status) || (ours_.count(name) && fs::is_regular_file(status))) continue;
    throw Error(option, fmt::format("{} would be written over, and no run of Heddle wrote it", path_of(name)),
                "another folder, or remove this file");
  }
  remove_parts({names.begin(), names.end()});
}

launch::NewFile& OutFolder::add(const std::string& name) {
  files_.emplace_back(name, std::make_unique<launch::NewFile>(path_of(name)));
  return *files_.back().second;
}

launch::NewFile& OutFolder::add_table(const std::string& name) {
  launch::NewFile& file = add(name);
  file.begin_hash();
  return file;
}

std::vector<std::pair<std::string, std::string>> OutFolder::tables() const {
  std::vector<std::pair<std::string, std::string>> tables;
  for (const auto& [name, file] : files_)
    if (file->hash()) tables.emplace_back(name, launch::hash_digits(*file->hash()));
  return tables;
}

std::vector<std::string> OutFolder::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

void OutFolder::keep_only(const std::string& name) {
  std::erase_if(files_, [&name](const auto& file) { return file.first != name; });
}

bool OutFolder::is_input(const std::string& file) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [&file](const std::string& input) {
    std::error_code ec;
    return fs::equivalent(input, file, ec);
  });
}

void OutFolder::commit() {
  for (const auto& [name, file] : files_) file->finish();
  std::set<std::string> both = ours_, now;
  for (const auto& [name, file] : files_) now.insert(name);
  both.insert(now.begin(), now.end());
  // List old and new files, so that the list is complete even if the process is killed before commit() has
  // ended.
  write_list(both);
  for (const std::string& name : ours_) {
    std::error_code ec;
    const std::string file = path_of(name);
    if (now.count(name) || !fs::is_regular_file(fs::symlink_status(file, ec))) continue;
    if (is_input(file))
      now.insert(name);
    else
      fs::remove(file, ec);
  }
  for (const auto& [name, file] : files_) file->commit();
  files_.clear();
  write_list(now);
  ours_ = std::move(now);
}

void OutFolder::check_name(const std::string& name, const std::string& where) {
  if (!is_plain(name))
    throw Error(where, fmt::format("\"{}\" is no file of the output folder", name),
                "a name without folders and without a dot at its beginning");
}

}  // namespace heddle::run
