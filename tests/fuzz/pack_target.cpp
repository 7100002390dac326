#include "tests/fuzz/pack_target.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "testbench/launch/new_file.h"
#include "testbench/pack/archive.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/pack/pack_list.h"
#include "tests/fuzz/stored_targets.h"
#include "tests/fuzz/target_file.h"

namespace heddle::fuzz {
namespace {

constexpr std::string_view kMemberEnd = "\n==\n";

bool unpacks(const std::string& archive) {
  static const TargetFolder folder;
  const std::string unpacked = folder.path() + "/unpacked";
  std::error_code ec;
  std::filesystem::remove_all(unpacked, ec);
  return takes([&] { pack::unpack(archive, unpacked); });
}

std::vector<pack::Entry> members_of(std::string_view text) {
  std::vector<pack::Entry> members;
  while (!text.empty()) {
    const std::string_view member = text.substr(0, text.find(kMemberEnd));
    text.remove_prefix(std::min(member.size() + kMemberEnd.size(), text.size()));
    const std::size_t line = std::min(member.find('\n'), member.size());
    members.push_back({std::string(member.substr(0, line)), "",
                       std::string(member.substr(std::min(line + 1, member.size())))});
  }
  return members;
}

bool unpacks_members(const std::string& text) {
  const std::vector<pack::Entry> members = members_of(text);
  if (members.empty()) return false;
  pack::PackList list;
  list.result = members.front().name;
  list.heddle = "fuzz";
  for (const pack::Entry& member : members)
    list.files.push_back({member.name, member.text.size(), launch::hash_of_text(member.text)});
  const TargetFile file("");
  return takes([&] {
    pack::write_archive(file.path(), list, members);
    if (!unpacks(file.path())) throw Error(file.path(), "refused");
  });
}

}  // namespace

bool read_pack(const std::string& text) {
  const TargetFile file(text);
  if (unpacks(file.path())) return true;
  if (!text.starts_with('{')) return unpacks_members(text);
  return takes([&] { pack::read_list(resealed(text), "fuzz.heddle"); });
}

std::string pack_seed() {
  const std::string end(kMemberEnd);
  return "run/result.json\n{}" + end + "inputs/launch.json\n{\"steps\": []}" + end +
         "inputs/kernel.ptx\n.version 6.0\n";
}

}  // namespace heddle::fuzz
