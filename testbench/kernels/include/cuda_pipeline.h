// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles. Classes of nvcuda::experimental are
// missing.
#pragma once

#include "cuda_pipeline_primitives.h"
