#pragma once

// Assigns each event of a structure to one of the account's technologies, independent of their order. The
// technology with the highest rank that prices anything of the structure prices all of it. Dynamic energy and
// leakage have separate owners.

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// Claim of one entry to price events of a structure.
struct Claim {
  std::size_t technology = 0;  ///< index in the account
  std::size_t entry = 0;       ///< index among the account's entries
  std::string structure;       ///< such as "register_file.mrf"
  bool still = false;          ///< true for leakage and gating overhead, false for dynamic energy
  std::string kind;            ///< such as "read"; empty for leakage, which has a single owner
};

class Owners {
 public:
  /// `same_price(a, b)`: true if two entries of different tables are equal. Throws Error if two technologies
  /// of equal rank price an event differently.
  using SamePrice = std::function<bool(std::size_t, std::size_t)>;
  Owners(const std::vector<Claim>& claims, const std::vector<Technology>& technologies,
         const SamePrice& same_price);

  /// True if the claim, one of those given to the constructor, owns its events.
  bool has(const Claim& claim) const;
  /// Returns the technology that prices the claim's events.
  std::size_t owner_of(const Claim& claim) const;

 private:
  struct Owned {
    std::vector<std::size_t> technologies;  ///< technologies of equal rank, by name
    std::set<std::size_t> twins;            ///< entries that an earlier technology contains as well
  };
  static void share(const std::vector<const Claim*>& claims, const std::vector<Technology>& technologies,
                    const SamePrice& same_price, Owned& owned);

  std::map<std::pair<std::string, bool>, Owned> owned_;
};

}  // namespace heddle::power
