#include "models/reference/check_kinds.h"

#include <algorithm>
#include <sstream>

#include "models/core/unknown_name.h"

namespace heddle::reference {

std::vector<std::string> CheckKinds::names() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < kCheckKinds.size(); ++k)
    if (has(static_cast<CheckKind>(k))) names.emplace_back(kCheckKinds[k]);
  return names;
}

CheckKinds read_check_kinds(const std::string& where, const std::string& text,
                            const std::vector<std::string>& words) {
  CheckKinds kinds;
  if (std::find(words.begin(), words.end(), text) != words.end()) return kinds;
  std::vector<std::string> known = words;
  known.insert(known.end(), kCheckKinds.begin(), kCheckKinds.end());
  known.emplace_back("strict");
  std::stringstream names(text + ",");
  for (std::string name; std::getline(names, name, ',');) {
    const auto kind = std::find(kCheckKinds.begin(), kCheckKinds.end(), name);
    if (kind != kCheckKinds.end())
      kinds.add(static_cast<CheckKind>(kind - kCheckKinds.begin()));
    else if (name == "strict")
      kinds = CheckKinds::all();
    else if (std::find(words.begin(), words.end(), name) != words.end())
      throw Error(where, "\"" + name + "\" together with others: \"" + text + "\"",
                  "\"" + name + "\" alone, or kinds joined by commas");
    else
      throw unknown_name(where, "value", name, known, "or kinds joined by commas");
  }
  return kinds;
}

}  // namespace heddle::reference
