#pragma once

// A short function of a loop over lanes, which becomes part of whoever calls it whatever the compiler reckons: the loop is a
// vector only as a whole.
#define HEDDLE_INLINE [[gnu::always_inline]] inline
