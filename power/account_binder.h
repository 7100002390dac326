#pragma once

// Binds technologies to the counters and the configuration of one GPU. An entry of a technology is the price
// of some events of a structure. The binder finds the counters of each entry. For each event, it determines
// the technology that prices the event (owners.h). Then it evaluates the prices.

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
  /// All arguments must outlive this object. The technologies must also outlive the bound account.
  AccountBinder(const std::vector<Technology>& technologies, const ConfigNode& configuration,
                const StatsRegistry& registry);

  /// Finds the counters of all entries and evaluates their prices. May be called once. Throws Error for the
  /// reasons that energy_account.h lists.
  BoundAccount bind();

  /// Returns the price in pJ of each entry in BoundAccount::entries, from the present values of the
  /// technologies. Nothing else may have changed since bind(). Throws Error like bind().
  std::vector<double> prices();

 private:
  /// An entry of a technology (a price for events) with the counters that it matches. Which technology prices
  /// the events of these counters is decided later.
  struct Candidate {
    const Entry* entry;
    std::size_t technology;
    std::vector<CounterMatch> spent, baseline;
    std::vector<Claim> claims;
    std::optional<double> spent_pj, baseline_pj;
    bool in_work = false;
  };

  void find_coefficients();
  void find_events();
  void find_events(const std::vector<StorageEvent>& events, const std::string& where);
  bool is_replaced(std::size_t technology);
  void add_candidate(const Entry& entry, std::size_t technology);
  bool any_counter(const std::vector<std::string>& patterns) const;
  bool is_met(const Entry& entry) const;
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
  /// For each CounterGroup of index_: the event that the group's counters measure. nullptr if neither
  /// storage.h nor a technology lists such an event.
  std::vector<const StorageEvent*> events_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> bound_;
  /// Technology that prices each event; empty until it is determined.
  std::optional<Owners> owners_;
  std::map<const Technology*, Coefficients> coefficients_;
  std::vector<std::size_t> order_;
  Coverage covered_;
  BoundAccount made_;
};

}  // namespace heddle::power
