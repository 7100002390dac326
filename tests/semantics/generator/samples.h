#pragma once

#include <cstdint>
#include <vector>

#include "soft_float.h"
#include "words.h"

namespace heddle::semantics {

/// Returns zeros, ones, extremes, powers of two, neighbours of powers of two, patterns, then `random` random
/// values.
Words integer_samples(int width, int random);

/// Returns all pairs of 0, 1, -1, and the least and greatest signed integer. Then returns `random` further
/// pairs; each of their values is random or one of integer_samples().
std::vector<Words> integer_pairs(int width, int random);
std::vector<Words> integer_triples(int width, int random);

/// Returns signed zeros, subnormals, limits of the normal range, infinities, quiet and signalling NaNs of
/// both signs, midpoints for every rounding to an integer, then `random` random values.
Words float_samples(const Format& format, int random);
Words float_specials(const Format& format);
std::vector<Words> float_pairs(const Format& format, int random);
std::vector<Words> float_triples(const Format& format, int random);

std::vector<Words> rows_of(const Words& words);

std::uint64_t random_float(const Format& format, RandomWords& random, int spread);

}  // namespace heddle::semantics
