// How the banks are put together: what of their parameters is known once, and the way that accesses take by it.

#include "models/core/registry.h"
#include "models/regfile/banks.h"

namespace heddle {

Banks::Banks(const NoParameters&, Context& context)
    : RegisterStage(context),
      parameters_(context.parameters->banks),
      map_(*context.map),
      answered_above_(context.parameters->stages.size() > 1),
      views_(static_cast<std::size_t>(parameters_.count)),
      write_data_(views_.size() * static_cast<std::size_t>(parameters_.queue_entries)),
      reads_(context.stats.add("reads", "accesses", "register words read from the banks")),
      writes_(context.stats.add("writes", "accesses", "register words written to the banks")),
      conflicts_(context.stats.add("conflict_cycles", "access-cycles",
                                   "cycles that accesses waited for a busy bank or port")),
      refusals_(
          context.stats.add("refusals", "accesses",
                            "accesses refused because a bank's queue was full, or a release under way")),
      busy_cycles_(
          context.stats.add("busy_cycles", "cycles", "cycles in which at least one bank served an access")),
      releases_done_(context.stats.add("releases", "accesses", "registers released, by no access to a bank")),
      unmapped_reads_(
          context.stats.add("unmapped_reads", "accesses",
                            "reads of registers that were never written, by no access to a bank")),
      read_sub_banks_(context.stats.add("read_sub_banks", "sub-banks",
                                        "opened by reads, first reads of writes included")),
      write_sub_banks_(context.stats.add("write_sub_banks", "sub-banks", "opened by writes")) {
  BankArbiter::Context arbiter{parameters_.count, context.parameters->collectors.total()};
  arbiter_ = Registry<BankArbiter>::instance().make(parameters_.arbiter, arbiter);
  EntryFormat::Context rows{parameters_.depths()};
  format_ = Registry<EntryFormat>::instance().make(parameters_.format, rows);
  RegisterPower::Context states{parameters_.depths(), context.stats};
  power_ = Registry<RegisterPower>::instance().make(parameters_.power, states);
  whole_rows_ = format_->opens_whole_rows();
  read_cycles_ = static_cast<Cycle>(parameters_.latency_cycles) + static_cast<Cycle>(format_->read_cycles());
  write_cycles_ = static_cast<Cycle>(format_->write_cycles());
  always_on_ = power_->always_on();
  if (!always_on_)
    uses_ = std::make_unique<RowUses>(*power_, context.parameters->collectors.total(), context.max_warps);
  if (parameters_.lane_gating != "none")
    segments_.emplace(parameters_, whole_rows_, context.parameters->collectors.total(), context.stats);
  if (parameters_.partition.kind != "none") speeds_.emplace(parameters_, map_, context.stats);
  shaped_ = power_->shapes_accesses();
  timed_ = shaped_ || speeds_;
  for (std::uint32_t b = 0; b < views_.size(); ++b) {
    banks_.emplace_back(static_cast<std::size_t>(parameters_.queue_entries));
    rows_.push_back(format_->rows(BankId(b)));
  }
  if (rows_.front() && !segments_ && !timed_) way_ = always_on_ ? Way::plain : Way::states;
  if (timed_) busy_until_.resize(views_.size() * 2);
  view_.separate_ports = parameters_.ports == "1r1w";
  view_.operands_per_collector = context.parameters->collector_operands_per_cycle;
  view_.sliced_collectors = context.parameters->collector_port == "sliced";
  if (!whole_rows_)
    sub_banks_.emplace(
        context.stats,
        SubBankCounters::Shape{views_.size(), context.parameters->collectors.total(), view_.separate_ports,
                               view_.sliced_collectors, arbiter_->is_limit()});
  view_.banks = views_;
}

}  // namespace heddle
