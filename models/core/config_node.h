#pragma once

// A configuration as a tree that remembers where every value was written, so that errors can name file,
// line and key path. Boost.JSON parses (config_node.cpp); duplicate keys are rejected there.

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
  bool is_integer = false;        ///< number without fraction or exponent that fits 64 bits
  std::int64_t integer = 0;       ///< valid if is_integer (values above INT64_MAX keep their bit pattern)
  double number = 0;              ///< valid for every number
  std::string text;               ///< the string
  std::vector<ConfigNode> items;  ///< array
  std::vector<std::pair<std::string, ConfigNode>> members;  ///< object, in the order written

  std::string file;  ///< file name, or a name such as "--set"
  int line = 0;
  std::string path;  ///< key path from the root, "register_file.stages[1].entries"

  ConfigNode();  // outside of the class: pairs of members instantiate it before the class is complete

  bool is_object() const { return kind == Kind::object; }
  bool is_array() const { return kind == Kind::array; }
  bool is_string() const { return kind == Kind::string; }
  bool is_number() const { return kind == Kind::number; }

  /// Member of an object, or nullptr.
  const ConfigNode* find(std::string_view key) const;
  ConfigNode* find(std::string_view key);

  /// "file:line: path" for messages.
  std::string where() const;

  /// The value inside `{"value": v, "source"|"assumed": "..."}`, or this node itself if plain.
  /// Throws Error when a wrapper carries neither or both of source and assumed, or another key.
  const ConfigNode& unwrapped() const;

  static ConfigNode make_object(std::string file = "built-in");
  static ConfigNode make_list(std::vector<ConfigNode> nodes = {}, std::string file = "");
  /// A list of strings, each as if written in `file`.
  static ConfigNode make_texts(const std::vector<std::string>& texts, const std::string& file = "built-in");
  static ConfigNode make_string(std::string value, std::string file = "built-in");
  static ConfigNode make_integer(std::int64_t value, std::string file = "built-in");
  static ConfigNode make_count(std::uint64_t value, std::string file = "built-in");
  static ConfigNode make_number(double value, std::string file = "built-in");
  static ConfigNode make_boolean(bool value, std::string file = "built-in");
};

/// Parses JSON; throws Error with file, line and column for syntax errors and duplicate keys.
ConfigNode parse_config_text(std::string_view text, const std::string& file_name);
ConfigNode parse_config_file(const std::string& path);

/// Lays `over` on `base`: objects merge member by member, everything else is replaced.
/// A `{"value": ...}` wrapper in the base is replaced whole by a plain value.
void merge_config(ConfigNode& base, const ConfigNode& over);

/// Applies `path.key=value` (value is JSON if it parses, else a string). Array items as `stages[0].entries`.
void set_config(ConfigNode& root, std::string_view assignment);

/// JSON text of the tree (pretty, stable order).
std::string to_json(const ConfigNode& node);
/// The same without the end of the last line, as it stands in a text at this depth of nesting: for a tree that is
/// written piece by piece.
std::string to_json_at(const ConfigNode& node, int depth);

/// Version of a file's format, from "format" of its root. `required`: a missing "format" is an error;
/// otherwise it means the newest version. Throws Error that names the version if it is outside of
/// oldest..newest, and for a root that is no object. `what` is the kind of file: "a launch file".
int format_of(const ConfigNode& root, const std::string& what, int oldest, int newest, bool required);

}  // namespace heddle
