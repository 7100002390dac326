#pragma once

// Assigns every event of a structure to one of an account's technologies, independent of their order: the
// technology of the highest rank that prices anything of the structure prices all of it. Dynamic energy and
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

/// Claim of one entry of a technology.
struct Claim {
  std::size_t technology = 0;  ///< its position in the account
  std::size_t entry = 0;       ///< position among the account's entries
  std::string structure;       ///< "register_file.mrf"
  bool still = false;          ///< leakage, and what switching costs; else dynamic
  std::string kind;            ///< "read"; of leakage one for all, since it has one owner
};

class Owners {
 public:
  /// `same_price(a, b)`: whether two entries are one, in two tables that share it. Throws Error where two
  /// technologies of one rank price an event differently.
  using SamePrice = std::function<bool(std::size_t, std::size_t)>;
  Owners(const std::vector<Claim>& claims, const std::vector<Technology>& technologies,
         const SamePrice& same_price);

  /// True if the claim, one of those that were decided, owns its events.
  bool has(const Claim& claim) const;
  /// Technology that prices the claim's events instead.
  std::size_t owner_of(const Claim& claim) const;

 private:
  struct Owned {
    std::vector<std::size_t> technologies;  ///< of one rank, by name
    std::set<std::size_t> twins;            ///< entries that another of them has, too
  };
  static void share(const std::vector<const Claim*>& claims, const std::vector<Technology>& technologies,
                    const SamePrice& same_price, Owned& owned);

  std::map<std::pair<std::string, bool>, Owned> owned_;
};

}  // namespace heddle::power
