#include "testbench/cosim/block.h"

#include <fmt/format.h>

#include <map>

#include "models/core/error.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim {
namespace {

std::map<std::string, const BlockKind*>& kinds() {
  static std::map<std::string, const BlockKind*> all;
  return all;
}

}  // namespace

std::map<std::string, ReportSection>& report_sections() {
  static std::map<std::string, ReportSection> sections;
  return sections;
}

BlockKind::BlockKind(const char* module, const char* model_parts)
    : module_(module), model_parts_(model_parts) {
  if (!kinds().emplace(module_, this).second)
    throw InternalError(fmt::format("there are two tables of rtl/{}.v", module_));
}

std::vector<const BlockKind*> BlockKind::all() {
  std::vector<const BlockKind*> all;
  for (const auto& [module, kind] : kinds()) all.push_back(kind);
  return all;
}

const RtlModelEntry* BlockKind::find(const RtlParameters& parameters, std::string& reason) const {
  const RtlModelEntry* entry = RtlModels::instance().find(module_, parameters);
  if (!entry)
    reason = fmt::format("there is no {} of {}, only of {}", module_, text_of(parameters, " "),
                         RtlModels::instance().values_of(module_, parameters));
  return entry;
}

}  // namespace heddle::cosim
