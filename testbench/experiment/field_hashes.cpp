#include "testbench/experiment/field_hashes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "testbench/launch/new_file.h"

namespace heddle::experiment {
namespace {

bool counts(const std::string& path) {
  return path != "description" && path != "launch" && path != "watch.threads" && path != "watch.quantum" &&
         path != "watch.untimed_store" && !path.starts_with("power.") && !path.starts_with("gpu.device.") &&
         (!path.starts_with("output.") || path.starts_with("output.analyses"));
}

std::uint64_t hash_of(const std::vector<std::uint64_t>& hashes) {
  return launch::fnv1a64({reinterpret_cast<const char*>(hashes.data()), hashes.size() * sizeof hashes[0]});
}

// Appends a part of the configuration as text. Of an object {"value", "source"}, appends only the value. Each
// text is preceded by its length, so no separator is needed.
void append_text(const ConfigNode& wrapped, std::string& text) {
  const ConfigNode& node = wrapped.unwrapped();
  if (node.is_string()) text += fmt::format("{}:{}", node.text.size(), node.text);
  if (node.is_number())
    text += node.is_integer ? fmt::format("i{}", node.integer) : fmt::format("r{}", node.number);
  if (node.kind == ConfigNode::Kind::boolean) text += node.boolean ? "true" : "false";
  if (node.kind == ConfigNode::Kind::null) text += "null";
  for (const auto& [key, member] : node.members) {
    text += fmt::format("{{{}:{}=", key.size(), key);
    append_text(member, text);
  }
  if (node.is_object()) text += '}';
  for (const ConfigNode& item : node.items) {
    text += '[';
    append_text(item, text);
  }
  if (node.is_array()) text += ']';
}

// Visits all fields of a configuration; with a list of paths, only the fields at these paths and the groups
// that contain them.
class FieldTexts : public FieldVisitor {
 public:
  using Show = std::function<void(const std::string& path, std::string_view text)>;
  FieldTexts(const std::set<std::string>* wanted, Show show) : wanted_(wanted), show_(std::move(show)) {}

  void field(const char* name, int& value, IntRange, const char*) override { number(name, value); }
  void field(const char* name, std::uint64_t& value, IntRange, const char*) override { number(name, value); }
  void field(const char* name, double& value, RealRange, const char*) override { number(name, value); }
  void field(const char* name, bool& value, const char*) override { number(name, value); }
  void field(const char* name, std::string& value, const std::vector<std::string>&, const char*) override {
    if (is_wanted(name)) show_(path_, value);
  }
  void field(const char* name, std::vector<int>& value, IntRange, const char*) override { list(name, value); }
  void field(const char* name, std::vector<std::string>& value, const char*) override {
    if (!is_wanted(name)) return;
    std::string text;
    for (const std::string& item : value) text += fmt::format("{}:{}", item.size(), item);
    show_(path_, text);
  }
  void field(const char* name, NumberByKind& value, IntRange, const char*) override {
    list(name, value.values);
  }
  void choice(const char* name, ConfigNode& value, const char*, const char*) override {
    if (!is_wanted(name)) return;
    std::string text;
    append_text(value, text);
    show_(path_, text);
  }
  void choices(const char* name, std::vector<ConfigNode>& value, const char*, const char*) override {
    if (!is_wanted(name)) return;
    std::string text;
    for (const ConfigNode& item : value) append_text(item, text);
    show_(path_, text);
  }

 protected:
  void nested(const char* name, const char*, const std::function<void(FieldVisitor&)>& visit) override {
    const std::string outer = group_;
    group_ += std::string(name) + ".";
    if (!wanted_ || has_wanted_inside()) visit(*this);
    group_ = outer;
  }

 private:
  bool is_wanted(const char* name) {
    path_ = group_ + name;
    return !wanted_ || wanted_->count(path_) != 0;
  }
  bool has_wanted_inside() const {
    const auto at = wanted_->lower_bound(group_);
    return at != wanted_->end() && at->starts_with(group_);
  }
  template <class Number>
  void number(const char* name, Number value) {
    if (is_wanted(name)) show_(path_, fmt::format("{}", value));
  }
  void list(const char* name, const std::vector<int>& values) {
    if (is_wanted(name)) show_(path_, fmt::format("{}", fmt::join(values, " ")));
  }

  const std::set<std::string>* wanted_;
  Show show_;
  std::string group_, path_;
};

const std::set<std::string>& all_fields() {
  static const std::set<std::string> paths = [] {
    std::set<std::string> all;
    for (const FieldInfo& field : describe_fields<run::RunParameters>()) all.insert(field.path);
    return all;
  }();
  return paths;
}

}  // namespace

FieldHashes::FieldHashes(run::RunParameters& parameters) {
  FieldTexts texts(nullptr, [this](const std::string& path, std::string_view text) {
    if (!counts(path)) return;
    positions_.emplace(path, hashes_.size());
    hashes_.push_back(launch::fnv1a64(text));
  });
  parameters.fields(texts);
}

std::uint64_t FieldHashes::hash() const { return hash_of(hashes_); }

std::uint64_t FieldHashes::hash_with(run::RunParameters& others, const std::set<std::string>& paths) const {
  std::vector<std::uint64_t> hashes = hashes_;
  FieldTexts texts(&paths, [&](const std::string& path, std::string_view text) {
    if (const auto at = positions_.find(path); at != positions_.end())
      hashes[at->second] = launch::fnv1a64(text);
  });
  others.fields(texts);
  return hash_of(hashes);
}

std::string field_at(const std::string& path) {
  for (std::size_t end = 0; end < path.size(); ++end) {
    end = std::min(path.find_first_of(".[", end), path.size());
    if (all_fields().count(path.substr(0, end))) return path.substr(0, end);
  }
  return {};
}

}  // namespace heddle::experiment
