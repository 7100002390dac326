#pragma once

// What the parts of the launch file's reader share: the names that are known at a place of the file.

#include <string>
#include <vector>

#include "testbench/launch/launch_format.h"
#include "testbench/launch/object_reader.h"

namespace heddle::launch {

class ReadingContext {
 public:
  explicit ReadingContext(const LaunchFile& file) : file_(file) {}

  /// Values, and the indices of the loops around the place.
  Scope names;

  Expression integer(const ConfigNode& node) const { return Expression::integer(node, names); }
  /// For an element of `type`.
  Expression number(const ConfigNode& node, ElementType type) const {
    return is_real(type) ? Expression::real(node, names) : Expression::integer(node, names);
  }
  /// 0 where the key is missing.
  Expression optional_integer(const ObjectReader& in, const char* key) const {
    return in.has(key) ? integer(in.get(key)) : Expression::constant(0);
  }
  /// The name of a buffer; throws Error that lists the buffers.
  std::string buffer_name(const ConfigNode& node) const;
  /// Type of a buffer that buffer_name() has accepted.
  ElementType buffer_type(const std::string& name) const { return file_.find_buffer(name)->type; }
  /// Throws Error for what cannot name a value, a buffer or an index.
  static void check_new_name(const ConfigNode& node, const std::string& name);

 private:
  const LaunchFile& file_;
};

/// Reads a non-empty list of steps.
std::vector<Step> read_steps(const ConfigNode& node, ReadingContext& context);

}  // namespace heddle::launch
