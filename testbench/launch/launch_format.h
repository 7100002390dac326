#pragma once

// Contents of a launch file (docs/formats/launch.md). Names are checked and expressions are parsed, but
// nothing is evaluated.

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
  std::string buffer;  ///< the buffer, symbol or texture whose address is passed
  Expression offset_bytes;
  ElementType type{};
  std::vector<Expression>
      values;  ///< values: one value, or the elements of an array; the bytes of shared memory
  std::vector<Argument> members;
  std::uint32_t align = 0;  ///< alignment of a structure in bytes; 0: the alignment of its members
  std::vector<std::uint8_t> bytes;
  std::string where;
};

/// Source of the contents of a buffer or a symbol.
struct DataSource {
  enum class Kind : std::uint8_t { zeros, range, uniform, normal, values, file, members, pages };
  Kind kind = Kind::zeros;
  Expression first;   ///< meaning by kind of source: start of range, low of uniform, mean of normal
  Expression second;  ///< meaning by kind of source: step of range, high of uniform, deviation of normal
  Expression seed;
  std::vector<Expression> values;
  std::vector<Argument> members;  ///< members in the layout of a structure; members may be addresses
  std::string file;               ///< path, absolute or relative to the working folder
  PageSource pages;
  std::string where;
};

struct BufferSpec {
  std::string name;
  ElementType type{};
  /// Number of elements; optional if a file or a list of values gives the number.
  std::optional<Expression> count;
  DataSource source;
  std::optional<std::uint64_t>
      address;  ///< address in a captured launch; without an address, the buffer follows the previous buffer
  /// Name of the module-level variable that the buffer is; empty: the buffer is no variable.
  std::string variable;
  std::optional<PageSource> expected;  ///< contents of the buffer after the captured launch
  std::string where;
};

/// A write to a part of a module-level variable.
struct SymbolSpec {
  enum class Kind : std::uint8_t {
    data,     ///< writes data, as for a buffer
    buffer,   ///< writes the contents of a buffer
    pointer,  ///< writes the address of a buffer
    texture,  ///< binds a texture to the variable
  };
  std::string name;
  Kind kind = Kind::data;
  ElementType type{};
  std::optional<Expression> count;
  DataSource source;
  std::string buffer;        ///< name of the buffer or texture
  Expression buffer_offset;  ///< bytes added to the address
  Expression offset_bytes;   ///< offset in the symbol
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
  std::optional<std::vector<std::uint8_t>>
      parameters;          ///< all bytes of the parameter block; replaces `arguments`
  std::vector<Step> body;  ///< steps inside a loop
  std::string index;       ///< name of the index of a loop, or of a set of many elements; may be empty
  /// Repeat: number of iterations; while: largest number of iterations; set: number of elements.
  std::optional<Expression> count;
  std::string buffer;  ///< while: flag; swap: first buffer; copy: source; fill, set, read_symbol: target
  std::string other;   ///< swap: second buffer; copy: target
  Expression value;    ///< value that fill or set writes
  /// Index of the element that set writes; without an index, set changes a value of the file.
  std::optional<Expression> at;
  std::vector<SymbolSpec> symbols;  ///< symbol, read_symbol: one symbol
  std::string where;
};

/// Tolerance for comparing two buffers. An element passes if |x - y| <= absolute + relative * |y|.
struct Tolerance {
  bool exact = true;
  double relative = 0;
  double absolute = 0;
};

struct OutputSpec {
  std::string buffer;              ///< name of the compared buffer or symbol
  std::vector<SymbolSpec> symbol;  ///< empty, or the part that is compared, as elements of a type
  Tolerance compare;               ///< tolerance of the timed run against the reference run
  std::optional<Tolerance>
      with_source;  ///< tolerance of the reference run against the C++ reference of the kernel
  std::string why;
  std::string where;
};

/// Influences other than the data on which results may depend.
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
  std::vector<std::string> ptx;       ///< paths of the PTX files, absolute or relative to the working folder
  std::vector<std::string> ptx_hash;  ///< of each PTX file (hash_of_file); empty: any contents
  ptx::VariableSpace variables_at;    ///< first address of the module's variables
  std::string pages;                  ///< file with the pages of buffers; empty: none
  Scope values;
  std::vector<BufferSpec> buffers;  ///< entries in the order of the file
  std::vector<TextureSpec> textures;
  std::vector<SymbolSpec> symbols;
  std::vector<Step> steps;
  std::vector<OutputSpec> outputs;
  Dependences depends_on;
  std::optional<Expression> stack_bytes;  ///< stack per thread in bytes, for recursive functions

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

/// Reads a launch file. Throws Error with file, line and key for anything invalid, and for a captured launch
/// that the table of its capture does not name (capture_table.h). Does not open the files that it names.
LaunchFile read_launch_file(const std::string& path);
/// Reads the text of a launch file. Messages name `path`, and its folder is the base of relative paths.
LaunchFile read_launch_text(const std::string& text, const std::string& path);

}  // namespace heddle::launch
