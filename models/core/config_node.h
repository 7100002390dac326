#pragma once

// A configuration tree. Each value records where it was written, so that errors can name file, line and key
// path. Boost.JSON parses the text (config_json.cpp), and duplicate keys are an error.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle {

class ConfigNode {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  bool is_integer = false;        ///< the number has no fraction or exponent and fits in 64 bits
  std::int64_t integer = 0;       ///< valid if is_integer; values above INT64_MAX keep their bit pattern
  double number = 0;              ///< valid for all numbers
  std::string text;               ///< value of a string
  std::vector<ConfigNode> items;  ///< elements of an array
  std::vector<std::pair<std::string, ConfigNode>> members;  ///< members of an object, in file order

  std::string file;  ///< file name, or a name such as "--set"
  int line = 0;
  std::string path;  ///< key path from the root: "register_file.stages[1].entries"

  // Defined outside of the class: pairs of members would instantiate it before the class is complete.
  ConfigNode();

  bool is_object() const { return kind == Kind::object; }
  bool is_array() const { return kind == Kind::array; }
  bool is_string() const { return kind == Kind::string; }
  bool is_number() const { return kind == Kind::number; }

  /// Returns the member of an object, or nullptr.
  const ConfigNode* find(std::string_view key) const;
  ConfigNode* find(std::string_view key);

  /// Returns the text "file:line: path" for messages.
  std::string where() const;

  /// Returns the value in `{"value": v, "source"|"assumed": "..."}`, or this node if it is a plain value.
  /// Throws Error if such a wrapper has neither or both of source and assumed, or another key.
  const ConfigNode& unwrapped() const;

  static ConfigNode make_object(std::string file = "built-in");
  static ConfigNode make_list(std::vector<ConfigNode> nodes = {}, std::string file = "");
  /// A list of strings that were written in `file`.
  static ConfigNode make_texts(const std::vector<std::string>& texts, const std::string& file = "built-in");
  static ConfigNode make_string(std::string value, std::string file = "built-in");
  static ConfigNode make_integer(std::int64_t value, std::string file = "built-in");
  static ConfigNode make_count(std::uint64_t value, std::string file = "built-in");
  static ConfigNode make_number(double value, std::string file = "built-in");
  static ConfigNode make_boolean(bool value, std::string file = "built-in");
};

/// Parses JSON. Throws Error with file, line and column for syntax errors and duplicate keys.
ConfigNode parse_config_text(std::string_view text, const std::string& file_name);
ConfigNode parse_config_file(const std::string& path);

/// Merges `over` into `base`: objects are merged member by member, all other values are replaced. A plain
/// value replaces a whole `{"value": ...}` wrapper.
void merge_config(ConfigNode& base, const ConfigNode& over);

/// Applies `path.key=value`. The value is JSON if it can be parsed, otherwise a string. List items are
/// written as `stages[0].entries`.
void set_config(ConfigNode& root, std::string_view assignment);

/// Returns the indented JSON text of the tree, with members in the order of the tree.
std::string to_json(const ConfigNode& node);
/// As to_json, without the last line break and indented for this nesting depth, for trees that are written in
/// pieces.
std::string to_json_at(const ConfigNode& node, int depth);

/// Returns the format version from "format" of the root. `required`: a missing "format" is an error;
/// otherwise it stands for the newest version. Throws Error if the version is not in oldest..newest, and for
/// a root that is no object. `what` names the kind of file: "a launch file".
int format_of(const ConfigNode& root, const std::string& what, int oldest, int newest, bool required);

}  // namespace heddle
