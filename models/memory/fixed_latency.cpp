// Memory model "fixed-latency": all accesses have the same latency, counted from the cycle in which bandwidth
// for the transfer is free. Bandwidth is limited for each SM, for all SMs together, or both. By default, the
// latency is 400 cycles and the bandwidth of each SM is 32 bytes per cycle (Gebhart 2012, Table I). There are
// no caches.

#include <vector>

#include "models/memory/arrival_memory.h"
#include "models/memory/bandwidth.h"

namespace heddle {
namespace {

struct FixedLatencyParameters {
  int latency_cycles = 400;
  double bytes_per_cycle_per_sm = 32;
  double bytes_per_cycle = 0;

  void fields(FieldVisitor& v) {
    v.field("latency_cycles", latency_cycles, {1, 100000},
            "issue to dependent issue of a load of one segment that meets no other traffic");
    v.field("bytes_per_cycle_per_sm", bytes_per_cycle_per_sm, {0, 1e6},
            "data that one SM can read and write per cycle; 0: no limit");
    v.field("bytes_per_cycle", bytes_per_cycle, {0, 1e6},
            "data that all SMs together can read and write per cycle; 0: no limit");
  }
};

class FixedLatency : public ArrivalMemory {
 public:
  FixedLatency(const sc_core::sc_module_name& name, const FixedLatencyParameters& parameters,
               Context& context)
      : ArrivalMemory(name, context),
        delay_(parameters.latency_cycles - context.path_overhead_cycles),
        all_(parameters.bytes_per_cycle),
        by_sm_(static_cast<std::size_t>(context.sms), Bandwidth(parameters.bytes_per_cycle_per_sm)),
        reads_(context.stats.add("reads", "requests", "read requests")),
        writes_(context.stats.add("writes", "requests", "write requests")),
        bytes_read_(context.stats.add("bytes_read", "bytes", "data read")),
        bytes_written_(context.stats.add("bytes_written", "bytes", "data written, enabled bytes or not")),
        queued_(context.stats.add("queue_cycles", "cycles", "requests waited for bandwidth, summed")) {
    if (delay_ < 1)
      throw Error(
          "memory.latency_cycles",
          std::to_string(parameters.latency_cycles) + " cycles are less than the path to memory takes",
          std::to_string(context.path_overhead_cycles + 1) + " or more");
  }

 private:
  Cycle answer_cycle(const tlm::tlm_generic_payload& request, Cycle arrival) override {
    return transfer_start(request, arrival) + static_cast<Cycle>(delay_);
  }
  int undisturbed_cycles() const override { return delay_; }

  /// Reserves bandwidth for the transfer and returns the first cycle of the transfer. To get the cycle of the
  /// response, callers add only the configured latency, because this latency already includes the duration of
  /// the transfer.
  Cycle transfer_start(const tlm::tlm_generic_payload& payload, Cycle arrival) {
    const unsigned bytes = payload.get_data_length();
    const MemoryEdgeExtension* extension = payload.get_extension<MemoryEdgeExtension>();
    Bandwidth& own = by_sm_[extension && extension->sm.value < by_sm_.size() ? extension->sm.value : 0];
    const std::uint64_t start =
        std::max({arrival << Bandwidth::kFraction, own.free_from(), all_.free_from()});
    own.occupy(start, bytes);
    all_.occupy(start, bytes);
    ++(payload.is_read() ? reads_ : writes_);
    (payload.is_read() ? bytes_read_ : bytes_written_) += bytes;
    const Cycle cycle = start >> Bandwidth::kFraction;
    queued_ += cycle - arrival;
    return cycle;
  }

  int delay_;
  Bandwidth all_;
  std::vector<Bandwidth> by_sm_;
  Counter &reads_, &writes_, &bytes_read_, &bytes_written_, &queued_;
};

const ModuleRegistration<IMemoryModel, FixedLatency, MemoryParameters<FixedLatencyParameters>>
    fixed_latency_entry{"fixed-latency",
                        "one latency for every access, with a bandwidth limit (Gebhart 2012, Table I)"};

}  // namespace
}  // namespace heddle
