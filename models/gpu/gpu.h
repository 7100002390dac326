#pragma once

// A GPU: SMs, CTA dispatcher, atomic unit and memory.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/core/stats.h"
#include "models/gpu/cta_dispatcher.h"
#include "models/gpu/gpu_parameters.h"
#include "models/memory/atomic_unit.h"
#include "models/memory/i_memory_model.h"

namespace heddle {

class Gpu : public sc_core::sc_module {
 public:
  struct Options {
    bool every_cycle = false;        ///< tick in every cycle instead of sleeping (same results)
    std::uint64_t shuffle_seed = 0;  ///< build the modules in another order (same results)
    int threads = 1;                 ///< host threads for the SMs' ticks of a cycle (same results)
    CtaDispatcher::Limits limits;
    /// Sm::Context::between of every SM.
    std::function<std::unique_ptr<InstructionTap>(SmId sm, const std::string& arrow)> between;
    /// Sm::Context::availability of every SM.
    std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability> configured)>
        availability;
  };

  /// `image` is device memory and must outlive the GPU. Counters are added to `stats`.
  Gpu(const sc_core::sc_module_name& name, const GpuParameters& parameters, MemoryImage& image,
      StatsRegistry& stats, Options options);

  struct Result {
    Cycle begin = 0;
    Cycle cycles = 0;  ///< from the first cycle of the launch to the end of its last CTA
    std::uint64_t ctas = 0;
    bool interrupted = false;  ///< ended early by the heartbeat; memory is then as the kernel left it
  };
  /// Runs one launch to its end (calls sc_start) and leaves its results in the image: the CTAs of `range`,
  /// then those that `further` returns. Throws the error that a module reported.
  Result run(const isa::KernelLaunch& launch, DispatchRange range = {}, FurtherCtas further = {});

  std::vector<std::unique_ptr<Sm>>& sms() { return sms_; }
  Sm& sm(std::size_t i) { return *sms_[i]; }
  IMemoryModel& memory() { return *memory_; }
  CtaDispatcher& dispatcher() { return *dispatcher_; }
  RunStatus& status() { return status_; }
  const GpuParameters& parameters() const { return parameters_; }
  Cycle next_begin() const { return next_begin_; }  ///< first cycle of the next launch

  /// Updates all counters to `cycle` and checks their conservation laws.
  void settle(Cycle cycle);

 private:
  void build_sms(StatsRegistry& stats, MemoryImage& image);

  GpuParameters parameters_;
  Options options_;
  MemoryImage* image_;
  RunStatus status_;
  Clock clock_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::unique_ptr<AtomicUnit> atomics_;
  std::unique_ptr<IMemoryModel> memory_;
  std::unique_ptr<CtaDispatcher> dispatcher_;
  Cycle next_begin_ = 1;
};

}  // namespace heddle
