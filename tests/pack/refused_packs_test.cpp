// Heddle must refuse incorrect pack files with a message of one line, and must write nothing outside of the
// output folder. The tests run a program whose readers are compiled with sanitizers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "testbench/launch/new_file.h"
#include "testbench/pack/pack_list.h"
#include "tests/cli/program.h"
#include "tests/pack/archive_maker.h"

namespace heddle::test {
namespace {

using pack::PackedFile;
using pack::PackList;
using testing::HasSubstr;
using MemberKind = ArchiveMember::Kind;

PackedFile listed(const std::string& name, const std::string& text) {
  return {name, text.size(), launch::hash_of_text(text)};
}

PackList list_of(const std::vector<PackedFile>& files) {
  PackList list;
  list.result = "run/result.json";
  list.heddle = "0.1.0";
  list.files = files;
  return list;
}

std::vector<ArchiveMember> members_of(const PackList& list) {
  return {{"pack.json", pack::list_text(list)}, {"run/result.json", "{}"}};
}

class RefusedPacks : public testing::Test {
 protected:
  void expect_refused(const std::vector<ArchiveMember>& members, const std::string& text) {
    expect_refused(archive_of(members), text);
  }
  void expect_refused(const std::string& bytes, const std::string& text) {
    folder_.write("p.heddle", bytes);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"unpack", "p.heddle", "--out", "into"}, {"rerun", "p.heddle"}}) {
      const ProgramResult result = run_program(command, folder_.path(), 0, sanitized_program_path());
      EXPECT_EQ(result.status, 1) << text;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, HasSubstr("error: p.heddle: "));
      EXPECT_THAT(result.err, HasSubstr(text));
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
      EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/../climbed"));
    }
    std::filesystem::remove_all(folder_.path() + "/into");
  }

  Folder folder_;
  const PackedFile file_ = listed("run/result.json", "{}");
};

TEST_F(RefusedPacks, FilesThatAreNone) {
  expect_refused(std::string("hello"), "this is no pack of Heddle (allowed: a file of heddle pack)");
  // The end of this pack is missing. The pack is large, so the reader has already read a part of it before
  // the reader reaches the missing end.
  std::string numbers;
  for (int i = 0; i < 100000; ++i) numbers += std::to_string(i * i % 9973);
  std::vector<ArchiveMember> members = members_of(list_of({file_, listed("run/numbers", numbers)}));
  members.push_back({"run/numbers", numbers});
  const std::string whole = archive_of(members);
  expect_refused(whole.substr(0, whole.size() - 100), "the pack is damaged: ");
  expect_refused({{"run/result.json", "{}"}}, "the pack does not begin with its list pack.json");
  EXPECT_THAT(run_program({"rerun", "none.heddle"}, folder_.path()).err,
              HasSubstr("none.heddle: there is no such file"));
}

TEST_F(RefusedPacks, PathsThatLeaveThePack) {
  for (const char* path :
       {"../climbed", "run/../../climbed", "/tmp/climbed", "run/./a", "run//a", "a\\b", "run/"})
    expect_refused(members_of(list_of({file_, listed(path, "x")})),
                   "leads out of the pack (allowed: relative paths");
  PackList list = list_of({file_});
  list.result = "../climbed";
  expect_refused(members_of(list), "the path \"../climbed\" leads out of the pack");
  std::vector<ArchiveMember> members = members_of(list_of({file_}));
  members.push_back({"../climbed", "x"});
  expect_refused(members, "the list of the pack does not name its file \"../climbed\"");
}

TEST_F(RefusedPacks, LinksAndFolders) {
  const PackList list = list_of({file_, listed("run/a", "")});
  for (const MemberKind kind : {MemberKind::symbolic_link, MemberKind::hard_link, MemberKind::folder}) {
    std::vector<ArchiveMember> members = members_of(list);
    members.push_back({"run/a", kind == MemberKind::hard_link ? "run/result.json" : "/etc/passwd", kind});
    expect_refused(
        members, kind == MemberKind::folder ? "run/a" : "run/a is a link, folder or device (allowed: files)");
  }
}

TEST_F(RefusedPacks, WrongSealsAndFormats) {
  std::vector<ArchiveMember> members = members_of(list_of({file_}));
  const std::string text = members[0].text;
  members[0].text.replace(members[0].text.find("\"bytes\": 2"), 10, "\"bytes\": 3");
  expect_refused(members, "the list of the pack: not as it was written");
  members[0].text = text;
  members[0].text.replace(members[0].text.find("\"pack_format\": 1"), 16, "\"pack_format\": 2");
  expect_refused(members, "the list of the pack: a pack of format 2, and this program reads format 1");
  members[0].text = "{}";
  expect_refused(members, "the list of the pack: not as it was written");
  // The list of the pack has a correct hash, but its key does not fit the listed files.
  members[0].text = text;
  const std::string key = pack::key_of(list_of({file_}));
  const std::size_t content = text.find("\"identity\"") - 2;
  std::string rest = "{\n" + text.substr(content);
  rest.replace(rest.find(key), key.size(), std::string(key.size(), '0'));
  const std::size_t seal = text.find("content_fnv1a64") + 19;
  members[0].text = text.substr(0, seal) + launch::hash_of_text(rest) +
                    text.substr(seal + 16, content - seal - 16) + rest.substr(2);
  expect_refused(members, "its key is that of other files");
}

TEST_F(RefusedPacks, FilesThatAreNotAsListed) {
  std::vector<ArchiveMember> members = members_of(list_of({file_}));
  members[1].text = "[]";
  expect_refused(members, "run/result.json is not as it was packed: its hash is not that of the list");
  members[1].text = std::string(1 << 20, '0');
  expect_refused(members, "run/result.json has 1048576 bytes, and 2 in the list of the pack");
  members[1].text = "{}";
  members.push_back(members[1]);
  expect_refused(members, "the pack holds run/result.json twice");
  members.pop_back();
  members.pop_back();
  expect_refused(members, "the pack lacks run/result.json, which its list names");
  expect_refused(members_of(list_of({file_, file_})), "the list of the pack names run/result.json twice");
}

TEST_F(RefusedPacks, SizesBeyondTheDisk) {
  PackedFile large = listed("run/large", "");
  large.bytes = std::uint64_t{1} << 60;
  expect_refused(members_of(list_of({file_, large, {"run/larger", large.bytes, large.hash}})),
                 "its files do not fit on the disk of");
  expect_refused({{"pack.json", std::string((std::size_t{64} << 20) + 1, ' ')}},
                 "the list of the pack has 67108865 bytes (allowed: at most 67108864)");
}

TEST_F(RefusedPacks, ResultsThatReadOtherFiles) {
  const auto pack_with = [](const std::string& file) {
    const std::string text = R"({"configuration": {"launch": ")" + file + R"("}, "inputs": [{"file": ")" +
                             file + R"(", "fnv1a64": "0"}]})";
    const PackList list = list_of({listed("run/result.json", text)});
    return std::vector<ArchiveMember>{{"pack.json", pack::list_text(list)}, {"run/result.json", text}};
  };
  folder_.write("p.heddle", archive_of(pack_with("../../../../../../etc/passwd")));
  const ProgramResult climbing = run_program({"rerun", "p.heddle"}, folder_.path());
  EXPECT_EQ(climbing.status, 1);
  EXPECT_THAT(climbing.err, HasSubstr("p.heddle: the pack does not hold /"));
  folder_.write("p.heddle", archive_of(pack_with("/etc/passwd")));
  EXPECT_THAT(run_program({"rerun", "p.heddle"}, folder_.path()).err,
              HasSubstr("p.heddle: the pack does not hold /etc/passwd, which its run reads"));
  const std::string text = R"({"configuration": {"watch": {"untimed_store": "../store"}}, "inputs": []})";
  const PackList list = list_of({listed("run/result.json", text)});
  folder_.write("p.heddle", archive_of({{"pack.json", pack::list_text(list)}, {"run/result.json", text}}));
  EXPECT_THAT(run_program({"rerun", "p.heddle"}, folder_.path()).err,
              HasSubstr("p.heddle: its run would write into ../store"));
}

}  // namespace
}  // namespace heddle::test
