#pragma once

// The state of the CUDA runtime in a program's process, and the frame of every call. Calls run one at a time.
// Errors are those of CUDA, and a line on standard error gives the cause.

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

  /// Shares managed variables with the host. After an error no call succeeds: the program would go on without them.
  void load_managed();
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
  /// printed and stored as the last error. The first call starts the device, in the process that makes it. A
  /// process that was forked from one with a device gets cudaErrorInitializationError, without a lock that another
  /// thread may have held at the fork.
  template <class Body>
  int call(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      check_sticky();
      body(*this);
    });
  }
  /// As call(), of a launch: it gets a row also if a launch before it has failed.
  template <class Body>
  int call_launch(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      body(*this);
    });
  }
  /// As call(), of a program's start-up code: it does not start the device.
  template <class Body>
  int prepare(const char* name, Body body) {
    return framed(name, [&] { body(*this); });
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
  /// Executes body() as a launch. One that does not reach the launcher gets its row here.
  void record_launch(const void* function, const CallConfiguration& configuration,
                     const std::function<void()>& body);
  void name_kernel(const void* function, program::LaunchRow& row);
  void run(program::Kernel& kernel, const CallConfiguration& configuration,
           std::vector<std::uint8_t> parameters);

  std::recursive_mutex mutex_;
  program::ExecParameters given_, parameters_;  ///< parameters as read, and of this process
  std::unique_ptr<program::DeviceMemory> memory_;
  std::unique_ptr<program::Launcher> launcher_;
  std::unique_ptr<Modules> modules_;
  Textures textures_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  int prepared_by_ = 0;           ///< process that has claimed `parameters_`
  std::atomic<int> process_ = 0;  ///< process that has started the device; 0: none
  int last_error_ = cudaSuccess, sticky_ = cudaSuccess;
  unsigned errors_shown_ = 0;
};

}  // namespace heddle::cudart
