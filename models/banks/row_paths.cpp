#include "models/banks/row_paths.h"

namespace heddle {

PlainRows::PlainRows(BankParts& parts, const RegisterStageContext& context) : BankRows(parts, context) {
  for (std::uint32_t b = 0; b < static_cast<std::uint32_t>(context.parameters->banks.count); ++b)
    rows_.push_back(format().rows(BankId(b)));
}

}  // namespace heddle
