#pragma once

// Runs a kernel "k(.param .u64 out, .param .u64 in)" of the test on the timed GPU, with one CTA on one SM.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/isa/launch.h"

namespace heddle::small_run {

inline constexpr std::uint32_t kWords = 256;
std::uint64_t out_address();
std::uint64_t in_address();  ///< Returns the address of `in`. Word i of `in` is 1000 + i.

struct Request {
  std::string body;  ///< PTX declarations and instructions of the kernel
  std::string preset = "fermi-gtx480";
  std::vector<std::string> sets;  ///< configuration of the run: members of a scenario file
  std::uint32_t threads = 32;
  /// Called once, in the first cycle with a tick from cycle `at` on. May change the state of the machine.
  std::function<void(Gpu&, const isa::Program&)> disturb;
  Cycle at = 0;
  /// Creates plug-in modules for the connections of the SM; used as Gpu::Options::between.
  std::function<std::unique_ptr<InstructionTap>(SmId, const std::string& arrow)> between;
  /// Replaces the object that decides which units accept instructions; used as Gpu::Options::availability.
  std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability>)> availability;
  /// Called with the GPU when it has been built, before the run.
  std::function<void(Gpu&)> inspect;
};

struct Outcome {
  std::vector<std::uint32_t> out;  ///< contents of `out` after the run, kWords words
  Cycle cycles = 0;
};

/// Runs the kernel. Throws the errors of the run.
Outcome run_timed(const Request& request);
std::vector<std::uint32_t> run_reference(const Request& request);

}  // namespace heddle::small_run
