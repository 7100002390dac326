#pragma once

namespace heddle::power {

/// Energies are stored in pJ; whole runs are reported in nJ.
inline constexpr double kPicojoulesOfNanojoule = 1000;

}  // namespace heddle::power
