#include "models/operands/register_port.h"

namespace heddle {

RegisterPort::RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring)
    : ClockedModule(name, *wiring.clock),
      initiator("initiator"),
      path_({wiring.clock, &initiator, wiring.parameters, wiring.max_warps, wiring.stats, wiring.partitions,
             wiring.schedulers, wiring.services}),
      releases_(path_, *wiring.life),
      collectors_("collectors", *this, *this, *wiring.parameters, *wiring.life, path_, releases_,
                  wiring.stats.scope("collectors")),
      result_bus_("result_bus", *this, wiring.parameters->result_bus_width, wiring.result_sources,
                  *wiring.life, path_, wiring.stats.scope("result_bus")),
      releases_asked_(path_.wants(wants::releases) || wiring.releases) {
  rest();
  initiator.bind(*this);
  initiator.bind(path_.stages().front()->target);
  path_.stages().front()->set_above(*this);
}

// Results first: a value that becomes visible in this cycle is ordered before the reads of the same cycle. A
// release is ahead of what was issued after it.
void RegisterPort::tick() {
  const bool results = result_bus_.step(now());
  const bool releases = releases_asked_ && releases_.step(now());
  const Cycle next = collectors_.step(now());
  due_at(results || releases ? now() + 1 : next);
}

void RegisterPort::hear_answer(RegisterAccess& access) {
  if (access.source >= RegisterAccess::kReleases) return hear_result(access);
  if (collectors_.on_response(now(), access)) wake();
}

void RegisterPort::hear_reads(std::span<RegisterAccess* const> reads) {
  bool held = false;
  const Cycle now = this->now();
  for (const RegisterAccess* read : reads) held |= collectors_.on_read(now, *read);
  if (held) wake();
}

void RegisterPort::hear_result(RegisterAccess& access) {
  if (access.source == RegisterAccess::kReleases) return releases_.on_response(access);
  result_bus_.on_response(access);
  wake();
}

void RegisterPort::hear_retry() {
  path_.retried();
  wake();
}

tlm::tlm_sync_enum RegisterPort::nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                                 sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP)
    hear_answer(access);
  else
    hear_retry();
  return tlm::TLM_COMPLETED;
}

}  // namespace heddle
