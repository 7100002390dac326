#include "testbench/pack/opened_pack.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"
#include "testbench/pack/archive.h"

namespace heddle::pack {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostListBytes = std::uint64_t{64} << 20;
constexpr const char* kEnding = ".heddle";

std::string read_text(ArchiveReader& archive, std::uint64_t most) {
  std::string text;
  archive.read([&](std::string_view piece) {
    text += piece;
    return text.size() <= most;
  });
  return text;
}

PackList read_first(ArchiveReader& archive, const std::string& pack, std::string& text) {
  ArchiveReader::Member member;
  if (!archive.next(member) || member.name != kListName || !member.is_file)
    throw Error(pack, fmt::format("the pack does not begin with its list {}", kListName),
                "a file of heddle pack");
  if (member.bytes > kMostListBytes)
    throw Error(pack, fmt::format("the list of the pack has {} bytes", member.bytes),
                fmt::format("at most {}", kMostListBytes));
  text = read_text(archive, kMostListBytes);
  return read_list(text, pack);
}

void check_room(const PackList& list, const std::string& pack, const std::string& folder) {
  std::error_code ec;
  const std::uint64_t free = fs::space(folder, ec).available;
  std::uint64_t left = free;
  for (const PackedFile& file : list.files) {
    if (!ec && file.bytes > left)
      throw Error(pack,
                  fmt::format("its files do not fit on the disk of {}, with {} bytes left", folder, free));
    left -= file.bytes;
  }
}

void write_file(ArchiveReader& archive, const PackedFile& file, const std::string& pack,
                const std::string& folder) {
  const fs::path path = fs::path(folder) / file.name;
  std::error_code ec;
  fs::create_directories(path.parent_path(), ec);
  if (ec) throw Error(path.parent_path().string(), "cannot make this folder: " + ec.message());
  launch::NewFile out(path.string());
  std::uint64_t bytes = 0;
  archive.read([&](std::string_view piece) {
    bytes += piece.size();
    if (bytes > file.bytes) return false;
    out.write(piece);
    return true;
  });
  if (bytes != file.bytes)
    throw Error(pack, fmt::format("{} has {} than the {} bytes in the list of the pack", printable(file.name),
                                  bytes > file.bytes ? "more" : "fewer", file.bytes));
  out.commit();
  if (launch::hash_of_file(path.string()) != file.hash)
    throw Error(pack, fmt::format("{} is not as it was packed: its hash is not that of the list",
                                  printable(file.name)));
}

void check_member(const ArchiveReader::Member& member, const PackedFile* file, const std::string& pack) {
  const std::string name = printable(member.name);
  if (!file) throw Error(pack, fmt::format("the list of the pack does not name its file \"{}\"", name));
  if (!member.is_file) throw Error(pack, fmt::format("{} is a link, folder or device", name), "files");
  if (member.bytes != file->bytes)
    throw Error(pack, fmt::format("{} has {} bytes, and {} in the list of the pack", name, member.bytes,
                                  file->bytes));
}

// Returns the path of a marker file. The marker file exists while this process unpacks files into the folder.
std::string marker_of(const std::string& folder) { return folder + "/" + launch::NewFile::part_of("unpack"); }

// If a process was killed while it unpacked this pack into the folder, removes the files that the process
// wrote.
void clear_left_over(const PackList& list, const std::string& folder) {
  std::error_code ec;
  bool was_killed = false;
  for (const auto& entry : fs::directory_iterator(folder, ec)) {
    const std::string name = entry.path().filename().string();
    was_killed |= launch::NewFile::is_part_of(name, "unpack") && launch::NewFile::is_left_over(name);
  }
  if (!was_killed) return;
  std::vector<fs::path> left;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ec))
    if (launch::NewFile::is_left_over(entry.path().filename().string())) left.push_back(entry.path());
  for (const PackedFile& file : list.files) left.push_back(fs::path(folder) / file.name);
  left.push_back(fs::path(folder) / kListName);
  for (fs::path path : left) {
    fs::remove(path, ec);
    while ((path = path.parent_path()) != fs::path(folder) && fs::remove(path, ec)) {
    }
  }
}

void make_empty_folder(const PackList& list, const std::string& folder) {
  clear_left_over(list, folder);
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw Error(folder, "cannot make this folder: " + ec.message());
  if (!fs::is_empty(folder, ec) || ec)
    throw Error(folder, "this folder is not empty", "a new folder, or an empty one");
  launch::write_text(marker_of(folder), "");
}

}  // namespace

bool is_pack(const std::string& file) {
  if (std::error_code ec; !fs::is_regular_file(file, ec)) return file.ends_with(kEnding);
  std::ifstream in(file, std::ios::binary);
  return (in.get() == 0x1f && in.get() == 0x8b) || file.ends_with(kEnding);
}

PackList unpack(const std::string& file, const std::string& folder) {
  ArchiveReader archive(file);
  std::string text;
  PackList list = read_first(archive, file, text);
  make_empty_folder(list, folder);
  check_room(list, file, folder);
  std::map<std::string, const PackedFile*> missing;
  for (const PackedFile& one : list.files) missing[one.name] = &one;
  ArchiveReader::Member member;
  while (archive.next(member)) {
    const auto found = missing.find(member.name);
    if (found != missing.end() && !found->second)
      throw Error(file, fmt::format("the pack holds {} twice", printable(member.name)));
    const PackedFile* const listed = found == missing.end() ? nullptr : found->second;
    check_member(member, listed, file);
    write_file(archive, *listed, file, folder);
    found->second = nullptr;
  }
  for (const auto& [name, one] : missing)
    if (one) throw Error(file, fmt::format("the pack lacks {}, which its list names", printable(name)));
  launch::write_text((fs::path(folder) / kListName).string(), text);
  std::error_code ec;
  fs::remove(marker_of(folder), ec);
  return list;
}

OpenedPack::OpenedPack(std::string file)
    : file_(std::move(file)), folder_("pack"), list_(unpack(file_, folder_.path())) {}

std::string OpenedPack::shown(const std::string& text) const {
  std::string result = text;
  for (std::size_t at = 0; (at = result.find(folder_.path(), at)) != std::string::npos; at += file_.size())
    result.replace(at, folder_.path().size(), file_);
  return result;
}

}  // namespace heddle::pack
