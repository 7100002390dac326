#include "models/compiler/analyses/access_energy.h"

#include <array>

namespace heddle::compiler {
namespace {

struct Point {
  double entries, read, write;
};

// Access energies in pJ of the upper register levels (Gebhart 2012, Table IV). `entries`: entries per warp
// times active warps. The first row, with 8 entries, is the last-result level of Table V.
constexpr std::array<Point, 7> kPoints{{{8, 0.7, 2.0},
                                        {16, 1.2, 3.8},
                                        {24, 1.2, 4.4},
                                        {32, 1.9, 6.1},
                                        {36, 1.7, 5.4},
                                        {48, 2.2, 6.7},
                                        {64, 3.4, 10.9}}};

// Interpolates linearly between the rows of kPoints. Before the first row, returns the values of this row.
// After the last row, extrapolates from the last two rows.
double interpolate(double entries, double Point::*value) {
  if (entries <= kPoints.front().entries) return kPoints.front().*value;
  std::size_t n = 1;
  while (n + 1 < kPoints.size() && kPoints[n].entries < entries) ++n;
  const Point &a = kPoints[n - 1], &b = kPoints[n];
  return a.*value + (b.*value - a.*value) * (entries - a.entries) / (b.entries - a.entries);
}

}  // namespace

AccessEnergy AccessEnergy::resolved(int entries) const {
  AccessEnergy e = *this;
  const double all = static_cast<double>(entries) * active_warps;
  if (e.operand_read_pj == 0) e.operand_read_pj = interpolate(all, &Point::read);
  if (e.operand_write_pj == 0) e.operand_write_pj = interpolate(all, &Point::write);
  return e;
}

double AccessEnergy::read(int level, bool shared_unit) const {
  if (level == isa::kMainLevel) return main_read_pj + main_wire_pj;
  if (level == isa::kLastResultLevel) return last_read_pj + last_wire_pj;
  return operand_read_pj + (shared_unit ? operand_wire_shared_pj : operand_wire_pj);
}

double AccessEnergy::write(int level, bool shared_unit) const {
  if (level == isa::kMainLevel) return main_write_pj + main_wire_pj;
  if (level == isa::kLastResultLevel) return last_write_pj + last_wire_pj;
  return operand_write_pj + (shared_unit ? operand_wire_shared_pj : operand_wire_pj);
}

}  // namespace heddle::compiler
