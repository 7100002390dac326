#pragma once

// Adds modifiers that early PTX versions imply, such as default rounding modes. Later versions require these
// modifiers in the text (PTX ISA 9.0, notes of each instruction; PTX ISA 1.4 for versions 1.0 to 1.3).

#include <string_view>

#include "models/ptx/ast.h"

namespace heddle::ptx {

class Dialect {
 public:
  void set_version(std::string_view text);
  void set_target(std::string_view text);

  bool has_parameters_in_body() const { return is_before(1, 4); }

  void complete(Statement& statement) const;
  /// For targets sm_1x: adds .ftz to an f32 instruction that can flush subnormals.
  void flush_subnormals(FormMatch& match) const;
  /// Throws UnsupportedError for an f64 instruction of a module with the target option map_f64_to_f32. With
  /// this option, hardware computes f64 instructions in f32.
  void require_doubles(const Source& source, const Statement& statement) const;

 private:
  bool is_before(int major, int minor) const {
    return major_ != 0 && (major_ < major || (major_ == major && minor_ < minor));
  }

  int major_ = 0, minor_ = 0;  ///< PTX version; 0 if the module has no .version directive
  bool is_sm_1x_ = false;
  bool maps_doubles_ = false;
};

}  // namespace heddle::ptx
