// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: Thrust's version in CUDA
// 12.0.
#pragma once
#define THRUST_VERSION 200001
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 0
