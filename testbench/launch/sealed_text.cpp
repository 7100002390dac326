#include "testbench/launch/sealed_text.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "testbench/launch/new_file.h"

namespace heddle::launch {
namespace {

// A text begins with a line "{". The next line has the version of the format, and the line after it the hash
// of the rest.
constexpr std::string_view kBegin = "{\n";
constexpr std::string_view kFormatEnd = ",\n";
constexpr std::string_view kSealBegin = "  \"content_fnv1a64\": \"", kSealEnd = "\",\n";

std::string format_begin(const std::string& key) { return fmt::format("  \"{}\": ", key); }

// If `rest` begins with the marker `begin`, returns the text up to the marker `end`. Removes both markers and
// the text between them from `rest`.
std::optional<std::string_view> take_between(std::string_view& rest, std::string_view begin,
                                             std::string_view end) {
  if (!rest.starts_with(begin)) return std::nullopt;
  const std::size_t at = rest.find(end, begin.size());
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest.substr(begin.size(), at - begin.size());
  rest.remove_prefix(at + end.size());
  return taken;
}

// Removes the line with the format's version from `rest` and returns the version. Returns 1 if there is no
// such line, and nothing if the line is damaged.
std::optional<int> take_format(std::string_view& rest, const std::string& key) {
  if (rest.starts_with(kSealBegin)) return 1;
  const auto digits = take_between(rest, format_begin(key), kFormatEnd);
  int format = 0;
  if (!digits || std::from_chars(digits->data(), digits->data() + digits->size(), format).ec != std::errc())
    return std::nullopt;
  return format;
}

}  // namespace

std::string sealed_text(const std::string& format_key, int format, const ConfigNode& content) {
  const std::string text = to_json(content);
  return fmt::format("{}{}{}{}{}{}{}{}", kBegin, format_begin(format_key), format, kFormatEnd, kSealBegin,
                     hash_of_text(text), kSealEnd, text.substr(kBegin.size()));
}

Unsealed unseal(const std::string& text, const std::string& format_key, int format, const std::string& what,
                const std::string& file) {
  const std::string torn = "not as it was written";
  std::string_view rest = text;
  if (!rest.starts_with(kBegin)) return {torn, {}};
  rest.remove_prefix(kBegin.size());
  const std::optional<int> found = take_format(rest, format_key);
  if (!found) return {torn, {}};
  if (*found != format)
    return {fmt::format("{} of format {}, and this program reads format {}", what, *found, format), {}};
  const auto seal = take_between(rest, kSealBegin, kSealEnd);
  if (!seal) return {torn, {}};
  if (hash_of_text(std::string(kBegin) + std::string(rest)) != *seal) return {torn, {}};
  return {{}, parse_config_text(text, file)};
}

}  // namespace heddle::launch
