#pragma once

// Holds the state of the CUDA runtime in a program's process. Also contains the code around every CUDA call.
// Only one call runs at a time. Calls return CUDA's error codes, and a line on standard error states the
// cause.

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
  double time_ms = 0;
};

/// Launch configuration of <<<grid, block, shared, stream>>>. It is stored until the launch call that
/// follows.
struct CallConfiguration {
  isa::Dim3 grid, block;
  std::size_t shared_bytes = 0;
  const void* stream = nullptr;
  bool cooperative = false;
};

class Runtime {
 public:
  /// Returns the only Runtime object. It is never destroyed, because destructors of static objects may still
  /// make CUDA calls.
  static Runtime& instance();

  /// Lets the host access managed variables. If this fails, all later calls fail too.
  void load_managed();
  program::DeviceMemory& memory() { return *memory_; }
  program::Launcher& launcher() { return *launcher_; }
  const program::ExecParameters& parameters() const { return parameters_; }
  Modules& modules() { return *modules_; }
  Machine machine() { return {parameters_, *launcher_, *modules_, *memory_}; }
  Textures& textures() { return textures_; }
  std::set<Stream*>& streams() { return streams_; }
  std::set<Event*>& events() { return events_; }

  std::uint32_t stack_bytes = ptx::kDefaultStackBytes;

  /// Throws Refusal if the handle is neither a stream nor a default stream.
  void check_stream(const void* stream) const;
  Event& event(void* handle) const;

  /// Executes body(runtime) as the CUDA call `name` and returns its error. An exception becomes an error,
  /// which is printed and stored as the last error. The first call of a process starts the device. In a
  /// forked child whose parent has a device, calls return cudaErrorInitializationError. These calls do not
  /// take the lock, because another thread may have held it during the fork.
  template <class Body>
  int call(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      check_sticky();
      body(*this);
    });
  }
  /// Executes body(runtime) as the CUDA call `name`, which launches a kernel, and handles errors like call().
  /// The launch gets a row in launches.csv, even if an earlier error prevents the launch.
  template <class Body>
  int call_launch(const char* name, Body body) {
    return framed(name, [&] {
      begin();
      body(*this);
    });
  }
  /// Executes body(runtime) as the call `name` of the program's start-up code, and handles errors like
  /// call(). Does not start the device.
  template <class Body>
  int prepare(const char* name, Body body) {
    return framed(name, [&] { body(*this); });
  }

  int take_last_error();
  int last_error();
  /// Returns the kernel of a handle. Parses the kernel's program at its first use. Throws Refusal for an
  /// unknown handle.
  program::Kernel& kernel_of(const void* function);
  void launch(const void* function, const CallConfiguration& configuration, void** arguments);
  void launch_block(const void* function, const CallConfiguration& configuration,
                    const std::vector<std::uint8_t>& parameters);
  void reset();
  void finish();

  /// configurations that <<<>>> has stored for launch calls that have not yet followed
  static thread_local std::vector<CallConfiguration> configurations;
  /// bytes of the kernel parameters that cudaSetupArgument has stored so far
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
  /// Executes body() as a launch. The launcher writes the launch's row of launches.csv. If body() fails
  /// before it calls the launcher, this function writes the row.
  void record_launch(const void* function, const CallConfiguration& configuration,
                     const std::function<void()>& body);
  void name_kernel(const void* function, program::LaunchRow& row);
  void run(program::Kernel& kernel, const CallConfiguration& configuration,
           std::vector<std::uint8_t> parameters);

  std::recursive_mutex mutex_;
  /// parameters from the file of `heddle exec`, and the same parameters with the changes for this process
  program::ExecParameters given_, parameters_;
  std::unique_ptr<program::DeviceMemory> memory_;
  std::unique_ptr<program::Launcher> launcher_;
  std::unique_ptr<Modules> modules_;
  Textures textures_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  int prepared_by_ = 0;
  std::atomic<int> process_ = 0;
  int last_error_ = cudaSuccess, sticky_ = cudaSuccess;
  unsigned errors_shown_ = 0;
};

}  // namespace heddle::cudart
