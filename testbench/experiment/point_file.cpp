#include "testbench/experiment/point_file.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"

namespace heddle::experiment {
namespace {

// The first two lines of the file are its format and the hash of the rest.
constexpr std::string_view kBegin = "{\n";
constexpr std::string_view kFormatBegin = "  \"point_format\": ", kFormatEnd = ",\n";
constexpr std::string_view kSealBegin = "  \"content_fnv1a64\": \"", kSealEnd = "\",\n";

// Returns the text between two markers at the beginning of `rest`, and removes text and markers from `rest`.
std::optional<std::string_view> take_between(std::string_view& rest, std::string_view begin,
                                             std::string_view end) {
  if (!rest.starts_with(begin)) return std::nullopt;
  const std::size_t at = rest.find(end, begin.size());
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest.substr(begin.size(), at - begin.size());
  rest.remove_prefix(at + end.size());
  return taken;
}

// Returns the format. The earliest files lack its line and have format 1.
std::optional<int> take_format(std::string_view& rest) {
  if (rest.starts_with(kSealBegin)) return 1;
  const auto digits = take_between(rest, kFormatBegin, kFormatEnd);
  int format = 0;
  if (!digits || std::from_chars(digits->data(), digits->data() + digits->size(), format).ec != std::errc())
    return std::nullopt;
  return format;
}

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
  const std::string text = to_json(file);
  return fmt::format("{}{}{}{}{}{}{}{}", kBegin, kFormatBegin, kPointFormat, kFormatEnd, kSealBegin,
                     launch::hash_of_text(text), kSealEnd, text.substr(kBegin.size()));
}

PointFile read_point_file(const std::string& file, const PointIdentity& identity) {
  std::string bytes;
  try {
    bytes = launch::read_binary(file);
  } catch (const Error& error) {
    return {error.what(), {}};
  }
  std::string_view rest = bytes;
  PointFile point;
  const std::string torn = "not as it was written";
  if (!rest.starts_with(kBegin)) return {torn, {}};
  rest.remove_prefix(kBegin.size());
  const std::optional<int> format = take_format(rest);
  if (!format) return {torn, {}};
  if (*format != kPointFormat)
    return {fmt::format("a point of format {}, and this program reads format {}", *format, kPointFormat), {}};
  const auto seal = take_between(rest, kSealBegin, kSealEnd);
  if (!seal) return {torn, {}};
  const std::string text = std::string(kBegin) + std::string(rest);
  if (launch::hash_of_text(text) != *seal) return {torn, {}};
  ConfigNode whole = parse_config_text(text, file);
  const ConfigNode* whose = whole.find("identity");
  ConfigNode* result = whole.find("result");
  if (!whose || !result) return {torn, {}};
  point.error = difference(*whose, identity);
  point.result = std::move(*result);
  return point;
}

}  // namespace heddle::experiment
