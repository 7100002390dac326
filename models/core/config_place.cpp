#include "models/core/config_place.h"

#include <utility>

namespace heddle {

SourceName::SourceName(std::string name) {
  if (!name.empty()) text_ = std::make_shared<const std::string>(std::move(name));
}

const SourceName& SourceName::built_in() {
  static const SourceName name("built-in");
  return name;
}

const std::string& SourceName::text() const {
  static const std::string none;
  return text_ ? *text_ : none;
}

KeyPaths::Id KeyPaths::add(Id parent, std::string_view key) {
  steps_.push_back(
      {parent, static_cast<std::uint32_t>(keys_.size()), static_cast<std::uint32_t>(key.size())});
  keys_.append(key);
  return static_cast<Id>(steps_.size());
}

KeyPaths::Id KeyPaths::add(Id parent, std::size_t position) {
  steps_.push_back({parent, kPosition, static_cast<std::uint32_t>(position)});
  return static_cast<Id>(steps_.size());
}

std::string KeyPaths::text(Id path) const {
  if (path == kRoot) return "";
  const Step& step = steps_[path - 1];
  std::string all = text(step.parent);
  if (step.key == kPosition) return all.append("[").append(std::to_string(step.size)).append("]");
  return all.append(all.empty() ? "" : ".").append(keys_, step.key, step.size);
}

KeyPath::KeyPath(const std::string& text) {
  if (text.empty()) return;
  const auto paths = std::make_shared<KeyPaths>();
  id_ = paths->add(KeyPaths::kRoot, text);
  paths_ = paths;
}

}  // namespace heddle
