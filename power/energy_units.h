#pragma once

namespace heddle::power {

/// Energies are stored in pJ and reported in nJ for whole runs.
inline constexpr double kPicojoulesOfNanojoule = 1000;

}  // namespace heddle::power
