// SPDX-License-Identifier: Apache-2.0
// In the place of CUDA's header of this name, for sources that scripts/heddle-cc compiles.
#include "../heddle_cc.h"
