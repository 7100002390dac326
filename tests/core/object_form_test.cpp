#include "models/core/object_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/core/error.h"

namespace heddle {
namespace {

const ObjectForm kBoxForm("test", "box", "a box",
                          {{"width!", "integer>=1"}, {"label", "text", "what it says"}});

std::string complaint(const std::string& text) {
  try {
    kBoxForm.check(parse_config_text(text, "t.json"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ObjectForm, TakesItsKeysAndNoOthers) {
  EXPECT_EQ(complaint(R"({"width": 1})"), "");
  EXPECT_EQ(complaint(R"({"width": 1, "label": "x"})"), "");
  EXPECT_THAT(complaint(R"({"width": 1, "lable": "x"})"), testing::HasSubstr("did you mean \"label\""));
  EXPECT_THAT(complaint(R"({"label": "x"})"), testing::HasSubstr("a box has no \"width\""));
  EXPECT_THAT(complaint("[1]"), testing::HasSubstr("not a box (allowed: an object with width, label)"));
}

TEST(ObjectForm, StandsInItsFormatOnce) {
  EXPECT_EQ(file_forms().at("test").objects.at("box"), &kBoxForm);
  EXPECT_THROW(ObjectForm("test", "box", "another box", {}), InternalError);
  EXPECT_THROW(TypeForm("test", "box", "text"), InternalError);
}

}  // namespace
}  // namespace heddle
