#include "models/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/core/registry.h"
#include "models/memory/local_memory.h"

namespace heddle {
namespace {

constexpr Cycle kBetweenKernels = 8;

sc_core::sc_time period_of(const GpuParameters& parameters) {
  return sc_core::sc_time(1e6 / parameters.core_clock_mhz, sc_core::SC_PS);
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const GpuParameters& parameters, MemoryImage& image,
         StatsRegistry& stats, Options options)
    : sc_module(name),
      parameters_(parameters),
      options_(std::move(options)),
      image_(&image),
      clock_("clock", period_of(parameters), status_, options_.every_cycle) {
  build_sms(stats, image);
  clock_.run_ahead();
  for (auto& sm : sms_) {
    sm->clock().run_ahead();
    sm->clock().parallel_with_others(!options_.between);
  }
  status_.time_base()->use_threads(options_.threads);
  const int sms = parameters_.sms;
  const StatsScope scope(stats, "memory");
  atomics_ =
      std::make_unique<AtomicUnit>("atomics", clock_, parameters_.atomics, sms, scope.scope("atomics"));
  IMemoryModel::Context context{
      "memory", clock_, scope, image, sms, sms_.front()->pipeline_overhead() + kMemoryEdgeOverheadCycles};
  memory_ = Registry<IMemoryModel>::instance().make(parameters_.memory, context);
  for (int s = 0; s < sms; ++s) sms_[static_cast<std::size_t>(s)]->memory().bind(atomics_->target(s));
  atomics_->memory.bind(memory_->socket());
  std::vector<Sm*> pointers;
  for (auto& sm : sms_) pointers.push_back(sm.get());
  dispatcher_ = std::make_unique<CtaDispatcher>(
      "dispatcher", clock_, pointers, parameters_.admission,
      [this] { return atomics_->idle() && memory_->idle(); }, options_.limits);
  let_sms_run_ahead();
}

// Lets the SMs run ahead of each other, unless an option requires that all SMs run the same cycle.
void Gpu::let_sms_run_ahead() {
  const Cycle most =
      options_.quantum ? std::min(options_.quantum, memory_->lookahead()) : memory_->lookahead();
  if (most < 2 || parameters_.sms < 2 || options_.every_cycle || options_.between) return;
  memory_->answer_ahead();
  atomics_->answer_ahead();
  for (int s = 0; s < parameters_.sms; ++s)
    atomics_->hold_by(s, sms_[static_cast<std::size_t>(s)]->clock().leash());
  const std::uint64_t period = clock_.period().value();
  clock_.lead_apart([this, most, period](std::uint64_t time) {
    const Cycle base = time / period;
    return dispatcher_->alone_until(base, atomics_->known_until(base, base + most - 1)) * period;
  });
}

void Gpu::build_sms(StatsRegistry& stats, MemoryImage& image) {
  const auto count = static_cast<std::size_t>(parameters_.sms);
  sms_.resize(count);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options_.shuffle_seed)
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(options_.shuffle_seed % count),
                order.end());
  if (options_.shuffle_seed % 2) std::reverse(order.begin(), order.end());
  for (const std::size_t s : order) {
    Sm::Context context;
    context.id = SmId(static_cast<std::uint32_t>(s));
    context.sms = parameters_.sms;
    context.core_clock_mhz = parameters_.core_clock_mhz;
    context.stats = &stats;
    context.status = &status_;
    context.image = &image;
    context.every_cycle = options_.every_cycle;
    context.shuffle_seed = options_.shuffle_seed;
    context.availability = options_.availability;
    if (options_.between)
      context.between = [this, id = context.id](const std::string& arrow) {
        return options_.between(id, arrow);
      };
    sms_[s] = std::make_unique<Sm>(fmt::format("sm{}", s).c_str(), parameters_.sm, context);
  }
}

Gpu::Result Gpu::run(const isa::KernelLaunch& launch, DispatchRange range, FurtherCtas further) {
  allocate_local_memory(
      *image_, sms_.front()->local_bytes(launch),
      static_cast<std::uint64_t>(parameters_.sms) * static_cast<std::uint64_t>(parameters_.sm.max_warps));
  memory_->begin_kernel();
  const Cycle begin = next_begin_;
  dispatcher_->begin(launch, range, std::move(further), begin);
  for (auto& sm : sms_)
    sm->begin_kernel(launch, begin, sm == sms_.front() ? nullptr : sms_.front()->kernel());
  sc_core::sc_start();
  status_.rethrow();
  const Cycle end = dispatcher_->interrupted() ? clock_.sync() : dispatcher_->end_cycle();
  Result result{begin, end - begin + 1, dispatcher_->ctas_ended(), dispatcher_->interrupted()};
  if (!dispatcher_->finished() && !result.interrupted)
    throw Error(launch.program->file,
                fmt::format("kernel {} came to a standstill with {} of {} CTAs ended", launch.program->kernel,
                            dispatcher_->ctas_ended(), dispatcher_->ctas_total()));
  Cycle last = std::max(clock_.last_work(), dispatcher_->end_cycle());
  clock_.stop();
  for (auto& sm : sms_) {
    last = std::max(last, sm->clock().last_work());
    sm->clock().stop();
  }
  next_begin_ = last + kBetweenKernels;
  memory_->drain();
  settle(end + 1);
  if (!result.interrupted) atomics_->settle(kNever);
  return result;
}

void Gpu::settle(Cycle cycle) {
  for (auto& sm : sms_) sm->settle(cycle);
  atomics_->settle(cycle);
}

}  // namespace heddle
