#pragma once

namespace heddle::power {

/// Energies are kept in pJ, and written in nJ where a whole run is told of.
inline constexpr double kPicojoulesOfNanojoule = 1000;

}  // namespace heddle::power
