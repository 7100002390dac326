#pragma once

// Contents of a launch file (docs/formats/launch.md) after reading. Names have been checked and expressions
// parsed, but no expression has been evaluated.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/ptx/variable_space.h"
#include "testbench/launch/element_type.h"
#include "testbench/launch/expression.h"
#include "testbench/launch/pages.h"
#include "testbench/launch/textures.h"

namespace heddle::launch {

struct Argument {
  enum class Kind : std::uint8_t { buffer, symbol, texture, shared, scalar, structure, bytes };
  Kind kind = Kind::scalar;
  std::string buffer;
  Expression offset_bytes;
  ElementType type{};
  std::vector<Expression> values;  ///< a number, elements of an array, or the bytes of shared memory
  std::vector<Argument> members;
  std::uint32_t align = 0;  ///< alignment of a structure in bytes; 0: the alignment of its members
  std::vector<std::uint8_t> bytes;
  std::string where;
};

struct DataSource {
  enum class Kind : std::uint8_t { zeros, range, uniform, normal, values, file, members, pages };
  Kind kind = Kind::zeros;
  Expression first;   ///< start of a range, lowest value, or mean
  Expression second;  ///< step of a range, highest value, or deviation
  Expression seed;
  std::vector<Expression> values;
  std::vector<Argument> members;  ///< members laid out as in C; may be addresses
  std::string file;               ///< path, absolute or relative to the working folder
  PageSource pages;
  std::string where;
};

struct BufferSpec {
  std::string name;
  ElementType type{};
  /// Number of elements. The number may be absent if a file or a list determines it.
  std::optional<Expression> count;
  DataSource source;
  /// Address that the buffer had when it was captured. Without this address, the buffer follows the previous
  /// buffer.
  std::optional<std::uint64_t> address;
  /// if the buffer is the captured contents of a module variable: the variable's name; otherwise empty
  std::string variable;
  std::optional<PageSource> expected;
  std::string where;
};

/// A write to a module variable, or to a part of it, that the launch file requests.
struct SymbolSpec {
  enum class Kind : std::uint8_t {
    data,
    buffer,
    pointer,
    texture,
  };
  std::string name;
  Kind kind = Kind::data;
  ElementType type{};
  std::optional<Expression> count;
  DataSource source;
  std::string buffer;
  Expression buffer_offset;  ///< bytes that are added to the buffer's address
  Expression offset_bytes;   ///< byte offset in the module variable
  std::string where;
};

struct Step {
  enum class Kind : std::uint8_t { kernel, repeat, while_, swap, copy, fill, set, symbol, read_symbol };
  Kind kind = Kind::kernel;
  std::string kernel;
  std::array<Expression, 3> grid, block;
  Expression shared_bytes;
  bool cooperative = false;
  std::vector<Argument> arguments;
  std::optional<std::vector<std::uint8_t>> parameters;
  std::vector<Step> body;
  /// Name of the loop index, or of the element index of a `set` step for many elements; may be empty.
  std::string index;
  /// For a step `repeat`: number of iterations. For `while`: largest number of iterations. For `set`: number
  /// of elements.
  std::optional<Expression> count;
  /// For a step `while`: the buffer with the flag. For `swap`: the first buffer. For `copy`: the buffer to
  /// copy from. Otherwise: the buffer that the step changes.
  std::string buffer;
  std::string other;  ///< For swap: the second buffer. For copy: the target.
  Expression value;
  /// index of the element to set; without an index, the step changes a named value
  std::optional<Expression> at;
  std::vector<SymbolSpec> symbols;  ///< module variable that a symbol or read_symbol step accesses
  std::string where;
};

/// Permitted difference. An element x equals the expected element y if |x - y| <= absolute + relative * |y|.
struct Tolerance {
  bool exact = true;
  double relative = 0;
  double absolute = 0;
};

struct OutputSpec {
  std::string buffer;
  /// part of a module variable that is compared; empty if a buffer is compared
  std::vector<SymbolSpec> symbol;
  Tolerance compare;  ///< tolerance between timed run and untimed reference
  /// tolerance between untimed reference and the kernel's C++ reference
  std::optional<Tolerance> with_source;
  std::string why;
  std::string where;
};

/// Key `depends_on` of a launch file: influences, other than the data, on which the kernel's results depend.
struct Dependences {
  bool atomic_order = false;
  bool cta_order = false;
  bool time = false;
  bool placement = false;
  bool any() const { return atomic_order || cta_order || time || placement; }
};

struct LaunchFile {
  std::string path;
  std::string description;
  std::vector<std::string> ptx;
  /// Expected hash of each PTX file; an empty text accepts any contents.
  std::vector<std::string> ptx_hash;
  ptx::VariableSpace variables_at;  ///< address of the first module variable
  std::string pages;
  Scope values;
  std::vector<BufferSpec> buffers;
  std::vector<TextureSpec> textures;
  std::vector<SymbolSpec> symbols;
  std::vector<Step> steps;
  std::vector<OutputSpec> outputs;
  Dependences depends_on;
  std::optional<Expression> stack_bytes;  ///< stack per thread in bytes, for frames of recursive functions

  const BufferSpec* find_buffer(const std::string& name) const {
    for (const auto& b : buffers)
      if (b.name == name) return &b;
    return nullptr;
  }
  const TextureSpec* find_texture(const std::string& name) const {
    for (const auto& t : textures)
      if (t.name == name) return &t;
    return nullptr;
  }
};

/// Reads a launch file. Throws Error with file, line and key for anything invalid, and if a captured launch
/// was changed (capture_table.h). Does not open data files.
LaunchFile read_launch_file(const std::string& path);
/// Reads the text of a launch file. `path`: name of the file for messages; relative paths are relative to its
/// folder.
LaunchFile read_launch_text(const std::string& text, const std::string& path);

}  // namespace heddle::launch
