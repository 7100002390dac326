// SPDX-License-Identifier: Apache-2.0
// Replaces <math.h> for -m32 (32-bit addresses). shim.h declares the functions.
#pragma once
