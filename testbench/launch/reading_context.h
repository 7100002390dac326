#pragma once

// Names that a launch file has defined before the position that is being read. All readers of parts of a
// launch file use this object.

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
  Expression number(const ConfigNode& node, ElementType type) const {
    return is_real(type) ? Expression::real(node, names) : Expression::integer(node, names);
  }
  Expression optional_integer(const ObjectReader& in, const char* key) const {
    return in.has(key) ? integer(in.get(key)) : Expression::constant(0);
  }
  /// Reads the name of a buffer. Throws Error, which lists the buffers, for an unknown name.
  std::string buffer_name(const ConfigNode& node) const;
  /// Reads the name of a texture. Throws Error, which lists the textures, for an unknown name.
  std::string texture_name(const ConfigNode& node) const;
  ElementType buffer_type(const std::string& name) const { return file_.find_buffer(name)->type; }
  Expression host(const ConfigNode& node) const;
  bool is_value(const std::string& name) const { return file_.values.find(name) != nullptr; }
  std::string resolve(const std::string& name) const;
  static void check_new_name(const ConfigNode& node, const std::string& name);

 private:
  const LaunchFile& file_;
};

std::vector<std::uint8_t> read_hexadecimal(const ConfigNode& node);

Argument read_argument(const ConfigNode& node, const ReadingContext& context);
std::vector<Argument> read_members(const ConfigNode& node, const ReadingContext& context);

/// Reads where the contents of a buffer or a symbol come from. `in`: an object with "init" or "file".
DataSource read_source(const ObjectReader& in, ElementType type, const ConfigNode& node,
                       const ReadingContext& context);
void read_values(const ConfigNode& node, ElementType type, const ReadingContext& context, DataSource& source);

/// Reads a request to write data to a module variable (symbol). `step`: true if the object is a step of the
/// launch file, which contains the symbol's name.
SymbolSpec read_symbol(const std::string& name, const ConfigNode& node, const ReadingContext& context,
                       bool step);

TextureSpec read_texture(const std::string& name, const ConfigNode& node, const ReadingContext& context);

std::vector<Step> read_steps(const ConfigNode& node, ReadingContext& context);

}  // namespace heddle::launch
