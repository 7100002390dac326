#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/core/error.h"
#include "testbench/launch/launch_format.h"

namespace heddle::launch {
namespace {

using ::testing::HasSubstr;

TEST(LaunchReader, ReadsTheMaximalExample) {
  const LaunchFile file = read_launch_file("docs/formats/launch-maximal.json");
  EXPECT_EQ(file.ptx, (std::vector<std::string>{"docs/formats/kernel.ptx", "docs/formats/more.ptx"}));
  EXPECT_EQ(file.buffers.size(), 11u);
  EXPECT_EQ(file.symbols.size(), 8u);
  EXPECT_EQ(file.textures.size(), 3u);
  ASSERT_EQ(file.steps.size(), 10u);
  EXPECT_EQ(file.steps[0].arguments.size(), 16u);
  EXPECT_EQ(file.steps[1].body.size(), 2u);
  EXPECT_EQ(file.steps[9].parameters->size(), 8u);
  EXPECT_EQ(*file.buffers[10].address, 8589938688u);
  EXPECT_EQ(file.buffers[10].source.pages.runs.size(), 2u);
  EXPECT_EQ(file.buffers[10].expected->bytes, 12000u);
  EXPECT_EQ(file.variables_at.constant, 83886080u);
  EXPECT_EQ(file.outputs.size(), 3u);
  EXPECT_TRUE(file.outputs[0].compare.exact);
  EXPECT_EQ(file.outputs[1].compare.relative, 1e-5);
  EXPECT_EQ(file.outputs[0].with_source->relative, 1e-6);
  EXPECT_TRUE(file.depends_on.time && file.depends_on.placement && file.depends_on.cta_order);
}

void collect_properties(const ConfigNode& schema, std::set<std::string>& keys) {
  if (const ConfigNode* properties = schema.find("properties"))
    for (const auto& [key, member] : properties->members) keys.insert(key);
  for (const auto& [key, member] : schema.members) collect_properties(member, keys);
  for (const auto& item : schema.items) collect_properties(item, keys);
}

void collect_keys(const ConfigNode& node, std::set<std::string>& keys) {
  for (const auto& [key, member] : node.members) {
    keys.insert(key);
    collect_keys(member, keys);
  }
  for (const auto& item : node.items) collect_keys(item, keys);
}

TEST(LaunchReader, TheMaximalExampleUsesEveryKeyOfTheSchema) {
  std::set<std::string> known, used;
  collect_properties(parse_config_file("docs/formats/launch.schema.json"), known);
  collect_keys(parse_config_file("docs/formats/launch-maximal.json"), used);
  EXPECT_GT(known.size(), 40u);
  for (const auto& key : known) EXPECT_EQ(used.count(key), 1u) << key;
}

constexpr const char* kGood = R"({
  "ptx": "k.ptx", "values": {"n": 8},
  "buffers": {"a": {"type": "f32", "count": "n"}, "b": {"type": "u32", "count": 4}},
  "steps": [{"kernel": "k", "grid": 1, "block": 32, "args": [{"buffer": "a"}]}]
})";

TEST(LaunchReader, WithoutOutputsEveryBufferIsOne) {
  const LaunchFile file = read_launch_text(kGood, "dir/x.json");
  ASSERT_EQ(file.outputs.size(), 2u);
  EXPECT_EQ(file.outputs[1].buffer, "b");
  EXPECT_EQ(file.ptx, std::vector<std::string>{"dir/k.ptx"});
}

struct Bad {
  const char* replace;
  const char* by;
  const char* message;
};

class BadFiles : public ::testing::TestWithParam<Bad> {};

TEST_P(BadFiles, AreRefusedWithLineAndKey) {
  std::string text = kGood;
  const auto at = text.find(GetParam().replace);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().replace).size(), GetParam().by);
  try {
    read_launch_text(text, "x.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

const Bad kBad[] = {
    {"\"count\": 4}", "\"count\": 4, \"pages\": [[0, 1]], \"address\": 4096, \"hash\": \"0\"}",
     "names no file of \"pages\""},
    {"\"count\": 4}", "\"count\": 4, \"hash\": \"0\"}", "of a buffer that was not captured"},
    {"\"args\": [", "\"parameters\": \"00\", \"args\": [", "both \"args\" and \"parameters\""},
    {"\"ptx\": \"k.ptx\", ", "", "a launch file has no \"ptx\""},
    {"\"values\"", "\"valves\"", "x.json:2: valves: unknown key \"valves\", did you mean \"values\"?"},
    {"\"n\": 8", "\"n\": 8, \"n\": 9", "duplicate key \"values.n\""},
    {"\"n\": 8", "\"n\": true", "values.n: not a number"},
    {"\"n\": 8", "\"min\": 8", "\"min\" has a meaning in expressions"},
    {"\"n\": 8", "\"2n\": 8", "\"2n\" is not a name"},
    {"\"f32\"", "\"f16\"", "x.json:3: buffers.a.type: not an element type: \"f16\" (allowed: u8, s8"},
    {"\"count\": \"n\"", "\"count\": \"m\"", "buffers.a.count: in \"m\": unknown name \"m\""},
    {", \"count\": 4", "", "buffers.b: a buffer without \"count\""},
    {"\"count\": 4", "\"count\": 4, \"init\": {\"kind\": \"ones\"}", "unknown kind \"ones\""},
    {"\"count\": 4", "\"count\": 4, \"init\": {\"kind\": \"uniform\", \"low\": 1, \"high\": 2}",
     "has no \"seed\""},
    {"\"count\": 4", "\"count\": 4, \"init\": {\"kind\": \"zeros\"}, \"file\": \"x.npy\"",
     "both \"init\" and \"file\""},
    {"\"count\": 4", "\"count\": 4, \"init\": {\"kind\": \"range\", \"start\": 0.5}", "not an integer"},
    {"{\"kernel\": \"k\"", "{\"kernle\": \"k\"", "x.json:4: steps[0]: not a step"},
    {"\"grid\": 1, ", "", "a kernel step has no \"grid\""},
    {"\"grid\": 1", "\"grid\": [1, 1, 1, 1]", "4 extents"},
    {"{\"buffer\": \"a\"}", "{\"buffer\": \"c\"}",
     "steps[0].args[0].buffer: unknown buffer \"c\" (allowed: a, b)"},
    {"{\"buffer\": \"a\"}", "{\"u24\": 1}", "not an argument: \"u24\""},
    {"{\"buffer\": \"a\"}", "{\"u32\": 1, \"f32\": 2}", "not an argument"},
    {"{\"buffer\": \"a\"}", "{\"bytes\": \"0g\"}", "not a row of bytes"},
    {"{\"buffer\": \"a\"}", "{\"bytes\": \"012\"}", "not a row of bytes"},
    {"{\"buffer\": \"a\"}", "{\"struct\": [], \"align\": 8}", "an empty structure"},
    {"{\"buffer\": \"a\"}", "{\"struct\": [{\"u8\": 1}], \"align\": 3}", "not a power of two"},
    {"{\"kernel\": \"k\", \"grid\": 1, \"block\": 32, \"args\": [{\"buffer\": \"a\"}]}",
     "{\"swap\": [\"a\", \"b\"]}", "a swap of buffers of different types"},
    {"{\"kernel\": \"k\", \"grid\": 1, \"block\": 32, \"args\": [{\"buffer\": \"a\"}]}",
     "{\"repeat\": 2, \"index\": \"n\", \"steps\": [{\"copy\": \"a\", \"to\": \"b\"}]}",
     "the name \"n\" is taken"},
    {"{\"kernel\": \"k\", \"grid\": 1, \"block\": 32, \"args\": [{\"buffer\": \"a\"}]}", "",
     "an empty list of steps"},
    {"\"steps\"", "\"outputs\": [{\"buffer\": \"z\"}], \"steps\"", "unknown buffer \"z\""},
    {"\"steps\"", "\"outputs\": [{\"buffer\": \"a\"}, {\"buffer\": \"a\"}], \"steps\"", "is named twice"},
    {"\"steps\"", "\"outputs\": [{\"buffer\": \"a\", \"compare\": \"close\"}], \"steps\"",
     "unknown comparison"},
    {"\"steps\"", "\"outputs\": [{\"buffer\": \"a\", \"compare\": {\"relative\": -1}}], \"steps\"",
     "not a tolerance"},
    {"\"steps\"", "\"depends_on\": [\"weather\"], \"steps\"", "unknown dependence \"weather\""},
    {"\"steps\"", "\"symbols\": {\"s\": {\"type\": \"f32\"}}, \"steps\"", "a symbol with 0 sources of data"},
    {"\"steps\"", "\"symbols\": {\"s\": {\"pointer\": \"a\", \"type\": \"u64\"}}, \"steps\"",
     "a pointer has no \"type\""},
    {"}]\n}", "}]\n", "x.json:"},
};
INSTANTIATE_TEST_SUITE_P(, BadFiles, ::testing::ValuesIn(kBad));

TEST(LaunchReader, AMissingFileIsNamed) { EXPECT_THROW(read_launch_file("no/such/launch.json"), Error); }

}  // namespace
}  // namespace heddle::launch
