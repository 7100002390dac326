// SPDX-License-Identifier: Apache-2.0
// For -m32. heddle_cc.h declares printf.
#pragma once
#include <stddef.h>
