#include "models/reference/memory_instructions.h"

#include <bit>

#include "models/isa/lane_operands.h"
#include "models/isa/matrix_rows.h"

namespace heddle::reference {
namespace {

LaneAccesses::Part part_of(const DecodedInstruction& d) {
  const AccessKind kind = d.action == Action::atomic             ? AccessKind::atomic
                          : d.instruction->op == isa::Opcode::ld ? AccessKind::load
                                                                 : AccessKind::store;
  return {*d.instruction, kind, 0, d.access};
}

}  // namespace

MemoryInstructions::MemoryInstructions(const isa::KernelLaunch& launch, const DecodedProgram& decoded,
                                       MemoryImage& memory, const ReferenceOptions& options,
                                       Progress& progress, ReferenceResult& counts, const Sight& sight)
    : accesses_(launch, decoded, memory, options, progress, counts, sight),
      copies_(decoded, accesses_, progress),
      progress_(progress),
      counts_(counts) {}

void MemoryInstructions::execute(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  ResolvedAccess access;
  if (d.action == Action::atomic && isa::is_mbarrier(*d.instruction)) {
    isa::MemoryAccess form = d.instruction->memory;
    form.space = isa::reached_space(*d.instruction);
    accesses_.resolve(warp, d, part_of(d), form, executing, access);
  } else {
    accesses_.resolve(warp, d, part_of(d), d.instruction->memory, executing, access);
  }
  if (d.action == Action::load) return load(warp, d, executing, access);
  if (d.action == Action::store) return store(warp, d, executing, access);
  atomic(warp, d, executing, access);
}

void MemoryInstructions::move_matrices(WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  accesses_.faults().require_all_lanes(warp, d, executing);
  const isa::Instruction& i = *d.instruction;
  isa::MemoryAccess form = i.memory;
  form.space = isa::reached_space(i);
  ResolvedAccess access;
  accesses_.resolve(warp, d, part_of(d), form, isa::address_lanes(i, executing), access);
  for (int m = 0; m < isa::matrices_of(i); ++m) {
    // ldmatrix, stmatrix: lane l holds elements 2 (l mod 4) and 2 (l mod 4) + 1 of row l / 4 of an 8x8
    // matrix. With .trans, it holds these elements of column l / 4.
    const auto element_at = [&](int lane, int half) {
      const int line = lane / 4, along = 2 * (lane % 4) + half;
      return i.matrix.a_by_columns ? access.at(8 * m + along) + 2 * line
                                   : access.at(8 * m + line) + 2 * along;
    };
    LaneVec counter[2], loaded;
    const bool load = i.op == isa::Opcode::ld;
    const SourceWords data = load ? SourceWords{} : accesses_.source(warp, d, 1 + m, executing, counter);
    if (!load && !data.low)
      accesses_.faults().fail(warp, d, FaultError::Kind::other, -1, "a store without a value");
    for (int lane = 0; lane < kLanes; ++lane)
      for (int half = 0; half < 2; ++half) {
        std::uint8_t* const at = element_at(lane, half);
        const auto before = static_cast<std::uint32_t>(read_element(at, 2));
        loaded[lane] = half == 0 ? before : loaded[lane] | before << 16;
        if (load) continue;
        scatter(at, 2, (*data.low)[lane] >> 16 * half, 0);
        if (read_element(at, 2) != before) progress_.note();
      }
    if (load && d.dst[m].kind == Destination::Kind::reg) warp.values[d.dst[m].index] = loaded;
  }
}

void MemoryInstructions::load(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
                              const ResolvedAccess& access) {
  if (d.word) return gather_words(access, 0, executing, warp.values[d.dst[0].index]);
  const isa::MemoryAccess& form = d.instruction->memory;
  const bool is_signed = isa::is_signed(d.instruction->type);
  const int bytes = form.element_bytes;
  for (int e = 0; e < d.num_dst; ++e) {
    const Destination& to = d.dst[e];
    if (to.kind != Destination::Kind::reg) continue;
    LaneVec* const into = warp.values.data() + to.index;
    if (to.bits == 8 * bytes && to.bits >= 32) {
      gather_words(access, e * bytes, executing, into[0]);
      if (to.wide) gather_words(access, e * bytes + 4, executing, into[1]);
    } else if (executing == kAllLanes) {
      gather(access, form, e, is_signed, to.bits, into[0], to.wide ? into + 1 : nullptr);
    } else {
      LaneVec words[2];
      gather(access, form, e, is_signed, to.bits, words[0], to.wide ? &words[1] : nullptr);
      write(warp, to, words[0], &words[1], executing);
    }
  }
}

void MemoryInstructions::store(const WarpState& warp, const DecodedInstruction& d, LaneMask executing,
                               const ResolvedAccess& access) {
  const int bytes = d.instruction->memory.element_bytes;
  SourceWords data[isa::kMaxSources];
  LaneVec counters[isa::kMaxSources][2];
  for (int s = 1; s < d.num_src; ++s) {
    data[s] = accesses_.source(warp, d, s, executing, counters[s]);
    if (!data[s].low)
      accesses_.faults().fail(warp, d, FaultError::Kind::other, -1, "a store without a value");
  }
  const bool look = !progress_.made() && !access.touches_local;
  if (bytes == sizeof(std::uint32_t) && d.num_src == 2) {
    const LaneVec& words = *data[1].low;
    if (look) {
      LaneVec before = words;
      gather_words(access, 0, executing, before);
      if (!(before == words)) progress_.note();
    }
    return scatter_words(access, executing, words);
  }
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* pointer = access.at(lane);
    for (int s = 1; s < d.num_src; ++s, pointer += bytes) {
      const std::uint32_t low = (*data[s].low)[lane], high = data[s].high ? (*data[s].high)[lane] : 0;
      const std::uint64_t before = look ? read_element(pointer, bytes) : 0;
      scatter(pointer, bytes, low, high);
      if (look && before != read_element(pointer, bytes)) progress_.note();
    }
  }
}

/// Returns the mbarrier object after the operation. cp.async.mbarrier.arrive arrives at once, because all
/// earlier copies of the lane are complete in the reference.
std::uint64_t MemoryInstructions::mbarrier(const WarpState& warp, const DecodedInstruction& d, int lane,
                                           std::uint64_t object, std::uint64_t count) const {
  const auto apply = [&](isa::AtomicOp op) {
    if (const std::string fault = isa::mbarrier_fault(op, object, count); !fault.empty())
      accesses_.faults().fail(warp, d, FaultError::Kind::other, lane, fault);
    object = isa::apply_mbarrier(op, object, count);
  };
  const isa::AtomicOp op = d.instruction->modifiers.atomic;
  if (op != isa::AtomicOp::mb_copies_noinc) apply(op);
  if (isa::arrives_after_copies(op)) apply(isa::AtomicOp::mb_arrive);
  return object;
}

void MemoryInstructions::atomic(WarpState& warp, const DecodedInstruction& d, LaneMask executing,
                                const ResolvedAccess& access) {
  const isa::Instruction& instruction = *d.instruction;
  const int bytes = instruction.memory.element_bytes;
  SourceWords data[2];
  LaneVec counters[2][2];
  for (int s = 0; s < 2 && s + 1 < d.num_src; ++s)
    data[s] = accesses_.source(warp, d, s + 1, executing, counters[s]);
  LaneVec old[2];
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::uint8_t* const pointer = access.at(lane);
    const std::uint64_t before = read_element(pointer, bytes);
    const std::uint64_t after = isa::is_mbarrier(instruction)
                                    ? mbarrier(warp, d, lane, before, data[0].of_lane(lane))
                                    : isa::apply_atomic(instruction.modifiers.atomic, instruction.type,
                                                        before, data[0].of_lane(lane), data[1].of_lane(lane));
    scatter(pointer, bytes, static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(after >> 32));
    if (read_element(pointer, bytes) != before) progress_.note();
    old[0][lane] = static_cast<std::uint32_t>(before);
    old[1][lane] = static_cast<std::uint32_t>(before >> 32);
    ++counts_.atomics;
  }
  if (d.num_dst > 0) write(warp, d.dst[0], old[0], &old[1], executing);
}

}  // namespace heddle::reference
