#include "models/banks/one_per_bank.h"

#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

const Registration<BankArbiter, OnePerBank> one_per_bank_entry{OnePerBank::kName,
                                                               "the oldest access of every bank and port"};

const Arrays<BankArbiter> one_per_bank_arrays{"one-per-bank", {}};

}  // namespace
}  // namespace heddle
