// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles.
#include "../heddle_cc.h"
