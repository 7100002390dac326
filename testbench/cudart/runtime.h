#pragma once

// State of the CUDA runtime in a program's process, and the code around every CUDA call. Calls run one at a
// time. They return CUDA's error codes, and a line on standard error gives the cause.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
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

/// Launch configuration of <<<grid, block, shared, stream>>>, stored until the launch call uses it.
struct CallConfiguration {
  isa::Dim3 grid, block;
  std::size_t shared_bytes = 0;
  const void* stream = nullptr;
  bool cooperative = false;
};

class Runtime {
 public:
  /// Returns the only object of this class. The object lives until the process ends, because destructors of
  /// static objects may make CUDA calls.
  static Runtime& instance();

  /// Makes managed variables visible to the host. If this fails, all later calls fail too, because the
  /// program could not run without these variables.
  void load_managed();
  program::DeviceMemory& memory() { return *memory_; }
  program::Launcher& launcher() { return *launcher_; }
  const program::ExecParameters& parameters() const { return parameters_; }
  Modules& modules() { return *modules_; }
  Machine machine() { return {parameters_, *launcher_, *modules_, *memory_}; }
  Textures& textures() { return textures_; }
  std::set<Stream*>& streams() { return streams_; }
  std::set<Event*>& events() { return events_; }

  /// Bytes of stack per thread, for recursive functions.
  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;

  /// Throws Refusal if the handle is neither a stream nor a default stream.
  void check_stream(const void* stream) const;
  Event& event(void* handle) const;

  /// Executes body(runtime) as the CUDA call `name` and returns its error. An exception of the body becomes
  /// an error, which is printed and stored as the last error. The first call of a process starts the device.
  /// If a process with a device forks, calls of the new process get cudaErrorInitializationError. Such calls
  /// do not take the lock, because another thread may have held the lock during the fork.
  template <class Body>
  int call(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      check_sticky();
      body(*this);
    });
  }
  /// Does the same as call(), for a launch. The launch gets a row in the table even if an earlier launch has
  /// failed.
  template <class Body>
  int call_launch(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      body(*this);
    });
  }
  /// Does the same as call(), for start-up code of a program. Start-up code does not start the device.
  template <class Body>
  int prepare(const char* name, Body body) {
    return framed(name, [&] { body(*this); });
  }

  int take_last_error();
  int last_error();
  /// Returns the kernel of a handle, after parsing its program. Throws Refusal if the handle is no kernel.
  program::Kernel& kernel_of(const void* function);
  void launch(const void* function, const CallConfiguration& configuration, void** arguments);
  /// Launches a kernel. `parameters`: bytes of all parameters, in the kernel's layout.
  void launch_block(const void* function, const CallConfiguration& configuration,
                    const std::vector<std::uint8_t>& parameters);
  /// Resets the memory and the errors of the device to their initial state.
  void reset();
  void finish();

  static thread_local std::vector<CallConfiguration>
      configurations;  ///< launch configurations that <<<>>> has stored and no launch has used yet
  /// bytes of the parameters that cudaSetupArgument has collected
  static thread_local std::vector<std::uint8_t> old_arguments;

 private:
  Runtime();
  template <class Body>
  int framed(const char* name, Body body) {
    if (is_forked()) return refuse_forked(name);
    const std::lock_guard lock(mutex_);
    try {
      body();
      return cudaSuccess;
    } catch (...) {
      return fail(name);
    }
  }
  bool is_forked() const;
  int refuse_forked(const char* name);
  static void free_lock_in_child();
  void start();
  void begin();
  void check_sticky() const;
  int fail(const char* name);
  int remember(const char* name, int code, std::string_view text);
  /// Executes body() as a launch. If the body fails before the launcher is called, writes the launch's row
  /// here.
  void record_launch(const void* function, const CallConfiguration& configuration,
                     const std::function<void()>& body);
  void name_kernel(const void* function, program::LaunchRow& row);
  void run(program::Kernel& kernel, const CallConfiguration& configuration,
           std::vector<std::uint8_t> parameters);

  std::recursive_mutex mutex_;
  /// Parameters as read from the file, and as changed for this process.
  program::ExecParameters given_, parameters_;
  std::unique_ptr<program::DeviceMemory> memory_;
  std::unique_ptr<program::Launcher> launcher_;
  std::unique_ptr<Modules> modules_;
  Textures textures_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  int prepared_by_ = 0;           ///< number of the process for which `parameters_` were changed
  std::atomic<int> process_ = 0;  ///< number of the process that has started the device; 0: none
  int last_error_ = cudaSuccess, sticky_ = cudaSuccess;
  unsigned errors_shown_ = 0;
};

}  // namespace heddle::cudart
