// SPDX-License-Identifier: Apache-2.0
// For -m32. shim.h declares the functions.
#pragma once
