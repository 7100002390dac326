#include "testbench/program/launch_selection.h"

#include <algorithm>
#include <charconv>

#include "models/core/error.h"
#include "models/core/wildcard.h"

namespace heddle::program {
namespace {

constexpr const char* kForms =
    "7, 10-19, bfs*, bfs*:5 (the first 5 of each kernel), representatives, with commas between them";
constexpr const char* kRepresentatives = "representatives";

bool read_number(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

LaunchSelection::LaunchSelection(const std::string& text, const std::string& option) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string item = text.substr(at, comma - at);
    if (item == kRepresentatives)
      representatives_ = true;
    else
      items_.push_back(read(item, option));
    at = comma + 1;
    if (at == text.size()) throw Error(option, "\"" + text + "\" ends with a comma", kForms);
  }
}

LaunchSelection::Item LaunchSelection::read(const std::string& text, const std::string& option) {
  const auto fail = [&] { throw Error(option, "\"" + text + "\" means no launches", kForms); };
  Item item;
  const bool number = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (number) {
    const std::size_t dash = text.find('-');
    if (!read_number(std::string_view(text).substr(0, dash), item.first)) fail();
    item.last = item.first;
    if (dash != std::string::npos &&
        (!read_number(std::string_view(text).substr(dash + 1), item.last) || item.last < item.first))
      fail();
    return item;
  }
  const std::size_t colon = text.rfind(':');
  // A colon after another colon is part of a C++ name such as "ns::scale", so no number follows.
  const bool counted = colon != std::string::npos && (colon == 0 || text[colon - 1] != ':');
  item.pattern = counted ? text.substr(0, colon) : text;
  if (item.pattern.empty() ||
      (counted && (!read_number(std::string_view(text).substr(colon + 1), item.most) || item.most == 0)))
    fail();
  return item;
}

LaunchSelection::Choice LaunchSelection::choose(std::uint64_t position, const std::string& mangled,
                                                const std::string& plain) {
  bool taken = items_.empty() && !representatives_;
  for (Item& item : items_) {
    if (item.pattern.empty())
      taken = taken || (position >= item.first && position <= item.last);
    else if ((fits(item.pattern, mangled) || fits(item.pattern, plain)) && item.seen[mangled]++ < item.most)
      taken = true;
  }
  return taken ? Choice::yes : representatives_ ? Choice::first_of_kind : Choice::no;
}

}  // namespace heddle::program
