#pragma once

// Executes the steps of a launch file: allocates buffers, runs kernels, and returns outputs.

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/launch.h"
#include "testbench/launch/kernel_arguments.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/printed.h"
#include "testbench/launch/program_provider.h"

namespace heddle::launch {

/// Runs kernels. One implementation uses the untimed reference, another the timed GPU. `launch.id` is the
/// launch's position in the run, from 0.
class LaunchExecutor {
 public:
  virtual ~LaunchExecutor() = default;
  /// Execute the launch. When the function returns, `memory` must contain the kernel's results.
  virtual void launch(const isa::KernelLaunch& launch, MemoryImage& memory) = 0;
  /// Called before every iteration of a loop. An implementation may throw here to end a run whose loop
  /// launches no kernel.
  virtual void round() {}
};

struct BufferView {
  std::string name;
  ElementType type{};
  std::uint64_t address = 0;
  std::span<const std::uint8_t> data;
  Tolerance compare;
  std::optional<Tolerance> with_source;
  std::size_t count() const { return data.size() / bytes_of(type); }
};

class LaunchRun {
 public:
  /// Prepares to run a launch file. All arguments must outlive this object. `buffer_base`: address of the
  /// first buffer; 0: the address in isa::address_layout. `wide_guards`: after each buffer, unmapped space of
  /// at least the buffer's size follows, if there is room.
  LaunchRun(const LaunchFile& file, ProgramProvider& programs, MemoryImage& memory,
            std::uint64_t buffer_base = 0, bool wide_guards = true);

  /// Allocates and initialises buffers and module variables. Buffers are in the order of the file, with
  /// guards between them. Throws Error if buffers exceed the address space.
  void prepare();

  /// Does the same as prepare(), but takes addresses and contents from the run `prepared`. Both runs must
  /// have the same file and address space, and `prepared` must not have executed any step. The two memory
  /// images share contents until one of them writes.
  void prepare_like(const LaunchRun& prepared);

  /// Executes all steps. Throws Error for invalid arguments, for invalid block and grid sizes, and for
  /// endless loops.
  void run(LaunchExecutor& executor);

  std::vector<BufferView> outputs() const;
  BufferView buffer(const std::string& name) const;

  std::uint64_t launches() const { return launches_; }
  const Printed& printed() const { return printed_; }
  /// Returns a warning for each kernel that reads a clock or placement register (such as %clock or %smid), if
  /// `depends_on` of the launch file does not list this effect.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void place_buffers();
  void place_variables();
  void place_textures();
  std::vector<std::uint8_t> header_of(const TextureSpec& texture) const;
  void set_symbol(const SymbolSpec& symbol);
  void read_symbol(const Step& step);
  std::vector<std::uint8_t> symbol_data(const SymbolSpec& symbol) const;
  std::span<std::uint8_t> part_of(const SymbolSpec& symbol, std::uint64_t bytes) const;
  BufferView symbol_view(const SymbolSpec& symbol) const;
  BufferPlace place_of(const Argument& argument) const;
  std::vector<std::uint8_t> data_of(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count) const;
  const isa::ModuleVariable& find_variable(const SymbolSpec& symbol) const;
  void walk(const std::vector<Step>& steps, LaunchExecutor& executor);
  void launch_kernel(const Step& step, LaunchExecutor& executor);
  void loop(const Step& step, LaunchExecutor& executor);
  void copy(const Step& step);
  void fill(const Step& step);
  void set(const Step& step);
  bool any_set(const std::string& buffer) const;
  void warn(const isa::Program& program);
  std::span<std::uint8_t> bytes_of_buffer(const std::string& name) const;

  const LaunchFile& file_;
  ProgramProvider& programs_;
  MemoryImage& memory_;
  std::uint64_t buffer_base_;
  bool wide_guards_;
  Scope scope_;
  std::map<std::string, BufferPlace> places_;  // key: name of the buffer after the swaps so far
  std::map<std::string, BufferPlace> textures_;
  std::vector<std::pair<const BufferSpec*, std::vector<std::uint8_t>>> captured_variables_;
  bool placed_ = false;
  std::uint64_t launches_ = 0;
  Printed printed_;
  std::vector<std::string> warnings_;
  std::set<std::string> warned_;
};

struct LaunchShape {
  std::string kernel;
  isa::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
};
std::vector<LaunchShape> launch_shapes(const LaunchFile& file);

}  // namespace heddle::launch
