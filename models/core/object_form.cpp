#include "models/core/object_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle {
namespace {

std::map<std::string, FileForm>& forms() {
  static std::map<std::string, FileForm> all;
  return all;
}

void put_type(const std::string& format, const std::string& name) {
  const FileForm& file = forms()[format];
  if (file.objects.contains(name) || file.types.contains(name))
    throw InternalError(fmt::format("format {}: \"{}\" is declared twice", format, name));
}

}  // namespace

const std::map<std::string, FileForm>& file_forms() { return forms(); }

ObjectForm::ObjectForm(const std::string& format, const std::string& name, std::string what,
                       std::vector<Key> keys, OneOf one_of, std::string doc)
    : what_(std::move(what)), doc_(std::move(doc)), keys_(std::move(keys)), one_of_(std::move(one_of)) {
  for (Key& key : keys_) {
    if (!key.name.ends_with('!')) continue;
    key.name.pop_back();
    key.required = true;
  }
  put_type(format, name);
  if (name.empty())
    forms()[format].root = this;
  else
    forms()[format].objects[name] = this;
}

void ObjectForm::check(const ConfigNode& node) const {
  const auto known = [this] {
    std::vector<std::string> names;
    for (const Key& key : keys_) names.push_back(key.name);
    return names;
  };
  if (!node.is_object())
    throw Error(node.where(), "not " + what_, fmt::format("an object with {}", fmt::join(known(), ", ")));
  const auto has_key = [this](const std::string& name) {
    return std::any_of(keys_.begin(), keys_.end(), [&name](const Key& key) { return key.name == name; });
  };
  for (const auto& [name, member] : node.members)
    if (!has_key(name)) throw unknown_name(member.where(), "key", name, known());
  for (const Key& key : keys_)
    if (key.required && !node.find(key.name))
      throw Error(node.where(), fmt::format("{} has no \"{}\"", what_, key.name));
}

TypeForm::TypeForm(const std::string& format, const std::string& name, std::string type, std::string doc)
    : type_(std::move(type)), doc_(std::move(doc)) {
  put_type(format, name);
  forms()[format].types[name] = this;
}

}  // namespace heddle
