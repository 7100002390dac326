#include "models/reference/decoded_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "models/core/error.h"
#include "models/isa/async_copy.h"
#include "models/isa/kept_calls.h"
#include "models/isa/lane_operands.h"
#include "models/isa/matrix_operands.h"
#include "models/isa/matrix_rows.h"
#include "models/isa/result_place.h"
#include "models/reference/matrix_products.h"
#include "models/reference/post_dominators.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;

Action action_of(const Instruction& i) {
  if (i.metadata) return Action::metadata;
  switch (i.op) {
    case Opcode::ld:
      return isa::moves_matrices(i) ? Action::matrix_rows : Action::load;
    case Opcode::st:
      return isa::moves_matrices(i) ? Action::matrix_rows : Action::store;
    case Opcode::atom:
    case Opcode::red:
      return Action::atomic;
    case Opcode::copy:
      return Action::copy;
    case Opcode::tex:
      return Action::texture;
    case Opcode::mma:
    case Opcode::movmatrix:
      return Action::matrix;
    case Opcode::bra:
      return isa::is_kept_call(i) ? Action::call : isa::is_return(i) ? Action::leave : Action::branch;
    case Opcode::exit:
      return Action::exit;
    case Opcode::bar:
      return Action::barrier;
    case Opcode::membar:
    case Opcode::prefetch:
    case Opcode::bar_warp:
    case Opcode::commit:
    case Opcode::wait_group:
    case Opcode::nop:
      return Action::nothing;
    case Opcode::nanosleep:
      return Action::yield;
    case Opcode::trap:
      return Action::trap;
    default:
      return Action::lanes;
  }
}

bool is_straight(Action action) {
  switch (action) {
    case Action::lanes:
    case Action::load:
    case Action::store:
    case Action::atomic:
    case Action::matrix_rows:
    case Action::copy:
    case Action::texture:
    case Action::nothing:
    case Action::metadata:
      return true;
    default:
      return false;
  }
}

std::uint64_t low_bits(std::uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t parameter_at(const isa::KernelLaunch& launch, const Operand& operand,
                           const std::string& place) {
  const std::size_t bytes = static_cast<std::size_t>(std::max(8, int{operand.bits})) / 8;
  std::uint64_t value = 0;
  if (operand.value > launch.parameters.size() || launch.parameters.size() - operand.value < bytes)
    throw Error(place, fmt::format("reads {} bytes at offset {} of {} bytes of parameters", bytes,
                                   operand.value, launch.parameters.size()));
  std::memcpy(&value, launch.parameters.data() + operand.value, bytes);
  return value;
}

class Decoder {
 public:
  Decoder(const isa::KernelLaunch& launch, isa::MatrixGeneration matrix, DecodedProgram& into)
      : launch_(launch), program_(*launch.program), matrix_(matrix), into_(into) {
    into_.values = program_.registers;
  }

  DecodedInstruction decode(const Instruction& i) {
    DecodedInstruction d;
    d.action = action_of(i);
    d.instruction = &i;
    d.guarded = i.guard.present;
    d.guard_negated = i.guard.negated;
    d.guard = i.guard.pred.value;
    d.target = i.target;
    d.num_src = i.num_src;
    d.num_dst = i.num_dst;
    if (d.guarded) check_index(i, d.guard, program_.predicates, "predicate");
    for (int s = 0; s < i.num_src; ++s) d.src[s] = source(i, i.src[s]);
    for (int s = 0; s < i.num_dst; ++s) d.dst[s] = destination(i, i.dst[s]);
    d.in_place = is_in_place(d);
    d.plain = is_plain(d);
    if (is_access(d.action)) d.access = into_.accesses++;
    if (d.action == Action::copy) {
      d.access = into_.accesses;
      into_.accesses += 2;
      d.target = static_cast<std::int32_t>(into_.copies.size());
      into_.copies.push_back({isa::load_of_copy(i), isa::store_of_copy(i)});
    }
    d.word = d.action == Action::load && d.num_dst == 1 && i.memory.element_bytes == 4 &&
             d.dst[0].kind == Destination::Kind::reg && d.dst[0].bits == 32;
    if (d.action == Action::lanes) {
      d.function = i.lane_function ? i.lane_function : isa::find_lane_function(i);
      if (!d.function) throw Error(place_of(program_, i), "no arithmetic for \"" + isa::to_string(i) + "\"");
    }
    if (d.action == Action::matrix) d.function = product(i);
    return d;
  }

 private:
  isa::LaneFunction product(const Instruction& i) const {
    if (const std::string_view reason = isa::matrix_refusal(i, matrix_); !reason.empty())
      throw Error(place_of(program_, i),
                  fmt::format("matrix units of {} have no {}: {}", isa::name_of(matrix_),
                              isa::name_of(i.source_type), reason),
                  "a later generation");
    return matrix_function(i);
  }
  void check_index(const Instruction& i, std::uint64_t index, std::uint64_t count, const char* what) const {
    if (index >= count)
      throw Error(place_of(program_, i),
                  fmt::format("{} {} of {} in \"{}\"", what, index, count, isa::to_string(i)));
  }

  Source source(const Instruction& i, const Operand& o) {
    Source s;
    s.wide = o.bits == 64;
    s.words = static_cast<std::uint8_t>(std::max(o.words(), s.wide ? 2 : 1));
    switch (o.kind) {
      case Operand::Kind::none:
        return s;
      case Operand::Kind::reg:
        check_index(i, o.reg.value + s.words - 1u, program_.registers, "register");
        s.kind = Source::Kind::warp;
        s.index = o.reg.value;
        return s;
      case Operand::Kind::pred:
        check_index(i, o.pred.value, program_.predicates, "predicate");
        s.kind = Source::Kind::predicate;
        s.index = o.pred.value;
        s.negated = o.negated;
        return s;
      case Operand::Kind::immediate:
        if (o.bits == 1) {
          s.kind = Source::Kind::predicate_pool;
          s.index = ((o.value & 1u) != 0) != o.negated ? kAllLanes : 0;
          return s;
        }
        return constant(low_bits(o.value, o.bits), s.wide);
      case Operand::Kind::param:
        return constant(parameter_at(launch_, o, place_of(program_, i)), s.wide);
      case Operand::Kind::special:
        if (is_counter(o.special)) {
          s.kind = Source::Kind::counter;
          s.index = static_cast<std::uint32_t>(o.special);
          return s;
        }
        s.kind = Source::Kind::warp;
        s.index = special(o);
        return s;
    }
    return s;
  }

  Destination destination(const Instruction& i, const Operand& o) const {
    Destination d;
    d.bits = o.bits;
    d.wide = o.bits == 64;
    d.words = static_cast<std::uint8_t>(std::max(o.words(), 1));
    if (o.is_reg()) {
      check_index(i, o.reg.value + d.words - 1u, program_.registers, "register");
      d.kind = Destination::Kind::reg;
      d.index = o.reg.value;
    } else if (o.is_pred()) {
      check_index(i, o.pred.value, program_.predicates, "predicate");
      d.kind = Destination::Kind::predicate;
      d.index = o.pred.value;
    }
    return d;
  }

  Source constant(std::uint64_t value, bool wide) {
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(value >> 32);
    Source s;
    s.kind = Source::Kind::pool;
    s.wide = wide;
    s.words = wide ? 2 : 1;
    const auto [entry, added] = constants_.try_emplace({value, wide}, into_.pool.size());
    s.index = static_cast<std::uint32_t>(entry->second);
    if (!added) return s;
    into_.pool.emplace_back().fill(low);
    if (wide) into_.pool.emplace_back().fill(high);
    return s;
  }

  std::uint32_t special(const Operand& o) {
    for (const SpecialSlot& slot : into_.specials) {
      if (slot.special == o.special && slot.number == o.index && slot.bits == o.bits) return slot.index;
    }
    into_.specials.push_back({o.special, o.index, static_cast<std::uint8_t>(o.bits), into_.values});
    into_.values += o.bits == 64 ? 2 : 1;
    return into_.specials.back().index;
  }

  static bool is_plain(const DecodedInstruction& d) {
    const auto by_mask = [](const Source& s) {
      return s.kind == Source::Kind::predicate || s.kind == Source::Kind::counter;
    };
    return std::none_of(d.src.begin(), d.src.end(), by_mask) &&
           std::none_of(d.dst.begin(), d.dst.end(),
                        [](const Destination& to) { return to.kind == Destination::Kind::predicate; });
  }

  /// Returns true if the instruction may write its results directly to the destination registers, because it
  /// never reads a register after it has written this register.
  static bool is_in_place(const DecodedInstruction& d) {
    const bool takes_place = isa::may_take_place(*d.instruction) &&
                             std::count_if(d.dst.begin(), d.dst.end(), [](const Destination& to) {
                               return to.kind == Destination::Kind::reg;
                             }) == 1;
    for (int t = 0; t < d.num_dst; ++t) {
      if (d.dst[t].kind != Destination::Kind::reg) continue;
      const std::uint32_t first = d.dst[t].index, last = first + d.dst[t].words - 1u;
      for (int s = 0; s < d.num_src; ++s) {
        const Source& source = d.src[s];
        if (source.kind != Source::Kind::warp) continue;
        if (takes_place && source.index == first && source.words == d.dst[t].words) continue;
        if (source.index <= last && first <= source.index + source.words - 1u) return false;
      }
    }
    return true;
  }

  const isa::KernelLaunch& launch_;
  const isa::Program& program_;
  isa::MatrixGeneration matrix_;
  DecodedProgram& into_;
  std::map<std::pair<std::uint64_t, bool>, std::size_t> constants_;
};

std::map<std::uint64_t, DecodedFunction> functions_of(const isa::Program& program) {
  std::map<std::uint64_t, DecodedFunction> functions;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (!isa::begins_function(program.code[i])) continue;
    const auto value = [&](int source) {
      return static_cast<std::uint32_t>(program.code[i].src[static_cast<std::size_t>(source)].value);
    };
    functions[program.code[i].src[isa::kFunction].value] = {
        static_cast<std::int32_t>(i), value(isa::kFirstRegister), value(isa::kEndRegister),
        value(isa::kFirstPredicate),  value(isa::kEndPredicate),  value(isa::kFrameBytes)};
  }
  return functions;
}

DecodedCall call_at(const isa::Program& program, std::size_t at,
                    const std::map<std::uint64_t, DecodedFunction>& functions) {
  DecodedCall call;
  const Instruction& i = program.code[at];
  call.pointer = i.src[isa::kFramePointer].reg.value;
  call.frame_bytes = static_cast<std::uint32_t>(i.src[isa::kCallerFrame].value);
  for (++at; isa::is_candidate(program.code[at]); ++at) {
    const Instruction& candidate = program.code[at];
    const std::uint64_t address = candidate.src[isa::kCandidate].value;
    const auto stack_end = static_cast<std::uint32_t>(candidate.src[isa::kStackEnd].value);
    call.candidates.push_back({address, functions.at(address), stack_end, candidate.payload});
  }
  return call;
}

}  // namespace

DecodedProgram::DecodedProgram(const isa::KernelLaunch& launch, isa::ThreadProgress progress,
                               isa::MatrixGeneration matrix) {
  const isa::Program& program = *launch.program;
  if (isa::has_thread_progress(program, progress)) {
    waits = isa::waiting_branches(program);
    for (const isa::Instruction& i : program.code) meets.push_back(isa::meets_lanes(i));
  }
  const std::vector<std::int32_t> reconvergence = immediate_post_dominators(program);
  Decoder decoder(launch, matrix, *this);
  std::map<std::uint64_t, DecodedFunction> functions;
  code.reserve(program.code.size());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    code.push_back(decoder.decode(program.code[i]));
    code.back().reconvergence = reconvergence[i];
    if (code.back().action != Action::call) continue;
    if (functions.empty()) functions = functions_of(program);
    code.back().target = static_cast<std::int32_t>(calls.size());
    calls.push_back(call_at(program, i, functions));
  }
  apart = values;
  values += 2 * isa::kMaxDestinations;
  auto end = static_cast<std::int32_t>(code.size());
  for (std::size_t i = code.size(); i-- > 0;) {
    if (!is_straight(code[i].action)) end = static_cast<std::int32_t>(i);
    code[i].straight_end = end;
  }
}

std::string place_of(const isa::Program& program, const isa::Instruction& instruction) {
  const auto& l = instruction.location;
  return l.ptx_line == 0 ? program.file : fmt::format("{}:{}:{}", program.file, l.ptx_line, l.ptx_column);
}

}  // namespace heddle::reference
