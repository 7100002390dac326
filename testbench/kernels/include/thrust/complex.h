// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: the C++ library's complex
// numbers, which its headers also define for the device.
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
