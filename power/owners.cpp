#include "power/owners.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle::power {
namespace {

std::pair<bool, int> rank_of(const Technology& technology) {
  return {!technology.stands_back, technology.rank};
}

[[noreturn]] void refuse(const Claim& claim, const Technology& a, const Technology& b) {
  throw Error(
      "power.technologies",
      fmt::format("{} and {} have one rank ({}) and price {} of {} differently", a.name, b.name, a.rank,
                  claim.still ? "the leakage" : fmt::format("\"{}\"", claim.kind), claim.structure),
      fmt::format("one of them, or power.stand_back=[\"{}\"] or [\"{}\"]", a.name, b.name));
}

}  // namespace

Owners::Owners(const std::vector<Claim>& claims, const std::vector<Technology>& technologies,
               const SamePrice& same_price) {
  std::map<std::pair<std::string, bool>, std::vector<const Claim*>> all;
  for (const Claim& claim : claims) all[{claim.structure, claim.still}].push_back(&claim);
  for (auto& [key, wanted] : all) {
    const auto highest = *std::max_element(wanted.begin(), wanted.end(), [&](const Claim* a, const Claim* b) {
      return rank_of(technologies[a->technology]) < rank_of(technologies[b->technology]);
    });
    const auto best = rank_of(technologies[highest->technology]);
    std::erase_if(wanted,
                  [&](const Claim* claim) { return rank_of(technologies[claim->technology]) != best; });
    std::stable_sort(wanted.begin(), wanted.end(), [&](const Claim* a, const Claim* b) {
      return technologies[a->technology].name < technologies[b->technology].name;
    });
    Owned& owned = owned_[key];
    for (const Claim* claim : wanted)
      if (owned.technologies.empty() || owned.technologies.back() != claim->technology)
        owned.technologies.push_back(claim->technology);
    if (owned.technologies.size() > 1) share(wanted, technologies, same_price, owned);
  }
}

// Lets several technologies of equal rank price one structure, for example two files that extend the same
// file. If several of them price an event, only one of these prices is used; throws Error if the prices
// differ. Each technology may also price kinds of events that no other technology prices.
void Owners::share(const std::vector<const Claim*>& claims, const std::vector<Technology>& technologies,
                   const SamePrice& same_price, Owned& owned) {
  const auto has_twin = [&](const Claim& claim, std::size_t technology) {
    return std::any_of(claims.begin(), claims.end(), [&](const Claim* other) {
      return other->technology == technology && other->kind == claim.kind &&
             same_price(claim.entry, other->entry);
    });
  };
  for (auto one = claims.begin(); one != claims.end(); ++one)
    for (auto other = claims.begin(); other != claims.end(); ++other) {
      const Claim &a = **one, &b = **other;
      if (a.technology == b.technology || a.kind != b.kind) continue;
      if (!has_twin(a, b.technology)) refuse(a, technologies[a.technology], technologies[b.technology]);
      if (other < one) owned.twins.insert(a.entry);
    }
}

bool Owners::has(const Claim& claim) const {
  const Owned& owned = owned_.at({claim.structure, claim.still});
  return std::find(owned.technologies.begin(), owned.technologies.end(), claim.technology) !=
             owned.technologies.end() &&
         !owned.twins.contains(claim.entry);
}

std::size_t Owners::owner_of(const Claim& claim) const {
  return owned_.at({claim.structure, claim.still}).technologies.front();
}

}  // namespace heddle::power
