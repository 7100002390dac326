#include "models/sm/machine_latencies.h"

#include <fmt/format.h>

#include <utility>

#include "models/core/error.h"

namespace heddle {

isa::LatencyTable latencies_of(const SmParameters& sm, std::string machine) {
  isa::LatencyTable table;
  table.machine = std::move(machine);
  for (std::size_t c = 0; c < table.rows.size(); ++c)
    table.rows[c].cycles = sm.units.longest_latency(static_cast<isa::OpClass>(c));
  table.set(sm.dependences);
  table.shared_load = sm.load_store.shared.latency_cycles;
  table.constant_load = sm.load_store.constant.latency_cycles;
  return table;
}

void check_latencies(const isa::Program& program, const SmParameters& sm) {
  if (!program.latencies) return;
  if (const auto difference = isa::first_difference(*program.latencies, latencies_of(sm, "this machine")))
    throw Error(program.file,
                fmt::format("kernel {} was compiled for other latencies: {}", program.kernel, *difference),
                "a program that is compiled for the machine that runs it");
}

}  // namespace heddle
