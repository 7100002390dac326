#include "testbench/output/paired_node.h"

#include "models/core/error.h"

namespace heddle::output {

ConfigNode paired_node(const std::vector<estimate::PairedPlace>& paired) {
  ConfigNode places = ConfigNode::make_list();
  for (const estimate::PairedPlace& one : paired) {
    ConfigNode place = ConfigNode::make_object();
    const auto count = [&place](const char* key, std::uint64_t value) {
      place.members.emplace_back(key, ConfigNode::make_count(value));
    };
    const auto number = [&place](const char* key, double value) {
      place.members.emplace_back(key, ConfigNode::make_number(value));
    };
    count("launch", one.launch);
    count("first_cta", one.first_cta);
    count("ctas", one.ctas);
    count("cycles", one.cycles);
    count("instructions", one.issued);
    number("stands_for", one.stands_for);
    if (one.energy_nj != 0) {
      number("energy_nj", one.energy_nj);
      number("stands_for_nj", one.stands_for_nj);
    }
    places.items.push_back(std::move(place));
  }
  return places;
}

std::vector<estimate::PairedPlace> paired_of(const ConfigNode& places) {
  std::vector<estimate::PairedPlace> all;
  for (const ConfigNode& place : places.items) {
    const auto at = [&place](const char* key) -> const ConfigNode& {
      const ConfigNode* found = place.find(key);
      if (!found || !found->is_number())
        throw Error(place.where(), std::string("a place without the number \"") + key + "\"");
      return *found;
    };
    const auto count = [&at](const char* key) { return static_cast<std::uint64_t>(at(key).integer); };
    estimate::PairedPlace one;
    one.launch = static_cast<std::uint32_t>(count("launch"));
    one.first_cta = count("first_cta");
    one.ctas = count("ctas");
    one.cycles = count("cycles");
    one.issued = count("instructions");
    one.stands_for = at("stands_for").number;
    if (place.find("energy_nj")) {
      one.energy_nj = at("energy_nj").number;
      one.stands_for_nj = at("stands_for_nj").number;
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace heddle::output
