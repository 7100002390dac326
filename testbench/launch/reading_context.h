#pragma once

// State shared by the parts of the launch file's reader: names that are known at a place of the file.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"

namespace heddle::launch {

class ReadingContext {
 public:
  explicit ReadingContext(const LaunchFile& file) : file_(file) {}

  /// Values, and the indices of the enclosing loops.
  Scope names;

  Expression integer(const ConfigNode& node) const { return Expression::integer(node, names); }
  /// Expression for an element of `type`.
  Expression number(const ConfigNode& node, ElementType type) const {
    return is_real(type) ? Expression::real(node, names) : Expression::integer(node, names);
  }
  /// 0 if the key is missing.
  Expression optional_integer(const ObjectReader& in, const char* key) const {
    return in.has(key) ? integer(in.get(key)) : Expression::constant(0);
  }
  /// The name of a buffer; throws Error that lists the buffers.
  std::string buffer_name(const ConfigNode& node) const;
  /// The name of a texture, surface or sampler; throws Error that lists them.
  std::string texture_name(const ConfigNode& node) const;
  /// Type of a buffer whose name buffer_name() has accepted.
  ElementType buffer_type(const std::string& name) const { return file_.find_buffer(name)->type; }
  /// Expression that the host computes between launches.
  Expression host(const ConfigNode& node) const;
  /// True if "values" of the file has this name.
  bool is_value(const std::string& name) const { return file_.values.find(name) != nullptr; }
  /// A path relative to the file's folder.
  std::string resolve(const std::string& name) const;
  /// Throws Error for an invalid name of a value, a buffer or an index.
  static void check_new_name(const ConfigNode& node, const std::string& name);

 private:
  const LaunchFile& file_;
};

/// Bytes as two hexadecimal digits each.
std::vector<std::uint8_t> read_hexadecimal(const ConfigNode& node);

Argument read_argument(const ConfigNode& node, const ReadingContext& context);
/// A non-empty list of members of a structure.
std::vector<Argument> read_members(const ConfigNode& node, const ReadingContext& context);

/// Contents of a buffer or a symbol: `node` is the object with "init" or "file".
DataSource read_source(const ObjectReader& in, ElementType type, const ConfigNode& node,
                       const ReadingContext& context);
/// A list of values as the contents.
void read_values(const ConfigNode& node, ElementType type, const ReadingContext& context, DataSource& source);

/// Write to a symbol; `step`: the object is a step and names the symbol itself.
SymbolSpec read_symbol(const std::string& name, const ConfigNode& node, const ReadingContext& context,
                       bool step);

/// A texture, surface or sampler.
TextureSpec read_texture(const std::string& name, const ConfigNode& node, const ReadingContext& context);

/// Reads a non-empty list of steps.
std::vector<Step> read_steps(const ConfigNode& node, ReadingContext& context);

}  // namespace heddle::launch
