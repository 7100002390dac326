// SPDX-License-Identifier: Apache-2.0
// Replaces <stdio.h> for -m32 (32-bit addresses). heddle_cc.h declares printf.
#pragma once
#include <stddef.h>
