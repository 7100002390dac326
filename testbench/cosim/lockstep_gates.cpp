#include "testbench/cosim/lockstep_gates.h"

#include <algorithm>

namespace heddle::cosim {
namespace {

constexpr const char* kTypes[] = {"INT", "FP", "SFU", "LDST"};

std::string text_of(const GatesOutputs& out) {
  std::string text = fmt::format("{} highest, slots", kTypes[static_cast<std::size_t>(out.highest)]);
  for (int i = 0; i < out.count; ++i)
    text += fmt::format(" {}", kTypes[static_cast<std::size_t>(out.slots[static_cast<std::size_t>(i)])]);
  return out.count ? text : text + " none";
}

/// Columns "active_enter.0", "active_enter.1".
void add_columns(std::vector<Column>& columns, const std::string& port, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) columns.push_back({fmt::format("{}.{}", port, i)});
}

}  // namespace

LockstepGates::LockstepGates(Wiring wiring) : w_(std::move(wiring)) {
  w_.rtl->reset({w_.parameters.switch_on_blackout, w_.parameters.max_switch_cycles});
}

void LockstepGates::record(const std::string& path, std::uint64_t max_cycles) {
  const std::string heading =
      fmt::format("gates_unit switch_on_blackout={} max_switch_cycles={} :",
                  static_cast<int>(w_.parameters.switch_on_blackout), w_.parameters.max_switch_cycles);
  std::vector<Column> columns;
  add_columns(columns, "active_enter", counts_.active.size());
  add_columns(columns, "active_leave", counts_.active.size());
  add_columns(columns, "ready_enter", counts_.ready.size());
  add_columns(columns, "ready_leave", counts_.ready.size());
  columns.insert(
      columns.end(),
      {{"slots"}, {"awake"}, {"blackout"}, {"fp_highest", true}, {"slot_used", true}, {"slot_type", true}});
  record_ = std::make_unique<StimulusFile>(path, heading, columns, max_cycles);
}

// The edge between two cycles changes the counters to those of the second one.
void LockstepGates::enter_cycle(const GatesInputs& inputs) {
  RtlGates::Counts enter, leave;
  const auto difference = [](auto& in, auto& out, auto& before, const auto& after) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      in[i] = std::max(0, after[i] - before[i]);
      out[i] = std::max(0, before[i] - after[i]);
    }
    before = after;
  };
  difference(enter.active, leave.active, counts_.active, inputs.active);
  difference(enter.ready, leave.ready, counts_.ready, inputs.ready);
  edge(enter, leave);
  inputs_.slots = inputs.slots;
  inputs_.awake = inputs_.blackout = 0;
  for (std::size_t u = 0; u < inputs.awake.size(); ++u)
    inputs_.awake |= static_cast<unsigned>(inputs.awake[u]) << u;
  for (std::size_t u = 0; u < inputs.blackout.size(); ++u)
    inputs_.blackout |= static_cast<unsigned>(inputs.blackout[u]) << u;
  w_.rtl->eval(inputs_);
}

void LockstepGates::edge(const RtlGates::Counts& enter, const RtlGates::Counts& leave) {
  if (record_) {
    std::uint64_t types = 0;
    for (int s = 0; s < RtlGates::kSlots; ++s)
      types |= static_cast<std::uint64_t>(w_.rtl->slot_type(s)) << (2 * s);
    std::array<std::uint64_t, 18> values{};
    auto next = values.begin();
    next = std::copy(enter.active.begin(), enter.active.end(), next);
    next = std::copy(leave.active.begin(), leave.active.end(), next);
    next = std::copy(enter.ready.begin(), enter.ready.end(), next);
    next = std::copy(leave.ready.begin(), leave.ready.end(), next);
    const std::array<std::uint64_t, 6> others = {static_cast<std::uint64_t>(inputs_.slots),
                                                 inputs_.awake,
                                                 inputs_.blackout,
                                                 w_.rtl->fp_highest(),
                                                 w_.rtl->slots_used(),
                                                 types};
    std::copy(others.begin(), others.end(), next);
    record_->line(values);
  }
  w_.rtl->clock(enter, leave);
}

GatesOutputs LockstepGates::outputs() const {
  GatesOutputs out;
  out.highest = w_.rtl->fp_highest() ? isa::UnitClass::fp : isa::UnitClass::int_;
  for (int s = 0; s < RtlGates::kSlots && (w_.rtl->slots_used() >> s & 1); ++s)
    out.slots[static_cast<std::size_t>(out.count++)] = static_cast<isa::UnitClass>(w_.rtl->slot_type(s));
  return out;
}

// Cycles in which nobody asked (no warp on the SM) pass in the RTL with the inputs of the one before.
GatesOutputs LockstepGates::step(const GatesInputs& inputs) {
  for (; begun_ && now_ + 1 < inputs.now; ++now_) {
    edge({}, {});
    w_.rtl->eval(inputs_);
  }
  enter_cycle(inputs);
  begun_ = true;
  now_ = inputs.now;
  ++compared_;
  const GatesOutputs rtl = outputs();
  if (w_.mode == Mode::drive) return rtl;
  const GatesOutputs model = model_->step(inputs);
  if (!(model == rtl)) [[unlikely]]
    differ(w_.instance, inputs.now, "choice of types", text_of(model), text_of(rtl));
  return model;
}

}  // namespace heddle::cosim
