#pragma once

// Binds technologies to the counters and the configuration of one GPU: finds the counters of every entry, decides
// who owns which event (owners.h), and works out the coefficients of what is owned.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/stats.h"
#include "power/bound_account.h"
#include "power/counter_index.h"
#include "power/coverage.h"
#include "power/expression.h"
#include "power/owners.h"
#include "power/storage.h"

namespace heddle::power {

class AccountBinder {
 public:
  /// All outlive this object; the technologies outlive what it makes.
  AccountBinder(const std::vector<Technology>& technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);

  /// Once. Throws Error, as EnergyAccount does.
  BoundAccount bind();

  /// What an event of every bound entry costs, in the order of BoundAccount::entries, by the values that the technologies
  /// have now; nothing else of them may have changed since bind(). Throws Error, as that does.
  std::vector<double> prices();

 private:
  /// An entry and its counters, before it is known who owns them.
  struct Candidate {
    const Entry* entry;
    std::size_t technology;
    std::vector<CounterMatch> spent, baseline;
    std::vector<Claim> claims;  ///< of each of `spent`
    std::optional<double> spent_pj, baseline_pj;
    bool in_work = false;  ///< its price is being worked out
  };

  void find_coefficients();
  void find_events();
  bool is_replaced(std::size_t technology);
  void add_candidate(const Entry& entry, std::size_t technology);
  bool any_counter(const std::vector<std::string>& patterns) const;
  std::vector<CounterMatch> find(const Entry& entry, const Term& term) const;
  Claim claim_of(const Candidate& candidate, std::size_t group) const;
  void price(Candidate& candidate);
  double price_of(const Entry& entry, const Term& term, std::size_t technology);
  bool same_price(std::size_t a, std::size_t b) const;
  double plain_price(const std::string& pattern);
  void warn_of_far_values();
  void bind(Candidate& candidate);
  BoundTerm bind_term(const std::vector<CounterMatch>& matches, double pj_each,
                      BoundStructure& structure) const;
  void bind_check(const CycleCheck& check, const Technology& technology);
  void bind_shares(const Technology& technology);
  std::size_t structure_of(const std::string& name);

  const std::vector<Technology>& technologies_;
  const ConfigNode& configuration_;
  CounterIndex index_;
  std::vector<const StorageEvent*> events_;  ///< of the index's groups; nullptr: of none that is known
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> bound_;  ///< candidates that own events, in their order
  std::optional<Owners> owners_;    ///< once they are known
  std::map<const Technology*, Coefficients> coefficients_;
  std::vector<std::size_t> order_;  ///< of the technologies: the same however a run lists them
  Coverage covered_;
  BoundAccount made_;
};

}  // namespace heddle::power
