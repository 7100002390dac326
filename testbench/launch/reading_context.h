#pragma once

// Names that are defined before the present position in a launch file. All parts of the reader use them.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"

namespace heddle::launch {

class ReadingContext {
 public:
  explicit ReadingContext(const LaunchFile& file) : file_(file) {}

  /// named values, and indices of the enclosing loops
  Scope names;

  Expression integer(const ConfigNode& node) const { return Expression::integer(node, names); }
  /// Reads an expression whose value is an element of `type`.
  Expression number(const ConfigNode& node, ElementType type) const {
    return is_real(type) ? Expression::real(node, names) : Expression::integer(node, names);
  }
  /// Reads an optional integer expression; 0 if the key is missing.
  Expression optional_integer(const ObjectReader& in, const char* key) const {
    return in.has(key) ? integer(in.get(key)) : Expression::constant(0);
  }
  /// Reads the name of a buffer. Throws Error, which lists the buffers, for another name.
  std::string buffer_name(const ConfigNode& node) const;
  /// Reads the name of a texture, surface or sampler. Throws Error, which lists them, for another name.
  std::string texture_name(const ConfigNode& node) const;
  /// Returns the element type of a buffer. buffer_name() must have accepted the name.
  ElementType buffer_type(const std::string& name) const { return file_.find_buffer(name)->type; }
  /// Reads an expression that the host evaluates between launches.
  Expression host(const ConfigNode& node) const;
  /// Returns true if the file's "values" contain this name.
  bool is_value(const std::string& name) const { return file_.values.find(name) != nullptr; }
  /// Returns the path of a file that is named relative to the launch file's folder.
  std::string resolve(const std::string& name) const;
  /// Throws Error if the name is invalid for a value, a buffer or a loop index.
  static void check_new_name(const ConfigNode& node, const std::string& name);

 private:
  const LaunchFile& file_;
};

/// Reads bytes that a text gives as two hexadecimal digits each.
std::vector<std::uint8_t> read_hexadecimal(const ConfigNode& node);

Argument read_argument(const ConfigNode& node, const ReadingContext& context);
/// Reads a non-empty list of members of a structure.
std::vector<Argument> read_members(const ConfigNode& node, const ReadingContext& context);

/// Reads the contents of a buffer or a symbol. `node` is the object with "init" or "file".
DataSource read_source(const ObjectReader& in, ElementType type, const ConfigNode& node,
                       const ReadingContext& context);
/// Reads the contents of a buffer that are given as a list of values.
void read_values(const ConfigNode& node, ElementType type, const ReadingContext& context, DataSource& source);

/// Reads a write to a symbol. `step`: the object is a step and names the symbol itself.
SymbolSpec read_symbol(const std::string& name, const ConfigNode& node, const ReadingContext& context,
                       bool step);

/// Reads the description of a texture, surface or sampler.
TextureSpec read_texture(const std::string& name, const ConfigNode& node, const ReadingContext& context);

/// Reads a non-empty list of steps of a launch file.
std::vector<Step> read_steps(const ConfigNode& node, ReadingContext& context);

}  // namespace heddle::launch
