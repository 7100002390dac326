#include "testbench/experiment/point_file.h"

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/npy.h"
#include "testbench/launch/sealed_text.h"

namespace heddle::experiment {
namespace {

constexpr const char* kFormatKey = "point_format";

std::string text_of(const ConfigNode& object, const char* key) {
  const ConfigNode* member = object.find(key);
  return member && member->is_string() ? member->text : "";
}

std::string difference(const ConfigNode& kept, const PointIdentity& own) {
  const auto differs = [&kept](const char* key, const std::string& wanted) {
    return text_of(kept, key) != wanted;
  };
  std::string parts;
  const auto name = [&parts](const char* part) { parts += (parts.empty() ? "" : ", ") + std::string(part); };
  if (differs("configuration", own.configuration)) name("configuration");
  if (differs("inputs", own.inputs)) name("inputs");
  if (differs("program", own.program)) name("program");
  if (parts.empty() && !differs("point", own.name)) return {};
  return fmt::format("holds another run, \"{}\" ({}), of another {}", printable(text_of(kept, "label")),
                     printable(text_of(kept, "point")), parts.empty() ? "name" : parts);
}

}  // namespace

std::string point_file_text(const PointIdentity& identity, const ConfigNode& result) {
  ConfigNode file = ConfigNode::make_object(), whose = ConfigNode::make_object();
  const auto add = [&whose](const char* key, const std::string& value) {
    whose.members.emplace_back(key, ConfigNode::make_string(value));
  };
  add("label", identity.label);
  add("point", identity.name);
  add("configuration", identity.configuration);
  add("inputs", identity.inputs);
  add("program", identity.program);
  file.members.emplace_back("identity", std::move(whose));
  file.members.emplace_back("result", result);
  return launch::sealed_text(kFormatKey, kPointFormat, file);
}

PointFile read_point_file(const std::string& file, const PointIdentity& identity) {
  std::string bytes;
  try {
    bytes = launch::read_binary(file);
  } catch (const Error& error) {
    return {error.what(), {}};
  }
  launch::Unsealed whole = launch::unseal(bytes, kFormatKey, kPointFormat, "a point", file);
  if (!whole.error.empty()) return {whole.error, {}};
  PointFile point;
  const ConfigNode* whose = whole.content.find("identity");
  ConfigNode* result = whole.content.find("result");
  if (!whose || !result) return {"not as it was written", {}};
  point.error = difference(*whose, identity);
  point.result = std::move(*result);
  return point;
}

}  // namespace heddle::experiment
