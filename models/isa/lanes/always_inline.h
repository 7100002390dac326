#pragma once

// Forces inlining. GCC vectorises a loop over lanes only if every function that the loop calls is inlined.
#define HEDDLE_INLINE [[gnu::always_inline]] inline
