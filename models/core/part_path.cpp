#include "models/core/part_path.h"

#include <algorithm>
#include <charconv>

namespace heddle {
namespace {

// Collects all items of type `type` in the order of the list. Also searches lists within the items.
void collect_parts(const ConfigNode& list, std::string_view type, std::vector<const ConfigNode*>& found) {
  for (const ConfigNode& wrapped : list.items) {
    const ConfigNode& item = wrapped.unwrapped();
    if (type_of_part(item) == type) found.push_back(&item);
    for (const auto& [key, member] : item.members)
      if (member.unwrapped().is_array()) collect_parts(member.unwrapped(), type, found);
  }
}

bool read_number(std::string_view text, std::size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

}  // namespace

std::string_view type_of_part(const ConfigNode& part) {
  const ConfigNode& plain = part.unwrapped();
  const ConfigNode* name = plain.is_string() ? &plain : plain.find("type");
  return name ? std::string_view(name->unwrapped().text) : std::string_view();
}

const ConfigNode* find_part(const ConfigNode& list, std::string_view selector) {
  std::size_t number = 1;
  if (read_number(selector, number))
    return number < list.items.size() ? &list.items[number].unwrapped() : nullptr;
  const std::size_t colon = selector.find(':');
  if (colon != std::string_view::npos && !read_number(selector.substr(colon + 1), number)) return nullptr;
  std::vector<const ConfigNode*> found;
  collect_parts(list, selector.substr(0, colon), found);
  return number >= 1 && number <= found.size() ? found[found.size() - number] : nullptr;
}

ConfigNode* find_part(ConfigNode& list, std::string_view selector) {
  return const_cast<ConfigNode*>(find_part(static_cast<const ConfigNode&>(list), selector));
}

std::string part_place_name(std::string_view kind, std::size_t place, std::string_view type) {
  std::string name = std::string(kind) + std::to_string(place) + "_" + std::string(type);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace heddle
