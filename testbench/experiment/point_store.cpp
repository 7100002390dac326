#include "testbench/experiment/point_store.h"

#include "models/core/error.h"
#include "testbench/run/energy_setup.h"

namespace heddle::experiment {

void PointStore::add(const Plan& plan, std::size_t point, const ConfigNode& result) {
  const ConfigNode* total = result.find("total");
  const ConfigNode* counters = total ? total->find("counters") : nullptr;
  if (!counters) throw Error(plan.label(point), "a result without counters");
  Machine& machine = machines_[plan.configuration(point)];
  if (!machine.names) {
    machine.names = std::make_shared<output::StoredCounters>(*counters);
    machine.configuration = run::energy_configuration(plan.parameters(point));
  }
  Run run{output::StoredTotal(*total, *machine.names), std::make_shared<PointValues>(result), {}};
  runs_.insert_or_assign(plan.name(point), std::move(run));
}

const std::vector<power::Technology>& PointStore::technologies(const Plan& plan, std::size_t point,
                                                               std::size_t price) {
  const std::string& key = plan.price_key(price);
  const auto known = technologies_.find(key);
  if (known != technologies_.end()) return known->second;
  const auto read = [this](const std::string& file) {
    const auto at = files_.find(file);
    if (at != files_.end()) return at->second;
    return files_.emplace(file, power::read_technology(file, run::find_technology)).first->second;
  };
  return technologies_.emplace(key, run::read_technologies(plan.parameters(point, price), read))
      .first->second;
}

const output::Pricing& PointStore::pricing(const Plan& plan, std::size_t point, std::size_t price) {
  Machine& machine = machines_.at(plan.configuration(point));
  std::unique_ptr<output::Pricing>& pricing = machine.pricings[plan.price_key(price)];
  if (!pricing)
    pricing = std::make_unique<output::Pricing>(technologies(plan, point, price), machine.configuration,
                                                machine.names);
  return *pricing;
}

std::shared_ptr<const PointValues> PointStore::values(const Plan& plan, std::size_t point,
                                                      std::size_t price) {
  Run& run = runs_.at(plan.name(point));
  std::shared_ptr<const PointValues>& priced = run.priced[plan.price_key(price)];
  if (!priced)
    priced = std::make_shared<PointValues>(run.common, pricing(plan, point, price).energies(run.total));
  return priced;
}

}  // namespace heddle::experiment
