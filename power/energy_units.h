#pragma once

namespace heddle::power {

/// Energies are stored in pJ; reports of whole runs state nJ.
inline constexpr double kPicojoulesOfNanojoule = 1000;

}  // namespace heddle::power
