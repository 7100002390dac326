// SPDX-License-Identifier: Apache-2.0
// For -m32: memcpy and the like are declared by heddle_cc.h.
#pragma once
#include <stddef.h>
