// SPDX-License-Identifier: Apache-2.0
// For -m32: printf is declared by heddle_cc.h.
#pragma once
#include <stddef.h>
