#pragma once

// Decides which technology (table of prices) prices each event of a structure, that is, of a consumer of
// energy such as register_file.mrf. The technology with the highest rank that prices any event of a structure
// prices all its events. Dynamic energy and leakage of a structure may belong to different technologies. The
// order of the technologies has no effect.

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// States that an entry of a technology (table of prices) has a price for a kind of event of a structure.
struct Claim {
  std::size_t technology = 0;  ///< index of the technology (table of prices) in the account
  std::size_t entry = 0;       ///< index of the entry among all entries of the account
  std::string structure;       ///< name of the structure, such as "register_file.mrf"
  bool still = false;          ///< true for leakage and gating overhead, false for dynamic energy
  /// Kind of the event, such as "read"; empty for leakage, which always belongs to one technology.
  std::string kind;
};

class Owners {
 public:
  /// `same_price(a, b)`: true if entries a and b of different technologies (tables of prices) have the same
  /// price. Throws Error if two technologies of equal rank price an event differently.
  using SamePrice = std::function<bool(std::size_t, std::size_t)>;
  Owners(const std::vector<Claim>& claims, const std::vector<Technology>& technologies,
         const SamePrice& same_price);

  /// True if the claim's entry is the one that prices the events in this account. The claim must be one of
  /// those given to the constructor.
  bool has(const Claim& claim) const;
  /// Returns the technology (table of prices) that prices the events which the claim names.
  std::size_t owner_of(const Claim& claim) const;

 private:
  struct Owned {
    /// Technologies (tables of prices) of equal rank that share the events, in the order of their names.
    std::vector<std::size_t> technologies;
    /// Entries that price nothing, because a technology earlier in the order has the same price for the same
    /// events.
    std::set<std::size_t> twins;
  };
  static void share(const std::vector<const Claim*>& claims, const std::vector<Technology>& technologies,
                    const SamePrice& same_price, Owned& owned);

  std::map<std::pair<std::string, bool>, Owned> owned_;
};

}  // namespace heddle::power
