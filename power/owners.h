#pragma once

// Decides which technology prices each event of a structure. A structure is a consumer of energy, such as
// register_file.mrf. Several technology files may have prices for a structure. The file with the highest rank
// (a number in each file) then prices all events of the structure, and the other files price none of them.
// Dynamic energy and leakage may belong to different technologies. The order of technologies has no effect.

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/technology.h"

namespace heddle::power {

/// States that an entry of a technology prices a kind of event of a structure.
struct Claim {
  std::size_t technology = 0;  ///< index of the technology in the account
  std::size_t entry = 0;       ///< index among all entries of the account
  std::string structure;       ///< name of the structure, such as "register_file.mrf"
  bool still = false;          ///< true: leakage and gating overhead; false: dynamic energy
  /// kind of event, such as "read"; empty for leakage, which always belongs to one technology
  std::string kind;
};

class Owners {
 public:
  /// Function of two entries (of different technologies) that returns true if they have the same price. With
  /// it, the constructor of Owners detects technologies of equal rank that price an event differently, and
  /// throws Error.
  using SamePrice = std::function<bool(std::size_t, std::size_t)>;
  Owners(const std::vector<Claim>& claims, const std::vector<Technology>& technologies,
         const SamePrice& same_price);

  /// Returns true if this account prices the claim's events by the entry that makes the claim, not by another
  /// entry. The constructor must have received the claim.
  bool has(const Claim& claim) const;
  std::size_t owner_of(const Claim& claim) const;

 private:
  struct Owned {
    /// Technologies of equal rank that share the events of a structure; the technologies are sorted by name.
    std::vector<std::size_t> technologies;
    /// Entries of technology files that price nothing in this account, because another entry already has the
    /// same price for the same events. The technology of this other entry comes earlier in `technologies`.
    std::set<std::size_t> twins;
  };
  static void share(const std::vector<const Claim*>& claims, const std::vector<Technology>& technologies,
                    const SamePrice& same_price, Owned& owned);

  std::map<std::pair<std::string, bool>, Owned> owned_;
};

}  // namespace heddle::power
