// SPDX-License-Identifier: Apache-2.0
// In the place of CUDA's header of this name, for sources that scripts/heddle-cc compiles: the C++ library's numbers, which
// its headers give the device, too.
#pragma once

#include <complex>

#include "../../heddle_cc.h"

namespace thrust {

using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::norm;
using std::polar;
using std::pow;
using std::proj;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

}  // namespace thrust
