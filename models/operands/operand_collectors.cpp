#include "models/operands/operand_collectors.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "models/core/part_arrays.h"
#include "models/core/warp_set.h"

#include "models/isa/release_flags.h"

namespace heddle {
namespace {

std::uint64_t way_of(const InFlight& item) {
  const auto cluster = static_cast<unsigned>(std::max(item.cluster, 0));
  // Returns the bit of the instruction's unit in a mask with 16 bits for each unit class. The load/store
  // class has only one unit, so its upper 15 bits stand for the matrix units.
  const auto unit = static_cast<unsigned>(item.footprint->unit);
  const bool matrix = item.footprint->unit == isa::UnitClass::matrix;
  return std::uint64_t{1} << (matrix ? 49 + cluster : 16 * unit + cluster);
}

}  // namespace

OperandCollectors::OperandCollectors(const sc_core::sc_module_name& name, const NoParameters&,
                                     Context& context)
    : OperandStage(name),
      life_(&context.life),
      path_(&context.path),
      releases_(&context.releases),
      releases_wanted_(context.path.wants(wants::releases)),
      announces_(context.path.wants(wants::announcements)),
      announces_sources_(context.path.wants(wants::prepares)),
      sends_notes_(releases_wanted_ || announces_),
      dispatches_per_cycle_(context.parameters.dispatches_per_cycle ? context.parameters.dispatches_per_cycle
                                                                    : context.parameters.collectors.total()),
      in_order_(context.parameters.orders_writes_after_reads()),
      collect_cycles_(static_cast<Cycle>(context.parameters.banks.latency_cycles)),
      slots_(static_cast<std::size_t>(context.parameters.collectors.total())),
      requests_(slots_.size()),
      memory_(WarpSet::kCapacity),
      sets_(context.parameters, context.stats),
      input_("in", context.port, slots_.size() + 4),
      output_("out", &context.room),
      allocated_(context.stats.add("allocated", "warp-instructions", "instructions that took a collector")),
      dispatched_(context.stats.add("dispatched", "warp-instructions", "instructions sent to a unit")) {
  for (std::size_t c = 0; c < requests_.size(); ++c) {
    Requests& requests = requests_[c];
    for (RegisterAccess& read : requests.reads) read.source = static_cast<std::uint16_t>(c);
    requests.announced = !announces_;
    requests.prepare.collector = CollectorId(static_cast<std::uint32_t>(c));
    requests.announcement.command = RegisterCommand::prepare;
    requests.announcement.source = static_cast<std::uint16_t>(c);
    requests.announcement.prepare = &requests.prepare;
  }
}

// Returns the cycles from issue to the start in the unit: 3 cycles (issue, collector, unit) plus the read
// latency of the banks.
int OperandCollectors::least_cycles(const RegisterFileParameters& parameters) {
  return 3 + parameters.banks.latency_cycles;
}

Cycle OperandCollectors::step(Cycle now) {
  sets_.count_to(now);
  cycle_ = {};
  if (!held_.empty() || !queued_memory_.empty()) dispatch_held(now);
  if (!unsent_.empty() && may_send()) send_waiting(now);
  if (!input_.empty()) take_issued(now);
  const bool retries_memory = !queued_memory_.empty() && !cycle_.room_follows;
  return retries_memory || !unsent_.empty() || !input_.empty() ? now + 1 : cycle_.next;
}

// Dispatches instructions whose operands are complete, oldest first. If the load/store unit refuses a memory
// instruction, the stage offers no other memory instruction in this cycle.
void OperandCollectors::dispatch_held(Cycle now) {
  cycle_.left = dispatches_per_cycle_;
  std::uint16_t* const held = held_.begin();
  const std::size_t count = held_.size();
  const auto age_of_queued = [this](std::size_t i) {
    return i < queued_memory_.size() ? slots_[queued_memory_[i]].age : kNever;
  };
  const auto blocked = [this](const Slot& slot) {
    return (cycle_.refused != 0 && (cycle_.refused & way_of(*slot.item))) || cycle_.left == 0;
  };
  std::size_t next = 0, kept = 0, queued = 0;
  std::uint64_t queued_age = age_of_queued(queued);
  while (next < count || queued_age != kNever) {
    const bool queues = queued_age != kNever && (next == count || queued_age < slots_[held[next]].age);
    const std::uint16_t c = queues ? queued_memory_[queued] : held[next++];
    Slot& slot = slots_[c];
    if (queues && blocked(slot)) {
      queued_age = kNever;
      continue;
    }
    if (!queues && slot.complete_at >= now) {
      held[kept++] = c;
      cycle_.next = std::min(cycle_.next, slot.complete_at + 1);
      continue;
    }
    const bool gone = !blocked(slot) && dispatch(slot, c);
    if (queues) {
      if (gone)
        queued_memory_.erase(queued);
      else
        ++queued;
      queued_age = age_of_queued(queued);
    } else if (!gone) {
      if ((slot.memory || !slot.item->reads_released) && stays(slot, c)) {
        ++queued;
        continue;
      }
      held[kept++] = c;
      cycle_.next = now + 1;
    }
  }
  held_.shrink(kept);
}

bool OperandCollectors::stays(const Slot& slot, std::uint16_t number) {
  InFlight& item = *slot.item;
  if (!item.reads_released) {
    item.reads_released = true;
    life_->reads_held(item);
  }
  if (!slot.memory) return false;
  queued_memory_.push_back(number);
  sort_in(queued_memory_);
  return true;
}

// Offers an instruction to its unit. If the unit refuses the instruction, the stage offers this unit no
// further instruction in this cycle.
bool OperandCollectors::dispatch(Slot& slot, std::uint16_t number) {
  InFlight& item = *slot.item;
  MemoryOrder* const order = slot.memory ? &memory_[item.warp().value] : nullptr;
  if (order && slot.ticket != order->left) return false;
  if (!output_.offer(&item)) {
    cycle_.refused |= way_of(item);
    cycle_.room_follows |= order && output_.room_follows();
    return false;
  }
  if (order) ++order->left;
  item.operands_at = slot.complete_at;
  life_->dispatched(item);
  slot.item = nullptr;
  sets_.give_back(item, number);
  --cycle_.left;
  ++dispatched_;
  return true;
}

void OperandCollectors::sort_in(GrowingArray<std::uint16_t>& collectors) {
  const std::uint16_t number = collectors.back();
  const std::uint64_t age = slots_[number].age;
  std::uint16_t* place = &collectors.back();
  for (; place != collectors.begin() && slots_[place[-1]].age > age; --place) place[0] = place[-1];
  *place = number;
}

void OperandCollectors::take_issued(Cycle now) {
  while (input_.can_pop()) {
    const std::uint16_t c = sets_.take(*input_.front());
    if (c == CollectorSets::kNone) return;
    Slot& slot = slots_[c];
    slot.item = input_.pop();
    slot.item->collector = CollectorId(c);
    slot.age = allocated_.value();
    ++allocated_;
    Requests& requests = requests_[c];
    prepare_reads(now, c, slot, requests);
    // If no interlock orders writes after earlier reads, an instruction without register reads waits in its
    // collector until all earlier instructions have sent their reads. Its write then comes after these reads.
    if (slot.open == 0 && in_order_ && !unsent_.empty()) slot.open = 1;
    if (slot.open == 0)
      hold(c);
    else if (!unsent_.empty() || !may_send() || !send(now, c, slot, requests))
      unsent_.push_back(c);
  }
}

void OperandCollectors::send_waiting(Cycle now) {
  std::size_t gone = 0;
  for (; gone < unsent_.size(); ++gone)
    if (const std::uint16_t c = unsent_[gone]; !send(now, c, slots_[c], requests_[c])) break;
  unsent_.drop_front(gone);
}

void OperandCollectors::prepare_reads(Cycle now, std::uint16_t number, Slot& slot, Requests& requests) {
  InFlight& item = *slot.item;
  const isa::Instruction* const instruction = item.instruction;
  const InstructionFootprint& footprint = *item.footprint;
  const WarpId warp = item.warp();
  const LaneMask mask = item.mask, live = item.live;
  LaneVec* const values = item.words;
  RegisterAccess* read = requests.next = requests.reads;
  for (const OperandWord& word : footprint.reads_in_order()) {
    read->set_register(warp, RegId(word.reg));
    read->mask = mask;
    read->live = live;
    read->values = values + word.place;
    read->instruction = instruction;
    read->operand = &word;
    read->earliest_service = 0;
    read->data_at = 0;
    read->owner = &item;
    ++read;
  }
  requests.end = read;
  // An instruction without register operands also takes the cycles of a read, because operand collection is a
  // pipeline stage.
  slot.complete_at = now + collect_cycles_;
  slot.memory = footprint.memory;
  if (slot.memory) slot.ticket = memory_[warp.value].entered++;
  const bool sends = footprint.read_words != 0 || announces_;
  slot.open = static_cast<std::uint16_t>(footprint.read_words + (sends ? 1 : 0));
  item.reads_released = false;
  if (sends_notes_) prepare_notes(number);
  if (requests.announced) life_->prepared(item);
}

void OperandCollectors::prepare_notes(std::uint16_t number) {
  if (releases_wanted_ && slots_[number].item->attached != 0) note_dying(number);
  if (announces_) announce(number);
}

void OperandCollectors::announce(std::uint16_t number) {
  Requests& requests = requests_[number];
  const InFlight& item = *slots_[number].item;
  const InstructionFootprint& footprint = *item.footprint;
  if (footprint.write_words == 0 && !announces_sources_) {
    requests.announced = true;
    return;
  }
  RegisterPrepare& prepare = requests.prepare;
  prepare.uid = item.uid;
  prepare.pc = item.pc;
  prepare.sources = announces_sources_ ? footprint.read_words : 0;
  prepare.destinations = footprint.write_words;
  const OperandWord* from = footprint.words.data() + (announces_sources_ ? 0 : footprint.read_words);
  RegisterWord* const end = prepare.words.data() + prepare.sources + prepare.destinations;
  for (RegisterWord* to = prepare.words.data(); to != end; ++from, ++to)
    *to = {RegId(from->reg), RegId(from->reg), RegisterPlace{}, from};
  RegisterAccess& note = requests.announcement;
  note.warp = item.warp();
  note.mask = item.mask;
  note.active = item.active;
  note.live = item.live;
  note.instruction = item.instruction;
  note.earliest_service = note.data_at = 0;
  note.owner = slots_[number].item;
}

void OperandCollectors::note_dying(std::uint16_t number) {
  Requests& requests = requests_[number];
  const InFlight& item = *slots_[number].item;
  DyingWords& dying = path_->dying();
  const isa::Program& program = *item.context->launch->program;
  if (!dying.are_of(program)) dying.learn(program);
  dying.for_each(dying.entry(item.pc), item.attached,
                 [&requests](std::uint8_t r) { requests.dead[requests.dying++] = r; });
}

bool OperandCollectors::send(Cycle now, std::uint16_t number, Slot& slot, Requests& requests) {
  if (!requests.announced && !send_announcement(requests)) return false;
  if (RegisterAccess* const first = requests.next; first != requests.end) {
    const ReadsTaken taken = path_->take_reads(RegisterPath::Sender::collectors, {first, requests.end});
    requests.next = first + taken.count;
    for (std::uint32_t rest = taken.answered; rest; rest &= rest - 1)
      answered(now, first[std::countr_zero(rest)]);
    if (requests.next != requests.end) return false;
  }
  if (sends_notes_ && !send_releases(number)) return false;
  if (--slot.open == 0) hold(number);
  return true;
}

bool OperandCollectors::send_announcement(Requests& requests) {
  if (path_->take(RegisterPath::Sender::collectors, requests.announcement) == RegisterAnswer::refused)
    return false;
  requests.announced = true;
  life_->prepared(*static_cast<InFlight*>(requests.announcement.owner));
  return true;
}

bool OperandCollectors::send_releases(std::uint16_t number) {
  Requests& requests = requests_[number];
  const InFlight& item = *slots_[number].item;
  for (; requests.released < requests.dying; ++requests.released)
    if (!releases_->offer({item.warp(), RegId(requests.dead[requests.released]), item.live},
                          item.instruction))
      return false;
  requests.released = requests.dying = 0;
  requests.announced = !announces_;
  return true;
}

namespace {

const OperandStageRegistration<OperandCollectors> operand_collectors_entry{
    "collectors", "operand collectors: each gathers the sources of one instruction"};

const Arrays<OperandStage> operand_collectors_arrays{"collectors", {}};

}  // namespace
}  // namespace heddle
