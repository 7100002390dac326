#include "testbench/cudart/runtime.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "models/core/error.h"
#include "models/core/exception_text.h"
#include "models/core/read_file.h"
#include "models/reference/reference.h"
#include "testbench/cudart/error_names.h"
#include "testbench/run/data_files.h"

namespace heddle::cudart {
namespace {

// Number of bytes of padding around allocations with --lenient. For example, Rodinia's srad_v2 reads 256
// bytes before an array.
constexpr std::uint64_t kPadding = 1024;
constexpr unsigned kMostErrorsShown = 50;

void* const kLegacyStream = pointer_to(1);
void* const kPerThreadStream = pointer_to(2);

void say(const std::string& text) {
  std::fflush(stdout);
  fmt::print(stderr, "heddle: {}\n", on_one_line(printable(text)));
}

[[noreturn]] void end_without_memory() {
  for (const std::string_view part :
       {std::string_view("heddle: error: "), std::string_view(kNoMemory), std::string_view("\n")}) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, part.data(), part.size());
  }
  std::_Exit(1);
}

// If memory runs out while the GPU is built, SystemC's destructors end the process, because they allocate
// memory, too. While an object of this class exists, the process then ends with an error line.
class WhileStarting {
 public:
  WhileStarting() : before_(std::set_terminate(end_without_memory)) {}
  ~WhileStarting() { std::set_terminate(before_); }
  WhileStarting(const WhileStarting&) = delete;
  WhileStarting& operator=(const WhileStarting&) = delete;

 private:
  std::terminate_handler before_;
};

int code_of(reference::FaultError::Kind kind) {
  using Fault = reference::FaultError::Kind;
  switch (kind) {
    case Fault::address:
      return cudaErrorIllegalAddress;
    case Fault::misaligned:
      return cudaErrorMisalignedAddress;
    case Fault::assertion:
      return cudaErrorAssert;
    case Fault::trap:
    case Fault::barrier:
    case Fault::other:
      break;
  }
  return cudaErrorLaunchFailure;
}

}  // namespace

thread_local std::vector<CallConfiguration> Runtime::configurations;
thread_local std::vector<std::uint8_t> Runtime::old_arguments;

Runtime& Runtime::instance() {
  static Runtime* const runtime = [] {
    auto* const made = new Runtime;
    std::atexit([] { Runtime::instance().finish(); });
    ::pthread_atfork(nullptr, nullptr, &Runtime::free_lock_in_child);
    return made;
  }();
  return *runtime;
}

// The device starts at the first CUDA call, not at the start of the process. A process that is forked before
// the first CUDA call can therefore have a device of its own.
Runtime::Runtime() : prepared_by_(::getpid()) {
  try {
    const char* const file = std::getenv(program::kExecVariable);
    if (!file)
      throw Error(program::kExecVariable,
                  "not set: this is Heddle's CUDA runtime, which runs no program by itself",
                  "heddle exec -- ./program");
    given_ = parameters_ = program::read_exec_parameters(file);
    program::claim_process(parameters_);
    if (!parameters_.program.empty()) run::use_data_of(parameters_.program);
    memory_ = std::make_unique<program::DeviceMemory>(parameters_.memory_mib << 20,
                                                      parameters_.lenient ? kPadding : 0);
    modules_ = std::make_unique<Modules>(*memory_);
  } catch (const std::exception& error) {
    say("error: " + exception_text(error));
    std::_Exit(1);
  }
}

// Gives a child that was forked before the device started a new lock, because another thread of the parent
// may have held the lock during the fork. Before the start, threads hold it only for calls that do not need
// the device, such as the registration of device code.
void Runtime::free_lock_in_child() {
  Runtime& runtime = instance();
  if (runtime.process_ == 0) new (&runtime.mutex_) std::recursive_mutex;
}

bool Runtime::is_forked() const { return process_ != 0 && process_ != ::getpid(); }

int Runtime::refuse_forked(const char* name) {
  return remember(name, cudaErrorInitializationError,
                  "CUDA in a process that was forked from one that uses it, which CUDA refuses");
}

void Runtime::start() {
  process_ = ::getpid();
  const WhileStarting ends_with_error_line;
  try {
    if (prepared_by_ != process_) {
      parameters_ = given_;
      program::claim_process(parameters_);
    }
    launcher_ = std::make_unique<program::Launcher>(parameters_, *memory_);
  } catch (const std::exception& error) {
    say("error: " + exception_text(error));
    std::_Exit(1);
  }
}

void Runtime::begin() {
  if (!launcher_) start();
  if (sticky_ == cudaSuccess) load_managed();
}

void Runtime::load_managed() {
  try {
    modules_->load_managed();
  } catch (const Error&) {
    sticky_ = cudaErrorLaunchFailure;
    throw;
  }
}

void Runtime::check_sticky() const {
  if (sticky_ != cudaSuccess) throw Refusal{sticky_, {}};
}

int Runtime::remember(const char* name, int code, std::string_view text) {
  if (code != cudaErrorNotReady) last_error_ = code;
  if (text.empty() || errors_shown_ >= kMostErrorsShown) return code;
  ++errors_shown_;
  try {
    say(fmt::format("{}: {} ({})", name, text, error_name(code)));
    if (errors_shown_ == kMostErrorsShown) say("more errors are not shown");
    // Catch all exceptions, because C code calls this function.
  } catch (const std::bad_alloc&) {
    std::fputs("heddle: error: the host's memory is full\n", stderr);
  }
  return code;
}

int Runtime::fail(const char* name) {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return remember(name, refusal.code, refusal.text);
  } catch (const std::bad_alloc&) {
    return remember(name, cudaErrorMemoryAllocation, "the host's memory is full");
  } catch (const std::length_error&) {
    return remember(name, cudaErrorMemoryAllocation, "a size beyond all memory");
  } catch (const std::exception& error) {
    return remember(name, sticky_ != cudaSuccess ? sticky_ : cudaErrorInvalidValue, error.what());
  }
}

int Runtime::take_last_error() {
  if (is_forked()) return cudaErrorInitializationError;
  const std::lock_guard lock(mutex_);
  const int code = last_error_;
  last_error_ = sticky_;
  return code;
}

int Runtime::last_error() {
  if (is_forked()) return cudaErrorInitializationError;
  const std::lock_guard lock(mutex_);
  return last_error_;
}

void Runtime::check_stream(const void* stream) const {
  if (!stream || stream == kLegacyStream || stream == kPerThreadStream) return;
  if (!streams_.contains(static_cast<Stream*>(const_cast<void*>(stream))))
    refuse(cudaErrorInvalidResourceHandle, "a stream that was not created, or is destroyed");
}

Event& Runtime::event(void* handle) const {
  if (!events_.contains(static_cast<Event*>(handle)))
    refuse(cudaErrorInvalidResourceHandle, "an event that was not created, or is destroyed");
  return *static_cast<Event*>(handle);
}

program::Kernel& Runtime::kernel_of(const void* function) {
  FunctionEntry* const entry = modules_->function(function);
  if (!entry) refuse(cudaErrorInvalidDeviceFunction, "a handle that is no kernel of the program");
  program::Kernel* kernel = nullptr;
  try {
    kernel = modules_->kernel(*entry);
    if (kernel) kernel->lower(stack_bytes);
  } catch (const Error& error) {
    refuse(cudaErrorNoKernelImageForDevice, fmt::format("kernel {}: {}", entry->mangled, error.what()));
  }
  if (!kernel)
    refuse(cudaErrorInvalidDeviceFunction,
           fmt::format("no kernel {} in {}", entry->mangled, entry->code->name()));
  return *kernel;
}

void Runtime::run(program::Kernel& kernel, const CallConfiguration& configuration,
                  std::vector<std::uint8_t> parameters) {
  check_stream(configuration.stream);
  if (configuration.shared_bytes > isa::kWindowBytes / 2)
    refuse(cudaErrorInvalidValue,
           fmt::format("{} bytes of dynamic shared memory", configuration.shared_bytes));
  isa::KernelLaunch launch;
  launch.grid = configuration.grid;
  launch.block = configuration.block;
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(configuration.shared_bytes);
  launch.cooperative = configuration.cooperative;
  launch.parameters = std::move(parameters);
  check_limits(machine(), kernel, launch);
  // The first three `catch` clauses handle errors that occur before the kernel starts. Later launches may
  // then follow. After any other error no launch may follow, because the failed kernel has changed device
  // memory.
  try {
    launcher_->launch(kernel, std::move(launch));
  } catch (const program::ResidenceError& error) {
    refuse(cudaErrorCooperativeLaunchTooLarge, error.what());
  } catch (const program::RoomError& error) {
    refuse(cudaErrorLaunchOutOfResources, error.what());
  } catch (const program::ShapeError& error) {
    refuse(cudaErrorInvalidConfiguration, error.what());
  } catch (const reference::FaultError& error) {
    sticky_ = code_of(error.kind);
    throw;
  } catch (const reference::EndlessError&) {
    sticky_ = cudaErrorLaunchTimeout;
    throw;
  } catch (const reference::InstructionLimitError&) {
    sticky_ = cudaErrorLaunchTimeout;
    throw;
  } catch (const std::bad_alloc&) {
    sticky_ = cudaErrorMemoryAllocation;
    throw;
  } catch (const std::exception&) {
    sticky_ = cudaErrorLaunchFailure;
    throw;
  }
}

void Runtime::name_kernel(const void* function, program::LaunchRow& row) {
  const FunctionEntry* const entry = modules_->function(function);
  row.kernel = row.mangled = entry ? entry->mangled : "unknown";
  if (!entry || !entry->code->loaded()) return;
  if (const program::Kernel* const kernel = entry->code->kernel(entry->mangled)) row.kernel = kernel->plain;
}

void Runtime::record_launch(const void* function, const CallConfiguration& configuration,
                            const std::function<void()>& body) {
  const std::uint64_t before = launcher_->launches();
  try {
    check_sticky();
    body();
  } catch (const Refusal& refusal) {
    if (launcher_->launches() == before) {
      program::LaunchRow row;
      name_kernel(function, row);
      row.grid = configuration.grid;
      row.block = configuration.block;
      row.error = refusal.text.empty() ? error_name(refusal.code) : refusal.text;
      row.not_run = sticky_ != cudaSuccess;
      launcher_->record_failed(std::move(row));
    }
    throw;
  }
}

void Runtime::launch(const void* function, const CallConfiguration& configuration, void** arguments) {
  record_launch(function, configuration, [&] {
    program::Kernel& kernel = kernel_of(function);
    std::vector<std::uint8_t> block_of_parameters(kernel.parsed->parameter_bytes);
    for (std::size_t i = 0; i < kernel.parsed->parameters.size(); ++i) {
      const isa::KernelParameter& parameter = kernel.parsed->parameters[i];
      if (!arguments || !arguments[i])
        refuse(cudaErrorInvalidValue, fmt::format("kernel {}: no argument {}", kernel.plain, i));
      std::memcpy(block_of_parameters.data() + parameter.offset, arguments[i], parameter.bytes);
    }
    run(kernel, configuration, std::move(block_of_parameters));
  });
}

void Runtime::launch_block(const void* function, const CallConfiguration& configuration,
                           const std::vector<std::uint8_t>& parameters) {
  record_launch(function, configuration, [&] {
    program::Kernel& kernel = kernel_of(function);
    if (parameters.size() < kernel.parsed->parameter_bytes)
      refuse(cudaErrorInvalidValue, fmt::format("kernel {}: {} bytes of parameters of {}", kernel.plain,
                                                parameters.size(), kernel.parsed->parameter_bytes));
    run(kernel, configuration, {parameters.begin(), parameters.begin() + kernel.parsed->parameter_bytes});
  });
}

void Runtime::reset() {
  memory_->release_all();
  textures_.clear();
  last_error_ = sticky_ = cudaSuccess;
}

void Runtime::finish() {
  if (is_forked()) return;
  const std::lock_guard lock(mutex_);
  if (!launcher_) return;
  try {
    launcher_->finish();
  } catch (const std::bad_alloc&) {
    std::fputs("heddle: error: the host's memory is full\n", stderr);
  } catch (const std::exception& error) {
    say(std::string("error: ") + error.what());
  }
}

}  // namespace heddle::cudart
