#pragma once

#include <cstdint>
#include <vector>

#include "soft_float.h"
#include "words.h"

namespace heddle::semantics {

/// Integers of `width` bits: zeros, ones, extremes, powers of two and their neighbours, patterns, then random
/// ones.
Words integer_samples(int width, int random);

/// Pairs of integers: all pairs of the few most telling values, then `random` pairs of random values and of
/// samples.
std::vector<Words> integer_pairs(int width, int random);
std::vector<Words> integer_triples(int width, int random);

/// Signed zeros, subnormals, the ends of the normal range, infinities, quiet and signalling NaNs of both
/// signs, ties for every integral rounding, then random ones.
Words float_samples(const Format& format, int random);
/// The special values alone: both zeros, subnormals, extremes, infinities, NaNs.
Words float_specials(const Format& format);
std::vector<Words> float_pairs(const Format& format, int random);
std::vector<Words> float_triples(const Format& format, int random);

/// Each word as a row of one.
std::vector<Words> rows_of(const Words& words);

/// A random finite number whose exponent lies within `spread` of that of 1.
std::uint64_t random_float(const Format& format, RandomWords& random, int spread);

}  // namespace heddle::semantics
