#include "testbench/cosim/rtl_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle::cosim {
namespace {

bool has(const RtlParameters& parameters, const RtlParameters& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    return std::find(parameters.begin(), parameters.end(), one) != parameters.end();
  });
}

}  // namespace

Port* RtlModel::find(const std::string& name) {
  const auto found =
      std::find_if(ports_.begin(), ports_.end(), [&](const Port& p) { return p.name() == name; });
  return found == ports_.end() ? nullptr : &*found;
}

Port& RtlModel::port(const std::string& name) {
  if (Port* found = find(name)) return *found;
  std::string known;
  for (const Port& port : ports_) known += (known.empty() ? "" : ", ") + port.name();
  throw InternalError(fmt::format("rtl/{}.v has no port {}; it has {}", module_, name, known));
}

const RtlModelEntry* RtlModels::find(const std::string& module, const RtlParameters& wanted) const {
  const RtlModelEntry* sound = nullptr;
  for (const RtlModelEntry& entry : entries_) {
    if (entry.module != module || !has(entry.parameters, wanted)) continue;
    if (!preferred_.empty() && entry.mutant == preferred_) return &entry;
    if (entry.mutant.empty() && !sound) sound = &entry;
  }
  return sound;
}

std::string RtlModels::values_of(const std::string& module, const RtlParameters& wanted) const {
  std::string text;
  for (const auto& [name, value] : wanted) {
    std::vector<int> values;
    for (const RtlModelEntry& entry : entries_)
      for (const auto& [known, there] : entry.parameters)
        if (entry.module == module && entry.mutant.empty() && known == name) values.push_back(there);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, fmt::join(values, ", "));
  }
  return text;
}

std::string text_of(const RtlParameters& parameters, const char* separator) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : separator, name, value);
  return text;
}

}  // namespace heddle::cosim
