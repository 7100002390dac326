#pragma once

// Place of a configuration value: the name of its file, and its key path. Error texts name both. All values
// of a file share one name and one table of key paths. The text of a path is made only for an error.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

/// Name of a file, or of another source such as "--set". Copies share the text.
class SourceName {
 public:
  SourceName() = default;
  SourceName(std::string name);  // NOLINT: a name is a string
  SourceName(const char* name) : SourceName(std::string(name)) {}

  /// name of values that Heddle sets itself, and that come from no file or option: "built-in"
  static const SourceName& built_in();

  const std::string& text() const;
  operator const std::string&() const { return text(); }  // NOLINT: a name is a string
  bool empty() const { return !text_; }
  friend bool operator==(const SourceName& a, std::string_view b) { return a.text() == b; }

 private:
  std::shared_ptr<const std::string> text_;  ///< null: empty
};

/// Key paths of the values of one file. A path is stored as the number of its parent's path (an object or
/// list), and a key or position in this parent.
class KeyPaths {
 public:
  using Id = std::uint32_t;
  static constexpr Id kRoot = 0;

  Id add(Id parent, std::string_view key);
  Id add(Id parent, std::size_t position);
  /// Returns a path such as "register_file.stages[1].entries". The root's path is empty.
  std::string text(Id path) const;

 private:
  static constexpr std::uint32_t kPosition = ~std::uint32_t{0};
  struct Step {
    Id parent;
    std::uint32_t key;   ///< begin of the key in keys_; kPosition: an item of a list
    std::uint32_t size;  ///< length of the key, or position of the item
  };
  std::string keys_;
  std::vector<Step> steps_;  ///< step of path i + 1
};

class KeyPath {
 public:
  KeyPath() = default;
  KeyPath(const std::string& text);  // NOLINT: a path is a string
  KeyPath(std::shared_ptr<const KeyPaths> paths, KeyPaths::Id id) : paths_(std::move(paths)), id_(id) {}

  std::string text() const { return empty() ? "" : paths_->text(id_); }
  operator std::string() const { return text(); }  // NOLINT: a path is a string
  bool empty() const { return id_ == KeyPaths::kRoot; }
  friend bool operator==(const KeyPath& a, std::string_view b) { return a.text() == b; }

 private:
  std::shared_ptr<const KeyPaths> paths_;
  KeyPaths::Id id_ = KeyPaths::kRoot;
};

}  // namespace heddle
