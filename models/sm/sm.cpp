#include "models/sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "models/core/cycle_inbox.h"
#include "models/core/registry.h"
#include "models/exec/partition_units.h"
#include "models/folding/make_lane_plans.h"
#include "models/frontend/front_end.h"
#include "models/gating/make_unit_availability.h"
#include "models/memory/load_store_unit.h"
#include "models/operands/register_port.h"
#include "models/sm/cta_table.h"
#include "models/sm/issue_stage.h"
#include "models/sm/life_outlet.h"
#include "models/sm/machine_latencies.h"
#include "models/sm/sm_picture.h"

namespace heddle {
namespace {

constexpr int kUnitToIssue = 1;  // cycles from the result bus to the issue stage
// Numbers of finished instructions that can wait at the result bus. kUnitResults: from an execution unit.
// kFixedResults: from an INT or FP unit with results of fixed latency. kControlResults: from barriers.
constexpr int kUnitResults = 2, kFixedResults = 8, kControlResults = 4;

std::uint32_t fixed_classes(const isa::LatencyTable& latencies) {
  std::uint32_t classes = 0;
  for (std::size_t c = 0; c < latencies.rows.size(); ++c)
    if (!latencies.rows[c].variable) classes |= 1u << c;
  return classes;
}

}  // namespace

struct Sm::Partition {
  std::unique_ptr<PartitionUnits> units;
  std::unique_ptr<InstructionTap> tap;
  std::unique_ptr<RegisterPort> port;
};

// Starts CTAs in the cycle after their placement. Results then do not depend on whether the SM's clock or the
// caller's clock runs first in a cycle.
class Sm::Starter : public ClockedModule {
 public:
  Starter(const sc_core::sc_module_name& name, Sm& sm) : ClockedModule(name, sm.clock_), sm_(&sm) { rest(); }
  void add(Cycle at, std::uint32_t cta) {
    waiting_.put(at, cta);
    wake();
  }

 private:
  void tick() override {
    waiting_.take(now(), [this](std::uint32_t cta) { sm_->start_cta(cta); });
    if (!waiting_.empty()) wake();
  }
  Sm* sm_;
  CycleInbox<std::uint32_t> waiting_;
};

Sm::Sm(const sc_core::sc_module_name& name, const SmParameters& parameters, const Context& context)
    : sc_module(name),
      events("events"),
      parameters_(parameters),
      id_(context.id),
      between_(context.between),
      stats_(*context.stats, fmt::format("sm{}", context.id.value)),
      clock_("clock", sc_core::sc_time(1e6 / context.core_clock_mhz, sc_core::SC_PS), *context.status,
             context.every_cycle),
      life_(std::make_unique<LifeChannel>(clock_, parameters.homes())),
      ctas_(std::make_unique<CtaTable>(parameters.max_ctas, parameters.max_warps, stats_)) {
  build(context);
}

int Sm::pipeline_overhead() const {
  return OperandStage::least_cycles(parameters_.register_file) + kUnitToIssue;
}

Sm::~Sm() = default;

MemoryInitiatorSocket& Sm::memory() { return load_store_->socket; }

RegisterPort& Sm::register_port(int partition) const {
  return *partitions_[static_cast<std::size_t>(partition)].port;
}

PartitionUnits& Sm::units(int partition) const {
  return *partitions_[static_cast<std::size_t>(partition)].units;
}

std::uint32_t Sm::local_bytes(const isa::KernelLaunch& launch) const {
  return issue_->residency().local_bytes(launch);
}

void Sm::observe_events(LifeSet which) {
  life_->follow(*life_outlet_, which);
  clock_.parallel_with_others(false);
}

void Sm::subscribe(LifeListener& listener) { life_->subscribe(listener, listener.subscriptions()); }

void Sm::set_lane_planner(LanePlanner* planner) {
  issue_->set_lane_planner(planner);
  clock_.parallel_with_others(false);
}

LaneVec Sm::debug_register(WarpId warp, RegId reg) {
  return register_port(issue_->partition_of(warp)).path().debug_read(warp, reg);
}

bool Sm::flip_register_bit(WarpId warp, RegId reg, int lane, int bit) {
  return register_port(issue_->partition_of(warp)).path().flip_bit(warp, reg, lane, bit);
}

template <class From, class To>
void Sm::connect(From& from, To& to) {
  const std::size_t own = std::string(name()).size() + 1;
  const auto module_of = [own](const sc_core::sc_object& socket) {
    return std::string(socket.get_parent_object()->name()).substr(own);
  };
  std::unique_ptr<InstructionTap> tap;
  if (between_) tap = between_(module_of(from) + "-" + module_of(to));
  if (!tap) {
    from.bind(to);
    return;
  }
  from.bind(tap->socket);
  tap->below.socket.bind(to);
  taps_.push_back(std::move(tap));
}

void Sm::build(const Context& context) {
  latencies_ = latencies_of(parameters_, "this machine");
  const int count = parameters_.partitions;
  partitions_.resize(static_cast<std::size_t>(count));
  PlacementInfo place{context.id.value, static_cast<std::uint32_t>(context.sms),
                      static_cast<std::uint32_t>(parameters_.max_warps)};

  front_end_ = std::make_unique<FrontEnd>("front_end", clock_, parameters_.front_end, parameters_.max_warps,
                                          stats_.scope("front_end"), life_.get());
  LoadStoreContext memory{stats_.scope("load_store"),
                          context.id,
                          count,
                          parameters_.max_warps,
                          parameters_.max_ctas,
                          std::uint64_t{context.id.value} * static_cast<std::uint64_t>(parameters_.max_warps),
                          pipeline_overhead(),
                          context.image,
                          {}};
  if (parameters_.load_store.ctas_end_after_stores)
    memory.stores_acknowledged = [this](WarpId warp) {
      if (!lingering_.contains(warp)) return;
      lingering_.remove(warp);
      warp_left(warp);
    };
  load_store_ = std::make_unique<LoadStoreUnit>("load_store", clock_, parameters_.load_store, memory);
  const int slots = parameters_.issue_width * parameters_.schedulers_per_partition;
  plans_ = make_lane_plans(parameters_.folding, {count, slots, &clock_, parameters_.homes(), stats_});
  MadeUnitAvailability made = make_unit_availability(
      parameters_.gating, {&parameters_.units, &parameters_.constraints, count, slots, pipeline_overhead(),
                           plans_->moves().extra_cycles, &clock_, parameters_.homes(), stats_});
  units_ = context.availability ? context.availability(std::move(made.units)) : std::move(made.units);
  plans_->check(units_->longest_wait());
  life_->subscribe(*plans_, plans_->subscriptions());
  issue_ = std::make_unique<IssueStage>(
      "issue", IssueStage::Wiring{&clock_, &parameters_, units_.get(), plans_.get(), place,
                                  context.core_clock_mhz, stats_.scope("issue"), life_.get(),
                                  [this](WarpId warp) { warp_ended(warp); }, &latencies_});
  life_outlet_ = std::make_unique<LifeOutlet>(events, context.id, *issue_, parameters_.max_ctas);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (context.shuffle_seed % 2) std::reverse(order.begin(), order.end());
  starter_ = std::make_unique<Starter>("starter", *this);
  for (const int p : order) build_partition(p, made.maker);
  life_->follow(*units_, units_->subscriptions());
  connect(front_end_->output(), issue_->input());
  std::vector<const RegisterClaims*> holdings;
  for (const Partition& partition : partitions_)
    holdings.push_back(partition.port->path().mapping().holdings());
  issue_->assembled(holdings, front_end_->attaches());
}

void Sm::build_partition(int number, PowerDomainsMaker& maker) {
  Partition& partition = partitions_[static_cast<std::size_t>(number)];
  const StatsScope scope = stats_.scope(fmt::format("partition{}", number));
  UnitOverhead overhead{pipeline_overhead()};
  if (const int fixed = OperandStage::least_fixed_cycles(parameters_.register_file))
    overhead = {pipeline_overhead(), fixed_classes(latencies_), fixed};
  partition.units =
      std::make_unique<PartitionUnits>(fmt::format("p{}_units", number).c_str(), clock_, *life_,
                                       parameters_.units, overhead, scope.scope("units"), plans_->moves());
  for (const isa::UnitClass c : {isa::UnitClass::int_, isa::UnitClass::fp, isa::UnitClass::sfu})
    partition.units->set_lanes_awake(c, units_->lanes_on(static_cast<std::size_t>(number), c));
  const std::vector<PartitionUnits::Way> units = partition.units->ways();
  std::vector<ResultSource> sources;
  for (const auto& way : units) {
    const isa::UnitClass c = way.unit->unit_class();
    const bool fixed = overhead.fixed_classes != 0 && (c == isa::UnitClass::int_ || c == isa::UnitClass::fp);
    sources.push_back({way.unit->basename(), fixed ? kFixedResults : kUnitResults, fixed});
  }
  sources.push_back({"load_store", parameters_.load_store.output_queue_instructions});
  sources.push_back({"issue", kControlResults});
  partition.port =
      std::make_unique<RegisterPort>(fmt::format("p{}_registers", number).c_str(),
                                     RegisterPort::Wiring{&clock_,
                                                          life_.get(),
                                                          &parameters_.register_file,
                                                          sources,
                                                          parameters_.max_warps,
                                                          scope,
                                                          parameters_.partitions,
                                                          parameters_.schedulers() / parameters_.partitions,
                                                          {&maker, issue_->follows_holdings()},
                                                          issue_->residency().may_hold(),
                                                          &latencies_});
  partition.port->path().subscribe(*life_, static_cast<std::size_t>(number));
  OperandStage& operands = partition.port->operands();
  life_->subscribe(operands, operands.subscriptions(), static_cast<std::size_t>(number));
  ResultBus& bus = partition.port->result_bus();
  connect(issue_->output(number), operands.input());
  partition.tap = units_->tap(fmt::format("p{}_", number), static_cast<std::size_t>(number));
  if (partition.tap) connect(operands.output(), partition.tap->socket);
  connect(partition.tap ? partition.tap->below.socket : operands.output(), partition.units->socket);
  connect(partition.units->load_store(), load_store_->input(number));
  for (std::size_t u = 0; u < units.size(); ++u) {
    connect(*units[u].from, units[u].unit->input());
    connect(units[u].unit->output(), bus.input(u));
  }
  connect(load_store_->output(number), bus.input(units.size()));
  connect(issue_->results(number), bus.input(units.size() + 1));
  issue_->connect(number, *partition.port);
}

void Sm::begin_kernel(const isa::KernelLaunch& launch, Cycle cycle,
                      const std::shared_ptr<const LoadedKernel>& like) {
  if (!ctas_->empty()) throw InternalError("a kernel begins while CTAs of another kernel are resident");
  if (launch.program->repeats_read_once != (parameters_.register_file.repeated_operand == "once"))
    throw Error("gpu.sm.register_file.repeated_operand",
                "the kernel was compiled for the other value (isa::Program::repeats_read_once)");
  check_matrix_units(*launch.program, parameters_.units.matrix);
  check_latencies(*launch.program, parameters_);
  open_cycle();
  issue_->end_kernel();
  kernel_ = LoadedKernel::load(like, launch, issue_->residency().load(launch),
                               isa::thread_progress_of(parameters_.thread_progress));
  front_end_->on_kernel_begin();
  load_store_->begin_kernel(kernel_->launch());
  issue_->begin_kernel(cycle, *kernel_);
  life_->kernel_begins({launch.id, &kernel_->program(), cycle, launch.warps_per_cta()});
  clock_.start(cycle);
}

void Sm::place_cta(std::uint32_t cta) { starter_->add(clock_.sync(), cta); }

SmResources Sm::resources() const {
  SmResources r = capacity();
  ctas_->subtract(r);
  for (std::size_t p = 0; p < partitions_.size(); ++p)
    r.partition_registers[p] = partitions_[p].port->path().free_registers();
  for (const WarpId ended : ctas_->ended_warps())
    r.partition_registers[static_cast<std::size_t>(issue_->partition_of(ended))] +=
        kernel_->program().registers;
  return r;
}

SmResources Sm::capacity() const {
  SmResources r;
  r.warps = parameters_.max_warps;
  r.ctas = parameters_.max_ctas;
  r.threads = parameters_.max_threads;
  r.shared_bytes = static_cast<std::uint32_t>(parameters_.load_store.shared.bytes);
  r.may_hold = issue_->residency().may_hold();
  r.partition_warps.assign(partitions_.size(), 0);
  r.partition_slots.assign(partitions_.size(), {});
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(parameters_.max_warps); ++w) {
    const auto p = static_cast<std::size_t>(issue_->partition_of(WarpId(w)));
    ++r.partition_warps[p];
    r.partition_slots[p].add(WarpId(w));
  }
  for (const Partition& partition : partitions_) {
    r.partition_registers.push_back(partition.port->path().registers());
    r.holdings.push_back(partition.port->path().mapping().holdings());
  }
  return r;
}

bool Sm::idle() const {
  if (!ctas_->empty() || !load_store_->idle()) return false;
  return std::all_of(partitions_.begin(), partitions_.end(),
                     [](const Partition& p) { return p.port->banks_waiting() == 0; });
}

void Sm::settle(Cycle cycle) {
  ctas_->settle(cycle);
  issue_->settle(cycle);
  issue_->check_conservation();
  for (Partition& partition : partitions_) partition.port->settle(cycle);
  units_->settle(cycle);
  plans_->settle(cycle);
  units_->check_conservation();
}

void Sm::probes(const ProbeScope& scope) {
  clock_.parallel_with_others(false);
  PartsOfSm parts{parameters_, *issue_, *load_store_};
  for (std::size_t p = 0; p < partitions_.size(); ++p)
    parts.partitions.push_back(
        {partitions_[p].port.get(), partitions_[p].units.get(), capacity().partition_slots[p]});
  describe_parts(parts, scope, stats_.owner());
  units_->probes(scope);
  front_end_->probes(scope.part("front_end"));
  issue_->probes(scope.part("issue"));
  const std::string schedulers = fmt::format("schedulers (policy {})", choice_name(parameters_.scheduler));
  for (int i = 0; i < issue_->schedulers().count(); ++i)
    issue_->schedulers().policy(i).probes(scope.part(fmt::format("scheduler{}", i), schedulers));
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    const ProbeScope partition = scope.part(fmt::format("partition{}", p));
    plans_->probes(p, partition);
    partitions_[p].port->probes(partition);
    partitions_[p].units->probes(partition);
  }
}

}  // namespace heddle
