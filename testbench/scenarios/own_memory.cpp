// An example with your own memory in place of Heddle's memory models. Any TLM-2.0 target of the base protocol
// can be the memory. The memory of this example is as simple as possible: a b_transport over an array of
// bytes, without any code of Heddle. The converting socket of tlm_utils connects the memory to the SM. The SM
// reads the kernel's buffers from this memory, and the host reads the results from it.
//
//  own_memory [LAUNCH.json] (a kernel without atomics, because atomics need an AtomicUnit)

#include <fmt/format.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <map>

#include "models/compiler/pipeline.h"
#include "models/core/error.h"
#include "models/memory/local_memory.h"
#include "models/sm/sm.h"
#include "testbench/launch/output_compare.h"
#include "testbench/launch/program_provider.h"
#include "testbench/launch/reference_executor.h"
#include "testbench/run/data_files.h"
#include "testbench/run/scenario.h"

using namespace heddle;

namespace {

class OwnMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<OwnMemory> socket{"socket"};

  explicit OwnMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &OwnMemory::b_transport);
  }

  /// Copies the host's buffers into the memory. The SM reads whole lines of 128 bytes, so the memory must
  /// hold the whole last line of each buffer.
  void load(const MemoryImage& image) {
    regions_.clear();
    for (const auto& a : image.allocations()) {
      regions_[a->base].assign(a->data.begin(), a->data.end());
      regions_[a->base].resize((a->data.size() + kLineBytes - 1) / kLineBytes * kLineBytes);
    }
  }
  void store(MemoryImage& image) const {
    for (const auto& a : image.allocations()) {
      const std::vector<std::uint8_t>& data = regions_.at(a->base);
      std::copy_n(data.begin(), a->data.size(), a->data.begin());
    }
  }
  std::uint64_t transactions() const { return transactions_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++transactions_;
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    auto region = regions_.upper_bound(payload.get_address());
    const unsigned bytes = payload.get_data_length();
    if (region == regions_.begin() ||
        payload.get_address() + bytes > std::prev(region)->first + std::prev(region)->second.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    --region;
    std::uint8_t* data = region->second.data() + (payload.get_address() - region->first);
    const std::uint8_t* enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < bytes; ++i) {
      if (enables && enables[i % payload.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
      if (payload.is_read()) payload.get_data_ptr()[i] = data[i];
      if (payload.is_write()) data[i] = payload.get_data_ptr()[i];
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::map<std::uint64_t, std::vector<std::uint8_t>> regions_;
  std::uint64_t transactions_ = 0;
};

// Runs the CTAs of a launch on the SM, one CTA at a time.
class OneSm : public launch::LaunchExecutor {
 public:
  OneSm(Sm& sm, OwnMemory& memory, RunStatus& status) : sm_(sm), memory_(memory), status_(status) {
    sm_.cta_changed = [this](SmId, std::uint32_t, bool ended, const SmResources&) {
      if (ended && ++ended_ < ctas_) sm_.place_cta(ended_);
    };
  }

  void launch(const isa::KernelLaunch& launch, MemoryImage& image) override {
    allocate_local_memory(image, sm_.local_bytes(launch),
                          static_cast<std::uint64_t>(sm_.parameters().max_warps));
    memory_.load(image);
    ctas_ = static_cast<std::uint32_t>(launch.grid.count());
    ended_ = 0;
    sm_.begin_kernel(launch, sm_.clock().last_work() + 8);
    sm_.place_cta(0);
    sc_core::sc_start();
    status_.rethrow();
    if (ended_ != ctas_) throw Error("own_memory", fmt::format("{} of {} CTAs ended", ended_, ctas_));
    memory_.store(image);
  }

 private:
  Sm& sm_;
  OwnMemory& memory_;
  RunStatus& status_;
  std::uint32_t ctas_ = 0, ended_ = 0;
};

int simulate(const std::string& launch_name) {
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  const run::RunParameters parameters = run::read_scenario(request);
  MemoryImage image;
  StatsRegistry stats;
  RunStatus status;
  Sm::Context context;
  context.core_clock_mhz = parameters.gpu.core_clock_mhz;
  context.stats = &stats;
  context.status = &status;
  Sm sm("sm", parameters.gpu.sm, context);
  OwnMemory memory("memory");
  sm.memory().bind(memory.socket);

  const launch::LaunchFile file = launch::read_launch_file(launch_name);
  launch::PtxPrograms parsed(file);
  launch::PtxPrograms compiled(
      parsed.module(), [&](isa::Program program) { return compiler::compile(program, parameters.compiler); });
  launch::LaunchRun timed(file, compiled, image);
  timed.prepare();
  OneSm executor(sm, memory, status);
  timed.run(executor);

  MemoryImage golden;
  launch::LaunchRun reference(file, parsed, golden);
  reference.prepare();
  launch::ReferenceExecutor untimed;
  reference.run(untimed);
  const std::string differences =
      launch::report_differences(launch::compare_outputs(timed.outputs(), reference.outputs()));
  fmt::print("{} transactions at our own memory, {} cycles; outputs {}\n", memory.transactions(),
             sm.clock().last_work(),
             differences.empty() ? "equal to the reference" : "differ:\n" + differences);
  return differences.empty() ? 0 : 3;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return simulate(argc > 1 ? argv[1] : run::find_data("testbench/kernels/vector_add/small.json"));
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return 1;
  }
}
