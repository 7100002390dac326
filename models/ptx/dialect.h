#pragma once

// Rules that early PTX leaves implicit and later PTX requires in the text (PTX ISA 9.0, notes of each
// instruction; PTX ISA 1.4 for versions 1.0 to 1.3).

#include <string_view>

#include "models/ptx/ast.h"

namespace heddle::ptx {

/// Rules of one module, selected by its .version and .target.
class Dialect {
 public:
  void set_version(std::string_view text);  ///< "1.4"
  void set_target(std::string_view text);   ///< "sm_13, map_f64_to_f32"

  /// Before PTX 1.4, kernels declare their parameters in the body.
  bool has_parameters_in_body() const { return is_before(1, 4); }

  /// Adds the default modifiers of the statement's instruction.
  void complete(Statement& statement) const;
  /// On sm_1x, every f32 instruction that can flush subnormals flushes them.
  void flush_subnormals(FormMatch& match) const;
  /// Throws UnsupportedError for f64 under map_f64_to_f32, which would compute in f32.
  void require_doubles(const Source& source, const Statement& statement) const;

 private:
  bool is_before(int major, int minor) const {
    return major_ != 0 && (major_ < major || (major_ == major && minor_ < minor));
  }

  int major_ = 0, minor_ = 0;  ///< 0 if the module has no .version
  bool is_sm_1x_ = false;
  bool maps_doubles_ = false;
};

}  // namespace heddle::ptx
