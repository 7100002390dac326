#pragma once

// Model of a GPU: SMs, CTA dispatcher, atomic unit and memory system.

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
    /// True: modules run in every cycle instead of sleeping. This does not change the results.
    bool every_cycle = false;
    /// Seed for the order in which modules are constructed. The seed does not change the results.
    std::uint64_t shuffle_seed = 0;
    /// Largest number of cycles for which an SM runs ahead of the other SMs. 0: as many as the memory model
    /// allows (IMemoryModel::lookahead). The value does not change the results.
    Cycle quantum = 0;
    int threads = 1;  ///< number of host threads that run the SMs in parallel; results are the same
    CtaDispatcher::Limits limits;
    /// Creates the module of a plug-in that is inserted into a connection of SM `sm`
    /// (Sm::Context::between). `arrow`: name of the connection.
    std::function<std::unique_ptr<InstructionTap>(SmId sm, const std::string& arrow)> between;
    /// Replaces the object that shows which execution units of an SM accept instructions. Receives the
    /// configured object, and returns the object to use instead (Sm::Context::availability).
    std::function<std::unique_ptr<UnitAvailability>(std::unique_ptr<UnitAvailability> configured)>
        availability;
  };

  /// `image`: contents of device memory. This object must outlive the GPU.
  Gpu(const sc_core::sc_module_name& name, const GpuParameters& parameters, MemoryImage& image,
      StatsRegistry& stats, Options options);

  struct Result {
    Cycle begin = 0;
    Cycle cycles = 0;  ///< Cycles from the first cycle of the launch to the end of its last CTA.
    std::uint64_t ctas = 0;
    /// True if on_heartbeat ended the run early. The memory image then holds the contents at this cycle.
    bool interrupted = false;
  };
  /// Runs one launch to its end and leaves its results in the memory image. Executes the CTAs of `range`,
  /// then the CTAs of the ranges that `further` supplies. If a module reports an error, throws this error.
  Result run(const isa::KernelLaunch& launch, DispatchRange range = {}, FurtherCtas further = {});

  std::vector<std::unique_ptr<Sm>>& sms() { return sms_; }
  Sm& sm(std::size_t i) { return *sms_[i]; }
  IMemoryModel& memory() { return *memory_; }
  CtaDispatcher& dispatcher() { return *dispatcher_; }
  RunStatus& status() { return status_; }
  const GpuParameters& parameters() const { return parameters_; }
  Cycle next_begin() const { return next_begin_; }

  /// Updates all counters to `cycle`. Throws InternalError if an equation between counters does not hold.
  void settle(Cycle cycle);

 private:
  void let_sms_run_ahead();
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
