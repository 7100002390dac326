#pragma once

// A tree of configuration values. Each value records where it was written, so that errors can name file, line
// and key path.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/config_place.h"

namespace heddle {

class ConfigNode {
 public:
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  bool is_integer = false;  ///< The number has no fraction or exponent and fits in 64 bits.
  /// Exact value if is_integer is true. Values above INT64_MAX are stored as their bit pattern.
  std::int64_t integer = 0;
  double number = 0;  ///< Value as a floating-point number, also if is_integer is true.
  std::string text;
  std::vector<ConfigNode> items;
  std::vector<std::pair<std::string, ConfigNode>> members;

  SourceName file;  ///< Name of the file, or of another source of the value such as "--set".
  int line = 0;
  KeyPath path;  ///< Key path from the root, such as "register_file.stages[1].entries".

  ConfigNode();

  bool is_object() const { return kind == Kind::object; }
  bool is_array() const { return kind == Kind::array; }
  bool is_string() const { return kind == Kind::string; }
  bool is_number() const { return kind == Kind::number; }

  const ConfigNode* find(std::string_view key) const;
  ConfigNode* find(std::string_view key);

  /// Returns the text "file:line: path" for error messages.
  std::string where() const;

  /// Returns v if this node has the form `{"value": v, "source"|"assumed": "..."}`, otherwise this node. A
  /// node of this form must have exactly one of "source" and "assumed"; otherwise throws Error.
  const ConfigNode& unwrapped() const;

  static ConfigNode make_object(SourceName file = SourceName::built_in());
  static ConfigNode make_list(std::vector<ConfigNode> nodes = {}, SourceName file = {});
  /// Returns a list of strings. `file`: name of the source of these strings in error messages.
  static ConfigNode make_texts(const std::vector<std::string>& texts,
                               const SourceName& file = SourceName::built_in());
  static ConfigNode make_string(std::string value, SourceName file = SourceName::built_in());
  static ConfigNode make_integer(std::int64_t value, SourceName file = SourceName::built_in());
  static ConfigNode make_count(std::uint64_t value, SourceName file = SourceName::built_in());
  static ConfigNode make_number(double value, SourceName file = SourceName::built_in());
  static ConfigNode make_boolean(bool value, SourceName file = SourceName::built_in());
};

/// Parses JSON text. Throws Error with file, line and column for syntax errors and duplicate keys.
ConfigNode parse_config_text(std::string_view text, const std::string& file_name);
ConfigNode parse_config_file(const std::string& path);

/// Merges the configuration `over` into `base`. Objects are merged member by member. Any other value of
/// `over` replaces the value in `base`; a plain value replaces a whole object {"value": ..., "source": ...}.
void merge_config(ConfigNode& base, const ConfigNode& over);

/// Applies an assignment `path.key=value`, as given to --set. The value is parsed as JSON; a value that is
/// not valid JSON is stored as a string. The path names an item of a list by its position, as in
/// `stages[0].entries`.
void set_config(ConfigNode& root, std::string_view assignment);

/// Returns the tree as indented JSON text, with members in the order of the tree.
std::string to_json(const ConfigNode& node);
/// Returns the text of to_json() without the last line break, indented for a node at nesting depth `depth`.
/// For callers that write a tree in pieces.
std::string to_json_at(const ConfigNode& node, int depth);

/// Returns the format version of a file: the member "format" of the root object. If the member is missing,
/// throws Error if `required` is true, otherwise returns `newest`. Throws Error if the version is not between
/// `oldest` and `newest`. `what`: kind of file, for error messages, such as "a launch file".
int format_of(const ConfigNode& root, const std::string& what, int oldest, int newest, bool required);

}  // namespace heddle
