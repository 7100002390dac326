#include "models/isa/lanes/lane_sets.h"

#include "models/isa/lanes/cross_lane.h"
#include "models/isa/lanes/families.h"
#include "models/isa/lanes/matrix_product.h"

namespace heddle::isa {
namespace lanes {

bool host_supports(LaneSet set) {
  if (set == LaneSet::baseline) return true;
#if defined(HEDDLE_HAS_AVX2_LANES)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

LaneFunction find_lane_function_in(LaneSet set, const Instruction& instruction) {
  if (const LaneFunction across = find_cross_lane(instruction)) return across;
  if (const LaneFunction product = find_matrix_product(instruction)) return product;
#if defined(HEDDLE_HAS_AVX2_LANES)
  if (set == LaneSet::avx2) return avx2::find_form(instruction);
#endif
  return set == LaneSet::baseline ? baseline::find_form(instruction) : nullptr;
}

const RowOperations& row_operations_in(LaneSet set) {
#if defined(HEDDLE_HAS_AVX2_LANES)
  if (set == LaneSet::avx2) return avx2::kRowOperations;
#endif
  (void)set;
  return baseline::kRowOperations;
}

namespace {

LaneSet set_of_host() { return host_supports(LaneSet::avx2) ? LaneSet::avx2 : LaneSet::baseline; }

}  // namespace
}  // namespace lanes

const RowOperations kRows = lanes::row_operations_in(lanes::set_of_host());

LaneFunction find_lane_function(const Instruction& instruction) {
  static const lanes::LaneSet set = lanes::set_of_host();
  return lanes::find_lane_function_in(set, instruction);
}

}  // namespace heddle::isa
