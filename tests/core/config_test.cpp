#include <gtest/gtest.h>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "models/core/fields.h"
#include "models/core/unknown_name.h"

namespace heddle {
namespace {

struct Inner {
  int entries = 4;
  std::vector<int> sizes;
  void fields(FieldVisitor& v) {
    v.field("entries", entries, {1, 64}, "entries");
    v.field("sizes", sizes, {1, 8}, "sizes");
  }
};

struct Outer {
  int banks = 16;
  double rate = 1.5;
  bool on = false;
  std::string layout = "wid";
  std::uint64_t seed = 0;
  Inner inner;
  void fields(FieldVisitor& v) {
    v.field("banks", banks, {1, 64}, "banks");
    v.field("rate", rate, {0, 10}, "rate");
    v.field("on", on, "switch");
    v.field("layout", layout, {"wid", "wshift"}, "layout");
    v.field("seed", seed, {0, 1LL << 60}, "seed");
    v.group("inner", inner, "inner part");
  }
};

Outer read(const std::string& text) {
  Outer outer;
  read_fields(parse_config_text(text, "gpu.json"), outer);
  return outer;
}

template <class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
std::string read_error(const std::string& text) {
  return message_of([&] { read(text); });
}

void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << message;
}

// A node that is copied or moved out of its tree must keep its file, line and path for error messages.
TEST(Config, NodesKeepTheirPlaceWithoutTheirTree) {
  ConfigNode copy, moved;
  {
    ConfigNode root = parse_config_text("{\"a\": {\n\"list\": [1, {\"b\": 2}],\n\"c\": 3}}", "gpu.json");
    copy = *root.find("a");
    moved = std::move(root.find("a")->find("list")->items[1]);
    EXPECT_EQ(root.where(), "gpu.json:1");
  }
  EXPECT_EQ(copy.find("c")->where(), "gpu.json:3: a.c");
  EXPECT_EQ(moved.find("b")->where(), "gpu.json:2: a.list[1].b");
  moved.path = copy.path;
  EXPECT_EQ(moved.where(), "gpu.json:2: a");
  moved.path = std::string("x.y");
  moved.file = std::string("--set");
  EXPECT_EQ(moved.where(), "--set:2: x.y");
}

TEST(Config, ReadsEveryKindOfValueAndKeepsDefaults) {
  const Outer o = read(
      R"({"banks": {"value": 8, "source": "Gebhart 2012, Table I"}, "rate": 2, "layout": "wshift", "seed": 5000000000,
          "inner": {"sizes": [1, 2, {"value": 3, "assumed": "test"}]}})");
  EXPECT_EQ(o.banks, 8);
  EXPECT_EQ(o.rate, 2.0);
  EXPECT_FALSE(o.on);
  EXPECT_EQ(o.layout, "wshift");
  EXPECT_EQ(o.seed, 5000000000u);
  EXPECT_EQ(o.inner.entries, 4);
  EXPECT_EQ(o.inner.sizes, (std::vector<int>{1, 2, 3}));
}

TEST(Config, ValueOutOfRangeNamesFileLineKeyAndRange) {
  expect_parts(read_error("{\n \"inner\": {\n  \"entries\": 65\n }\n}"),
               {"gpu.json:3", "inner.entries", "65", "1 to 64"});
  expect_parts(read_error("{\"inner\": {\"entries\": 0}}"),
               {"gpu.json:1", "inner.entries", "0 is out of range"});
  expect_parts(read_error("{\"rate\": 10.5}"), {"rate", "10.5", "0 to 10"});
  expect_parts(read_error("{\"inner\": {\"sizes\": [1, 9]}}"), {"inner.sizes[1]", "9", "1 to 8"});
  EXPECT_EQ(read_error("{\"inner\": {\"entries\": 64}}"), "no error");
  EXPECT_EQ(read_error("{\"inner\": {\"entries\": 1}}"), "no error");
}

TEST(Config, UnknownKeysAreErrorsWithAHint) {
  expect_parts(read_error("{\n\n\"bank\": 3}"),
               {"gpu.json:3", "unknown key \"bank\"", "did you mean \"banks\""});
  expect_parts(read_error("{\"inner\": {\"depth\": 3}}"), {"inner.depth", "unknown key", "entries, sizes"});
}

TEST(Config, TheNearestNameIsMeantByAsLittleAsIsWrong) {
  const std::vector<std::string> names = {"fft", "bfs", "bitonic_sort", "warp scheduler policy",
                                          "technologies"};
  EXPECT_EQ(nearest_name("bitonic_srt", names), "bitonic_sort");
  EXPECT_EQ(nearest_name("ffft", names), "fft");
  // When similar names are searched, two exchanged neighbouring letters count as one mistake.
  EXPECT_EQ(nearest_name("bsf", names), "bfs");
  EXPECT_EQ(nearest_name("sfb", names), "");
  EXPECT_EQ(nearest_name("schedulers", names), "warp scheduler policy");
  for (const char* foreign : {"", "x", "nix", "quicksort", "policeman"})
    EXPECT_EQ(nearest_name(foreign, names), "");
  EXPECT_STREQ(
      unknown_name("a.json:1", "kernel", "bfq", names, "or a file").what(),
      "a.json:1: unknown kernel \"bfq\", did you mean \"bfs\"? (allowed: fft, bfs, bitonic_sort, warp "
      "scheduler policy, technologies, or a file)");
}

TEST(Config, CountsOf64BitsAreShownAsTheyAre) {
  EXPECT_EQ(to_json(ConfigNode::make_count(~std::uint64_t{0})), "18446744073709551615\n");
  EXPECT_EQ(to_json(ConfigNode::make_count(std::uint64_t{1} << 63)), "9223372036854775808\n");
  EXPECT_EQ(to_json(ConfigNode::make_count(0)), "0\n");
}

TEST(Config, AFormatIsReadOrRefusedByName) {
  const auto format = [](const char* text, bool required) {
    try {
      return std::to_string(format_of(parse_config_text(text, "f.json"), "a result", 2, 3, required));
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(format(R"({"format": 2})", true), "2");
  EXPECT_EQ(format("{}", false), "3");
  EXPECT_EQ(format("{}", true), "f.json: not a result: it has no \"format\" (allowed: 2 to 3)");
  EXPECT_EQ(format(R"({"format": 1})", true),
            "f.json:1: format: format 1 of a result is of an older version of Heddle (allowed: 2 to 3)");
  EXPECT_EQ(
      format(R"({"format": 18446744073709551615})", false),
      "f.json:1: format: format 18446744073709551615 of a result is of a newer version of Heddle (allowed: 2 "
      "to 3)");
  for (const char* wrong :
       {R"({"format": "2"})", R"({"format": 2.5})", R"({"format": -1})", R"({"format": null})"})
    EXPECT_EQ(format(wrong, false), "f.json:1: format: not the version of a format (allowed: 2 to 3)")
        << wrong;
  EXPECT_EQ(format("[]", true), "f.json:1: not a result (allowed: an object)");
}

TEST(Config, WrongTypes) {
  expect_parts(read_error("{\"banks\": \"many\"}"), {"banks", "expected an integer", "a string"});
  expect_parts(read_error("{\"banks\": 2.5}"), {"banks", "expected an integer"});
  expect_parts(read_error("{\"on\": 1}"), {"on", "true or false"});
  expect_parts(read_error("{\"layout\": \"diagonal\"}"), {"layout", "diagonal", "wid, wshift"});
  expect_parts(read_error("{\"inner\": 7}"), {"inner", "expected an object"});
  expect_parts(read_error("[1]"), {"gpu.json", "expected an object"});
}

TEST(Config, OriginsAreExactlyOne) {
  expect_parts(read_error(R"({"banks": {"value": 3}})"), {"banks", "source", "assumed"});
  expect_parts(read_error(R"({"banks": {"value": 3, "source": "a", "assumed": "b"}})"),
               {"banks", "exactly one"});
}

TEST(Config, SyntaxErrorsNameLineAndColumn) {
  const auto parse = [](const char* text) { return message_of([&] { parse_config_text(text, "x.json"); }); };
  expect_parts(parse("{\n \"a\": 1,\n}"), {"x.json:3", "JSON"});
  expect_parts(parse("{\"a\": "), {"x.json:1", "JSON"});
  expect_parts(parse(""), {"x.json:1", "JSON"});
  expect_parts(parse("{\"a\": 1} 2"), {"x.json:1", "JSON"});
  expect_parts(parse("{\"a\": 1}\n /* what follows"), {"x.json:2:2", "JSON", "never closed"});
  expect_parts(parse("{/*/\"a\": 1}"), {"x.json:1:2", "JSON", "never closed"});
  expect_parts(message_of([] { parse_config_file("no/such/file.json"); }),
               {"no/such/file.json", "cannot read"});
}

TEST(Config, DuplicateKeysAreErrorsAtAnyDepth) {
  const auto parse = [](const char* text) { return message_of([&] { parse_config_text(text, "x.json"); }); };
  expect_parts(parse("{\"a\": 1,\n \"a\": 2}"), {"x.json:2", "duplicate key \"a\""});
  expect_parts(parse("{\"o\": [{\"k\": 1, \"k\": 1}]}"), {"duplicate key", "o[0].k"});
}

TEST(Config, SetReplacesWrappedValuesAndMakesPaths) {
  ConfigNode root = parse_config_text(R"({"banks": {"value": 8, "source": "x"}, "list": [1, 2]})", "x.json");
  set_config(root, "banks=4");
  set_config(root, "inner.entries=9");
  set_config(root, "layout=wshift");
  set_config(root, "list[1]=5");
  EXPECT_EQ(root.find("banks")->integer, 4);
  EXPECT_EQ(root.find("inner")->find("entries")->integer, 9);
  EXPECT_EQ(root.find("layout")->text, "wshift");
  EXPECT_EQ(root.find("list")->items[1].integer, 5);
}

TEST(Config, SetNamesItselfInErrors) {
  const auto set = [](const char* assignment) {
    return message_of([&] {
      ConfigNode root = parse_config_text(R"({"banks": 8, "list": [1]})", "x.json");
      set_config(root, assignment);
      Outer outer;
      read_fields(root, outer);
    });
  };
  expect_parts(set("banks"), {"--set banks", "path.key=value"});
  expect_parts(set("=3"), {"--set", "no value"});
  expect_parts(set("list[3]=1"), {"--set list[3]=1", "no item 3"});
  expect_parts(set("list[=1"), {"--set", "["});
  expect_parts(set("banks.deep=1"), {"--set banks.deep=1", "not an object"});
  expect_parts(set("a..b=1"), {"--set", "empty key"});
}

TEST(Config, MergeKeepsWhatIsNotReplaced) {
  ConfigNode base = parse_config_text(R"({"a": {"b": 1, "c": 2}, "s": {"type": "x", "p": 1}})", "base.json");
  merge_config(base, parse_config_text(R"({"a": {"c": 3}, "s": {"type": "y"}, "n": 4})", "over.json"));
  EXPECT_EQ(base.find("a")->find("b")->integer, 1);
  EXPECT_EQ(base.find("a")->find("c")->integer, 3);
  EXPECT_EQ(base.find("s")->find("p"), nullptr) << "another choice keeps nothing of the one it replaces";
  EXPECT_EQ(base.find("n")->integer, 4);
}

TEST(Config, DumpedFieldsReadBackTheSame) {
  Outer first = read(R"({"banks": 3, "rate": 0.1, "on": true, "seed": 12, "inner": {"sizes": [4, 4]}})");
  const std::string text = to_json(dump_fields(first));
  Outer second = read(text);
  EXPECT_EQ(to_json(dump_fields(second)), text);
  EXPECT_EQ(second.banks, 3);
  EXPECT_EQ(second.rate, 0.1);
}

TEST(Config, DescriptionListsPathsRangesAndDefaults) {
  const auto rows = describe_fields<Outer>();
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(rows[0].path, "banks");
  EXPECT_EQ(rows[0].default_value, "16");
  EXPECT_EQ(rows[5].path, "inner.entries");
  EXPECT_NE(rows[5].range.find("64"), std::string::npos);
}

}  // namespace
}  // namespace heddle
