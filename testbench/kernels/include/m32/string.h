// SPDX-License-Identifier: Apache-2.0
// Replaces <string.h> for -m32 (32-bit addresses). heddle_cc.h declares memcpy and similar functions.
#pragma once
#include <stddef.h>
