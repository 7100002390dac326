#pragma once

namespace heddle::power {

/// Picojoules in a nanojoule. Energies are stored in pJ, and reports of whole runs state nJ.
inline constexpr double kPicojoulesOfNanojoule = 1000;

}  // namespace heddle::power
