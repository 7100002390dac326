#include "models/sm/issue_partition.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {

IssuePartition::IssuePartition(int number, const UnitParameters& units)
    : collectors_(std::make_unique<InstructionOutlet>(fmt::format("to_collectors{}", number).c_str())),
      results_(std::make_unique<InstructionOutlet>(fmt::format("to_result_bus{}", number).c_str())),
      clusters_(units) {}

void IssuePartition::push_held_results() {
  while (holds_results() && results_->offer(held_results_.front()))
    held_results_.erase(held_results_.begin());
}

void IssuePartition::refused() { throw InternalError("the collectors refused an instruction"); }

}  // namespace heddle
