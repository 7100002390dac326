#pragma once

// Runs a test's kernel, "k(.param .u64 out, .param .u64 in)", on the timed GPU. One CTA runs on one SM.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/isa/launch.h"

namespace heddle::small_run {

inline constexpr std::uint32_t kWords = 256;
std::uint64_t out_address();
std::uint64_t in_address();

struct Request {
  std::string body;
  std::string preset = "fermi-gtx480";
  std::vector<std::string> sets;
  std::uint32_t threads = 32;
  /// function that is called once, in the first tick from cycle `at` on; it may change the machine, for
  /// example flip a bit
  std::function<void(Gpu&, const isa::Program&)> disturb;
  Cycle at = 0;
  /// function that returns a module for a connection (`arrow`) of the SM; used as Gpu::Options::between
  std::function<std::unique_ptr<InstructionTap>(SmId, const std::string& arrow)> between;
  /// replaces the object that decides which units accept instructions; used as Gpu::Options::availability
  std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability>)> availability;
  /// function that is called with the GPU when the GPU has been built, before the run
  std::function<void(Gpu&)> inspect;
};

struct Outcome {
  std::vector<std::uint32_t> out;
  Cycle cycles = 0;
};

Outcome run_timed(const Request& request);
std::vector<std::uint32_t> run_reference(const Request& request);

}  // namespace heddle::small_run
