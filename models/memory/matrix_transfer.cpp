#include "models/memory/matrix_transfer.h"

#include <cstring>

#include "models/isa/matrix_rows.h"

namespace heddle {
namespace {

using isa::kMatrixRows;

constexpr std::size_t kElementBytes = isa::kMatrixRowBytes / kMatrixRows;
constexpr int kElementBits = 8 * kElementBytes;

}  // namespace

void load_matrices(const isa::Instruction& instruction, isa::LaneOperands& operands,
                   const WarpAddresses& addresses, const std::uint8_t* origin, std::uint64_t origin_address) {
  for (int m = 0; m < isa::matrices_of(instruction); ++m) {
    LaneVec* const to = operands.dst[m][0];
    if (!to) continue;
    LaneVec words{};
    for (int row = 0; row < kMatrixRows; ++row) {
      const std::uint8_t* const at = origin + (addresses.at(kMatrixRows * m + row) - origin_address);
      for (int column = 0; column < kMatrixRows; ++column) {
        const isa::ElementHolder holder = isa::holder_of(instruction.matrix.a_by_columns, row, column);
        std::uint16_t element;
        std::memcpy(&element, at + kElementBytes * static_cast<std::size_t>(column), sizeof element);
        words[holder.lane] |= std::uint32_t{element} << kElementBits * holder.half;
      }
    }
    *to = words;
  }
}

void store_matrices(const isa::Instruction& instruction, const isa::LaneOperands& operands,
                    const WarpAddresses& addresses, std::uint8_t* origin, std::uint64_t origin_address) {
  for (int m = 0; m < isa::matrices_of(instruction); ++m) {
    const LaneVec& words = *operands.src[1 + m][0];
    for (int row = 0; row < kMatrixRows; ++row) {
      std::uint8_t* const at = origin + (addresses.at(kMatrixRows * m + row) - origin_address);
      for (int column = 0; column < kMatrixRows; ++column) {
        const isa::ElementHolder holder = isa::holder_of(instruction.matrix.a_by_columns, row, column);
        const auto element = static_cast<std::uint16_t>(words[holder.lane] >> kElementBits * holder.half);
        std::memcpy(at + kElementBytes * static_cast<std::size_t>(column), &element, sizeof element);
      }
    }
  }
}

}  // namespace heddle
