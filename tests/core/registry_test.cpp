// Tests the registry of exchangeable parts, such as schedulers: unknown names, duplicate names, and
// parameters of a chosen part.

#include <gtest/gtest.h>

#include "models/core/registry.h"

namespace heddle {
namespace {

struct Shape {
  struct Context {
    int scale = 1;
  };
  static constexpr const char* kFamily = "shape";
  static constexpr const char* kPlace = "shapes";
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

struct SquareParameters {
  int side = 2;
  void fields(FieldVisitor& v) { v.field("side", side, {1, 9}, "side"); }
};
struct Square : Shape {
  Square(const SquareParameters& p, Context& c) : value(p.side * p.side * c.scale) {}
  int area() const override { return value; }
  int value;
};
struct Dot : Shape {
  Dot(const NoParameters&, Context&) {}
  int area() const override { return 0; }
};
const Registration<Shape, Square, SquareParameters> square{"square", "four sides"};
const Registration<Shape, Dot> dot{"dot", "none"};

std::string error_of(const ConfigNode& choice) {
  Shape::Context context;
  try {
    Registry<Shape>::instance().make(choice, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Registry, MakesByNameOrWithParameters) {
  Shape::Context context{10};
  EXPECT_EQ(Registry<Shape>::instance().make(ConfigNode::make_string("square"), context)->area(), 40);
  const ConfigNode choice = parse_config_text(R"({"type": "square", "side": 3})", "x.json");
  EXPECT_EQ(Registry<Shape>::instance().make(choice, context)->area(), 90);
}

TEST(Registry, UnknownNameListsTheKnownOnes) {
  const std::string message = error_of(parse_config_text("\n{\"type\": \"circle\"}", "x.json"));
  for (const char* part : {"x.json:2", "unknown shape \"circle\"", "dot, square"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Registry, ParametersOfAChoiceAreChecked) {
  EXPECT_NE(error_of(parse_config_text(R"({"type": "square", "side": 10})", "x.json")).find("1 to 9"),
            std::string::npos);
  EXPECT_NE(error_of(parse_config_text(R"({"type": "dot", "side": 1})", "x.json")).find("unknown key"),
            std::string::npos);
  EXPECT_NE(error_of(parse_config_text(R"({"side": 1})", "x.json")).find("type"), std::string::npos);
  EXPECT_NE(error_of(parse_config_text("7", "x.json")).find("name of a part"), std::string::npos);
}

TEST(Registry, DuplicateNamesAreRefused) {
  EXPECT_THROW((Registration<Shape, Dot>{"dot", "again"}), InternalError);
}

}  // namespace
}  // namespace heddle
