// SPDX-License-Identifier: Apache-2.0
// The functions of math.h in namespace std, and the parts of the C++ library that the device can use.
#pragma once

namespace std {
/// Before C++20, the C++ library has swap() only for the host.
template <class T>
HEDDLE_CC_FUNCTION void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}
#define HEDDLE_CC_USING(name) using ::name;
#define HEDDLE_CC_USING_BOTH(name) \
  using ::name;                    \
  using ::name##f;
using ::abs;
using ::isfinite;
using ::isgreater;
using ::isgreaterequal;
using ::isinf;
using ::isless;
using ::islessequal;
using ::islessgreater;
using ::isnan;
using ::isnormal;
using ::isunordered;
using ::labs;
using ::llabs;
using ::nan;
using ::nanf;
using ::signbit;
HEDDLE_CC_USING_BOTH(acos)
HEDDLE_CC_USING_BOTH(acosh)
HEDDLE_CC_USING_BOTH(asin)
HEDDLE_CC_USING_BOTH(asinh)
HEDDLE_CC_USING_BOTH(atan)
HEDDLE_CC_USING_BOTH(atan2)
HEDDLE_CC_USING_BOTH(atanh)
HEDDLE_CC_USING_BOTH(cbrt)
HEDDLE_CC_USING_BOTH(ceil)
HEDDLE_CC_USING_BOTH(copysign)
HEDDLE_CC_USING_BOTH(cos)
HEDDLE_CC_USING_BOTH(cosh)
HEDDLE_CC_USING_BOTH(erf)
HEDDLE_CC_USING_BOTH(erfc)
HEDDLE_CC_USING_BOTH(exp)
HEDDLE_CC_USING_BOTH(exp2)
HEDDLE_CC_USING_BOTH(expm1)
HEDDLE_CC_USING_BOTH(fabs)
HEDDLE_CC_USING_BOTH(fdim)
HEDDLE_CC_USING_BOTH(floor)
HEDDLE_CC_USING_BOTH(fma)
HEDDLE_CC_USING_BOTH(fmax)
HEDDLE_CC_USING_BOTH(fmin)
HEDDLE_CC_USING_BOTH(fmod)
HEDDLE_CC_USING_BOTH(frexp)
HEDDLE_CC_USING_BOTH(hypot)
HEDDLE_CC_USING_BOTH(ilogb)
HEDDLE_CC_USING_BOTH(ldexp)
HEDDLE_CC_USING_BOTH(lgamma)
HEDDLE_CC_USING_BOTH(llrint)
HEDDLE_CC_USING_BOTH(llround)
HEDDLE_CC_USING_BOTH(log)
HEDDLE_CC_USING_BOTH(log10)
HEDDLE_CC_USING_BOTH(log1p)
HEDDLE_CC_USING_BOTH(log2)
HEDDLE_CC_USING_BOTH(logb)
HEDDLE_CC_USING_BOTH(lrint)
HEDDLE_CC_USING_BOTH(lround)
HEDDLE_CC_USING_BOTH(modf)
HEDDLE_CC_USING_BOTH(nearbyint)
HEDDLE_CC_USING_BOTH(nextafter)
HEDDLE_CC_USING_BOTH(pow)
HEDDLE_CC_USING_BOTH(remainder)
HEDDLE_CC_USING_BOTH(remquo)
HEDDLE_CC_USING_BOTH(rint)
HEDDLE_CC_USING_BOTH(round)
HEDDLE_CC_USING_BOTH(scalbln)
HEDDLE_CC_USING_BOTH(scalbn)
HEDDLE_CC_USING_BOTH(sin)
HEDDLE_CC_USING_BOTH(sinh)
HEDDLE_CC_USING_BOTH(sqrt)
HEDDLE_CC_USING_BOTH(tan)
HEDDLE_CC_USING_BOTH(tanh)
HEDDLE_CC_USING_BOTH(tgamma)
HEDDLE_CC_USING_BOTH(trunc)
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
#undef HEDDLE_CC_USING
#undef HEDDLE_CC_USING_BOTH
}  // namespace std
