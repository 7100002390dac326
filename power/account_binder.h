#pragma once

// Binds technologies to the counters and the configuration of one GPU: finds the counters of each entry,
// determines the owner of each event (owners.h), and evaluates the coefficients of the entries that own
// events.

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
  /// The arguments must outlive this object, and the technologies must outlive the bound account.
  AccountBinder(const std::vector<Technology>& technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);

  /// Call once. Throws Error, as EnergyAccount does.
  BoundAccount bind();

  /// Returns the prices per event of all bound entries, in the order of BoundAccount::entries, with the
  /// current values of the technologies. Only values may have changed since bind(). Throws Error, as bind()
  /// does.
  std::vector<double> prices();

 private:
  /// An entry and its counters, before owners are determined.
  struct Candidate {
    const Entry* entry;
    std::size_t technology;
    std::vector<CounterMatch> spent, baseline;
    std::vector<Claim> claims;  ///< one per match in `spent`
    std::optional<double> spent_pj, baseline_pj;
    bool in_work = false;  ///< the price is being evaluated; detects cycles
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
  /// By group of the index; nullptr for groups that are no listed event.
  std::vector<const StorageEvent*> events_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> bound_;  ///< candidates that own events, in order
  std::optional<Owners> owners_;    ///< set when owners are determined
  std::map<const Technology*, Coefficients> coefficients_;
  /// Technologies in an order that does not depend on their order in the run.
  std::vector<std::size_t> order_;
  Coverage covered_;
  BoundAccount made_;
};

}  // namespace heddle::power
