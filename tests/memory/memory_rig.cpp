#include "memory_rig.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::test {

Driver::Driver(const sc_core::sc_module_name& name, Clock& clock, LoadStoreUnit& unit, int partitions,
               int output_depth)
    : ClockedModule(name, clock), partitions_(partitions) {
  for (int p = 0; p < partitions; ++p) {
    Ends ends{std::make_unique<InstructionOutlet>(("to" + std::to_string(p)).c_str()),
              std::make_unique<InstructionInlet>(("from" + std::to_string(p)).c_str(), *this,
                                                 static_cast<std::size_t>(output_depth))};
    ends.in->socket.bind(unit.input(p));
    unit.output(p).bind(ends.out->socket);
    ends_.push_back(std::move(ends));
  }
}

void Driver::tick() {
  bool more = false;
  for (int p = 0; p < partitions_; ++p) {
    InstructionInlet& output = *ends_[static_cast<std::size_t>(p)].out;
    while (now() >= origin + collect_from && output.can_pop()) {
      InFlight* item = output.pop();
      for (Shot& shot : shots)
        if (&shot.item == item) {
          shot.left = now() - origin;
          order.push_back(&shot);
        }
    }
    // The load/store unit wakes the clock only when it puts an instruction into its output. If the test takes
    // instructions only from a later cycle on (collect_from), this driver must wake the clock.
    more |= !output.empty() && now() < origin + collect_from;
  }
  for (int p = 0; p < partitions_; ++p) {
    std::size_t& next = next_[p];
    while (next < shots.size() && shots[next].partition != p) ++next;
    if (next == shots.size()) continue;
    Shot& shot = shots[next];
    if (origin + shot.arrival <= now() && ends_[static_cast<std::size_t>(p)].in->offer(&shot.item)) {
      shot.entered = now() + 1 - origin;
      ++next;
      more = true;
    } else if (origin + shot.arrival > now()) {
      clock().due_at(origin + shot.arrival);
    } else {
      more = true;
    }
  }
  if (more) clock().wake();
}

MemoryRig::MemoryRig(const RigOptions& options) : options_(options) {
  auto program = std::make_shared<isa::Program>();
  program->kernel = "k";
  program->file = "k.ptx";
  program->shared_bytes = options.shared_bytes;
  program->local_bytes = options.local_bytes;
  launch.program = program;
  launch.grid = {4, 1, 1};
  launch.block = {256, 1, 1};
  clock = std::make_unique<Clock>((options_.name + "_clock").c_str(), sc_core::sc_time(1, sc_core::SC_NS),
                                  status, options.every_cycle);
  if (options.memory_period_ns)
    own_memory_clock = std::make_unique<Clock>((options_.name + "_memory_clock").c_str(),
                                               sc_core::sc_time(options.memory_period_ns, sc_core::SC_NS),
                                               status, options.every_cycle);
  if (options.memory_first) {
    build_atomics();
    build_memory();
    build_units();
  } else {
    build_units();
    build_memory();
    build_atomics();
  }
  for (int i = 0; i < options.sms && atomics; ++i)
    units[static_cast<std::size_t>(i)]->socket.bind(atomics->target(i));
  if (memory && atomics)
    atomics->memory.bind(memory->socket());
  else if (memory)
    units[0]->socket.bind(memory->socket());
}

void MemoryRig::build_atomics() {
  if (options_.atomic_unit)
    atomics = std::make_unique<AtomicUnit>((options_.name + "_atomics").c_str(), memory_clock(),
                                           options_.atomics, options_.sms, StatsScope(stats, "atomics"));
}

void MemoryRig::build_memory() {
  if (options_.memory.empty()) return;
  IMemoryModel::Context context{options_.name + "_memory",
                                memory_clock(),
                                StatsScope(stats, "memory"),
                                image,
                                options_.sms,
                                options_.pipeline_overhead_cycles + kMemoryEdgeOverheadCycles};
  const ConfigNode choice = parse_config_text(R"({"memory":)" + options_.memory + "}", "test");
  memory = Registry<IMemoryModel>::instance().make(*choice.find("memory"), context);
}

void MemoryRig::build_units() {
  for (int i = 0; i < options_.sms; ++i) {
    const std::string name = "sm" + std::to_string(i);
    LoadStoreContext context{StatsScope(stats, name)};
    context.sm = SmId(static_cast<std::uint32_t>(i));
    context.partitions = options_.partitions;
    context.first_warp_index = static_cast<std::uint64_t>(i) * 48;
    context.pipeline_overhead_cycles = options_.pipeline_overhead_cycles;
    context.image = options_.with_bounds ? &image : nullptr;
    units.push_back(std::make_unique<LoadStoreUnit>((options_.name + "_" + name).c_str(), *clock,
                                                    options_.load_store, context));
    drivers.push_back(std::make_unique<Driver>((options_.name + "_driver" + std::to_string(i)).c_str(),
                                               *clock, *units.back(), options_.partitions,
                                               options_.load_store.output_queue_instructions));
    units.back()->shared_memory().allocate(CtaSlot(0), options_.shared_bytes);
  }
}

void MemoryRig::fill_words(std::uint64_t bytes) {
  auto& a = image.allocate_at("data", kData, bytes);
  for (std::uint32_t i = 0; i < bytes / 4; ++i) std::memcpy(&a.data[i * 4], &i, 4);
}

Shot& MemoryRig::shoot(Cycle arrival, const Form& form, int sm, int warp, LaneMask mask) {
  WarpContext& context = contexts_.emplace_back();
  context.warp = WarpId(static_cast<std::uint32_t>(warp));
  context.launch = &launch;
  context.warp_in_cta = static_cast<std::uint32_t>(warp);
  context.lanes = kAllLanes;

  Shot& shot = drivers[static_cast<std::size_t>(sm)]->shots.emplace_back();
  shot.arrival = arrival;
  isa::Instruction& i = shot.instruction;
  i.op = form.op;
  i.unit = isa::UnitClass::ldst;
  i.op_class = isa::OpClass::memory;
  i.type = form.type;
  i.modifiers.atomic = form.atomic;
  i.memory.space = form.space;
  i.memory.element_bytes = static_cast<std::uint8_t>(isa::bits_of(form.type) / 8);
  i.memory.elements = static_cast<std::uint8_t>(form.elements);
  i.memory.cache = form.cache;
  i.memory.ordering = form.ordering;
  i.memory.scope = form.scope;
  i.location.ptx_line = 12;

  InFlight& item = shot.item;
  item.instruction = &i;
  item.context = &context;
  item.mask = mask;
  item.operands.active = mask;
  for (auto& words : shot.results)
    for (auto& word : words) word.fill(kPoison);
  if (form.op == isa::Opcode::membar || form.op == isa::Opcode::prefetch) return shot;
  i.add_src(isa::Operand::make_reg(RegId(0), 64));
  item.operands.src[0][0] = &shot.values[0][0];
  item.operands.src[0][1] = &shot.values[0][1];
  const bool is_atomic = form.op == isa::Opcode::atom || form.op == isa::Opcode::red;
  const int sources = form.op == isa::Opcode::st ? form.elements
                      : is_atomic                ? (form.atomic == isa::AtomicOp::cas ? 2 : 1)
                                                 : 0;
  for (int s = 1; s <= sources; ++s) {
    i.add_src(isa::Operand::make_reg(RegId(0), form.register_bits));
    item.operands.src[s][0] = &shot.values[s][0];
    if (form.register_bits == 64) item.operands.src[s][1] = &shot.values[s][1];
  }
  const int destinations = form.op == isa::Opcode::ld ? form.elements : form.op == isa::Opcode::atom ? 1 : 0;
  for (int d = 0; d < destinations; ++d) {
    i.add_dst(isa::Operand::make_reg(RegId(0), form.register_bits));
    item.operands.dst[d][0] = &shot.results[d][0];
    if (form.register_bits == 64) item.operands.dst[d][1] = &shot.results[d][1];
  }
  return shot;
}

void MemoryRig::set_address(Shot& shot, int lane, std::uint64_t address) {
  set_source(shot, 0, lane, address);
}

void MemoryRig::set_addresses(Shot& shot, std::uint64_t base, std::uint64_t stride) {
  for (int i = 0; i < kLanes; ++i) set_address(shot, i, base + stride * static_cast<unsigned>(i));
}

void MemoryRig::set_source(Shot& shot, int slot, int lane, std::uint64_t value) {
  shot.values[slot][0][lane] = static_cast<std::uint32_t>(value);
  shot.values[slot][1][lane] = static_cast<std::uint32_t>(value >> 32);
}

void MemoryRig::run(Cycle limit) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  allocate_local_memory(image, launch.program->local_bytes, 48u * static_cast<unsigned>(options_.sms));
  for (auto& unit : units) unit->begin_kernel(launch);
  if (memory) memory->begin_kernel();
  const Cycle start = clock->sync();
  for (auto& driver : drivers) driver->origin = start;
  clock->start(start + 1);
  if (own_memory_clock) own_memory_clock->start(own_memory_clock->sync() + 1);
  const auto all_left = [&] {
    bool done = true;
    for (const auto& driver : drivers)
      for (const Shot& shot : driver->shots) done &= shot.left != kNever;
    for (const auto& unit : units) done &= unit->idle();
    return done;
  };
  while (!all_left() && clock->now() < start + limit && !status.failed()) {
    sc_core::sc_start(600, sc_core::SC_NS);
    clock->sync();
    for (; !actions_.empty() && actions_.begin()->first + start <= clock->now();
         actions_.erase(actions_.begin()))
      actions_.begin()->second();
  }
  clock->stop();
  if (own_memory_clock) own_memory_clock->stop();
  status.rethrow();
  ASSERT_TRUE(all_left()) << "still under way after " << limit << " cycles";
  if (memory) memory->drain();
}

void MemoryRig::restart() {
  for (auto& driver : drivers) driver->restart();
}

std::uint64_t MemoryRig::count(const std::string& full_name) const {
  for (const CounterInfo& info : stats.counters())
    if (info.full_name() == full_name) return info.counter->value();
  ADD_FAILURE() << "no counter " << full_name;
  return 0;
}

std::uint32_t MemoryRig::word(std::uint64_t address) const {
  std::uint32_t value = 0;
  const std::uint8_t* at = image.find(address, 4);
  EXPECT_NE(at, nullptr);
  if (at) std::memcpy(&value, at, 4);
  return value;
}

}  // namespace heddle::test
