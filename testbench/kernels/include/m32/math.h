// SPDX-License-Identifier: Apache-2.0
// For -m32: what there is of it stands in shim.h.
#pragma once
