#include "models/operands/register_port.h"

#include <algorithm>

#include "models/core/registry.h"
#include "models/operands/fixed_first_bus.h"

namespace heddle {

RegisterPort::RegisterPort(const sc_core::sc_module_name& name, const Wiring& wiring)
    : ClockedModule(name, *wiring.clock),
      initiator("initiator"),
      path_({wiring.clock, &initiator, wiring.parameters, wiring.max_warps, wiring.stats, wiring.partitions,
             wiring.schedulers, wiring.services}),
      releases_(path_, *wiring.life),
      operands_(make_operands(wiring)),
      result_bus_(make_result_bus(wiring)),
      has_releases_(path_.wants(wants::releases) || wiring.releases) {
  rest();
  initiator.bind(*this);
  initiator.bind(path_.stages().front()->target);
  path_.stages().front()->set_above(*this);
}

std::unique_ptr<OperandStage> RegisterPort::make_operands(const Wiring& w) {
  std::string name = choice_name(w.parameters->operands), scope = name;
  std::replace(scope.begin(), scope.end(), '-', '_');
  OperandStage::Context context{std::move(name), *this, *this,     *w.parameters,
                                *w.life,         path_, releases_, w.stats.scope(scope),
                                w.latencies};
  return Registry<OperandStage>::instance().make(w.parameters->operands, context);
}

std::unique_ptr<ResultBus> RegisterPort::make_result_bus(const Wiring& w) {
  const RegisterFileParameters& p = *w.parameters;
  const StatsScope stats = w.stats.scope("result_bus");
  if (p.result_order == "fixed-first")
    return std::make_unique<FixedFirstBus>("result_bus", *this, p.result_bus_width, w.result_sources, *w.life,
                                           path_, stats, p.banks.count);
  return std::make_unique<ResultBus>("result_bus", *this, p.result_bus_width, w.result_sources, *w.life,
                                     path_, stats);
}

// The result bus runs before the operand stage, because reads must see values that are written in the same
// cycle. The queue of releases also runs before the operand stage, so that a release comes before the
// accesses of later instructions.
void RegisterPort::tick() {
  const bool results = result_bus_->step(now());
  const bool releases = has_releases_ && releases_.step(now());
  const Cycle next = operands_->step(now());
  due_at(results || releases ? now() + 1 : next);
}

void RegisterPort::receive_answer(RegisterAccess& access) {
  if (access.source >= RegisterAccess::kReleases) return receive_result(access);
  if (access.command != RegisterCommand::read) return;
  RegisterAccess* const read = &access;
  if (operands_->answered(now(), {&read, 1})) wake();
}

void RegisterPort::receive_reads(std::span<RegisterAccess* const> reads) {
  if (operands_->answered(now(), reads)) wake();
}

void RegisterPort::receive_result(RegisterAccess& access) {
  if (access.source == RegisterAccess::kReleases) return releases_.on_response(access);
  result_bus_->on_response(access);
  wake();
}

void RegisterPort::receive_retry() {
  path_.retried();
  wake();
}

tlm::tlm_sync_enum RegisterPort::nb_transport_bw(RegisterAccess& access, tlm::tlm_phase& phase,
                                                 sc_core::sc_time&) {
  if (phase == tlm::BEGIN_RESP)
    receive_answer(access);
  else
    receive_retry();
  return tlm::TLM_COMPLETED;
}

}  // namespace heddle
