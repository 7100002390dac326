#pragma once

// The state of the CUDA runtime in a program's process, and the frame of every call. Calls run one at a time.
// Errors are those of CUDA, and a line on standard error gives the cause.

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "testbench/cudart/cuda_abi.h"
#include "testbench/cudart/device.h"
#include "testbench/cudart/modules.h"
#include "testbench/cudart/refusal.h"
#include "testbench/cudart/textures.h"
#include "testbench/program/device_memory.h"
#include "testbench/program/launcher.h"

namespace heddle::cudart {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
};

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  double time_ms = 0;  ///< simulated time at which the event was recorded
};

/// Configuration of <<<grid, block, shared, stream>>>, kept until the launch uses it.
struct CallConfiguration {
  isa::Dim3 grid, block;
  std::size_t shared_bytes = 0;
  const void* stream = nullptr;
  bool cooperative = false;
};

class Runtime {
 public:
  /// Lives until the process ends, because destructors of static objects may call CUDA.
  static Runtime& instance();

  program::DeviceMemory& memory() { return *memory_; }
  program::Launcher& launcher() { return *launcher_; }
  const program::ExecParameters& parameters() const { return parameters_; }
  Modules& modules() { return *modules_; }
  Machine machine() { return {parameters_, *launcher_, *modules_, *memory_}; }
  Textures& textures() { return textures_; }
  std::set<Stream*>& streams() { return streams_; }
  std::set<Event*>& events() { return events_; }

  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;  ///< stack of a thread, for recursive functions

  /// Throws Refusal if the handle is neither a stream nor a default stream.
  void check_stream(const void* stream) const;
  Event& event(void* handle) const;

  /// Executes body(runtime) as the call `name` and returns its error. An exception becomes an error, which is
  /// printed and stored as the last error.
  template <class Body>
  int call(const char* name, Body body) {
    const std::lock_guard lock(mutex_);
    try {
      begin();
      body(*this);
      return cudaSuccess;
    } catch (...) {
      return fail(name);
    }
  }

  int take_last_error();
  int last_error();
  /// Returns the kernel of a handle, with its program parsed. Throws Refusal if the handle is no kernel.
  program::Kernel& kernel_of(const void* function);
  void launch(const void* function, const CallConfiguration& configuration, void** arguments);
  /// Launches with the bytes of all parameters in the kernel's layout.
  void launch_block(const void* function, const CallConfiguration& configuration,
                    const std::vector<std::uint8_t>& parameters);
  /// Resets the memory and the errors of the device to their initial state.
  void reset();
  void finish();

  static thread_local std::vector<CallConfiguration>
      configurations;  ///< configuration that <<<>>> pushed and the launch has not used yet
  /// Bytes of parameters that cudaSetupArgument collected.
  static thread_local std::vector<std::uint8_t> old_arguments;

 private:
  Runtime();
  void begin();
  int fail(const char* name);
  int remember(const char* name, int code, const std::string& text);
  void run(program::Kernel& kernel, const CallConfiguration& configuration,
           std::vector<std::uint8_t> parameters);

  std::recursive_mutex mutex_;
  program::ExecParameters parameters_;
  std::unique_ptr<program::DeviceMemory> memory_;
  std::unique_ptr<program::Launcher> launcher_;
  std::unique_ptr<Modules> modules_;
  Textures textures_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  int process_ = 0;
  int last_error_ = cudaSuccess, sticky_ = cudaSuccess;
  unsigned errors_shown_ = 0;
};

}  // namespace heddle::cudart
