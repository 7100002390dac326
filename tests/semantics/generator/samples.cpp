#include "samples.h"

#include <algorithm>

namespace heddle::semantics {

namespace {

void append_unique(Words& words, std::uint64_t word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::uint64_t random_integer(RandomWords& random, int width) {
  // Choose the number of significant bits at random, so that quotients and differences have all sizes.
  const int bits = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(width)));
  const std::uint64_t magnitude = random.next() & mask_of(random.below(2) == 0 ? bits : width);
  return truncate(random.below(4) == 0 ? 0 - magnitude : magnitude, width);
}

std::uint64_t parts(const Format& format, bool negative, int exponent, std::uint64_t fraction) {
  const auto field = static_cast<std::uint64_t>(exponent - format.exponent_min + 1);
  return (negative ? format.sign_bit() : 0) | (field << (format.precision - 1)) |
         (fraction & format.fraction_mask());
}

std::uint64_t power(const Format& format, int exponent) {
  if (exponent >= format.exponent_min) return parts(format, false, exponent, 0);
  return 1ULL << (exponent - format.exponent_min + format.precision - 1);
}

std::uint64_t negated(const Format& format, std::uint64_t bits) { return bits ^ format.sign_bit(); }

/// Returns operands whose sums or products are midpoints, cancel, overflow or underflow.
std::vector<Words> telling_float_pairs(const Format& format) {
  const int p = format.precision;
  const std::uint64_t one = format.one();
  const std::uint64_t tiny = 1;
  const std::uint64_t least_normal = format.fraction_mask() + 1;
  const std::uint64_t huge = format.greatest_finite();
  const std::uint64_t half = power(format, -1);
  return {{one, power(format, -p)},
          {one + 1, power(format, -p)},
          {one, power(format, -p) + 1},
          {negated(format, one), negated(format, power(format, -p))},
          {one, negated(format, power(format, -p - 1))},
          {one, negated(format, one)},
          {one + 1, negated(format, one)},
          {huge, power(format, format.exponent_max - p)},
          {huge, power(format, format.exponent_max - p) - 1},
          {huge, huge},
          {huge, negated(format, huge)},
          {negated(format, huge), huge},
          {least_normal, negated(format, tiny)},
          {least_normal, negated(format, least_normal + 1)},
          {tiny, tiny},
          {tiny, negated(format, tiny)},
          {tiny, half},
          {3, half},
          {5, negated(format, half)},
          {least_normal, half},
          {least_normal + 1, half},
          {tiny, tiny + least_normal},
          {huge, one + 1},
          {huge, one - 1},
          {one + 1, one + 1},
          {one - 1, one - 1},
          {one, parts(format, false, 1, format.fraction_mask() / 2 + 1)}};
}

std::vector<Words> special_pairs(const Format& format) {
  const std::uint64_t zero = 0;
  const std::uint64_t minus_zero = format.sign_bit();
  const std::uint64_t infinite = format.infinity();
  const std::uint64_t minus_infinite = infinite | format.sign_bit();
  const std::uint64_t quiet = infinite + (format.fraction_mask() + 1) / 2;
  const std::uint64_t signalling = infinite + 1;
  const std::uint64_t one = format.one();
  return {{zero, zero},
          {zero, minus_zero},
          {minus_zero, zero},
          {minus_zero, minus_zero},
          {one, zero},
          {zero, one},
          {one, minus_zero},
          {infinite, infinite},
          {infinite, minus_infinite},
          {minus_infinite, minus_infinite},
          {infinite, zero},
          {minus_zero, minus_infinite},
          {infinite, one},
          {negated(format, one), infinite},
          {quiet, one},
          {one, quiet | format.sign_bit()},
          {signalling, negated(format, one)},
          {quiet + 5, signalling},
          {quiet, infinite},
          {1, zero},
          {negated(format, 1), one},
          {format.fraction_mask(), minus_zero}};
}

}  // namespace

Words integer_samples(int width, int random) {
  const std::uint64_t sign = 1ULL << (width - 1);
  Words words;
  for (const std::uint64_t word :
       {std::uint64_t{0}, std::uint64_t{1}, mask_of(width), sign, sign - 1, std::uint64_t{2},
        mask_of(width) - 1, sign + 1, sign - 2, mask_of(width / 2), mask_of(width / 2) + 1,
        mask_of(width) / 3, mask_of(width) / 3 * 2, std::uint64_t{7}}) {
    append_unique(words, word);
  }
  RandomWords source(static_cast<std::uint64_t>(width));
  for (int i = 0; i < random; ++i) append_unique(words, random_integer(source, width));
  return words;
}

std::vector<Words> integer_pairs(int width, int random) {
  const std::uint64_t sign = 1ULL << (width - 1);
  const Words telling{0, 1, mask_of(width), sign, sign - 1};
  std::vector<Words> rows;
  for (const std::uint64_t a : telling) {
    for (const std::uint64_t b : telling) rows.push_back({a, b});
  }
  RandomWords source(static_cast<std::uint64_t>(width) + 1);
  const Words samples = integer_samples(width, 0);
  for (int i = 0; i < random; ++i) {
    const bool plain = i % 3 != 0;
    const std::uint64_t a = plain ? random_integer(source, width) : samples[source.below(samples.size())];
    const std::uint64_t b =
        i % 4 == 3 ? samples[source.below(samples.size())] : random_integer(source, width);
    rows.push_back({a, b});
  }
  return rows;
}

std::vector<Words> integer_triples(int width, int random) {
  RandomWords source(static_cast<std::uint64_t>(width) + 2);
  const Words samples = integer_samples(width, 4);
  std::vector<Words> rows;
  std::size_t third = 0;
  for (Words& pair : integer_pairs(width, random)) {
    pair.push_back(third < samples.size() ? samples[third] : random_integer(source, width));
    ++third;
    rows.push_back(pair);
  }
  return rows;
}

std::uint64_t random_float(const Format& format, RandomWords& random, int spread) {
  const int exponent = static_cast<int>(random.below(static_cast<std::uint64_t>(2 * spread + 1))) - spread;
  const bool negative = random.below(2) == 1;
  return parts(format, negative, exponent, random.next());
}

Words float_specials(const Format& format) {
  const std::uint64_t infinite = format.infinity();
  const std::uint64_t quiet = infinite + (format.fraction_mask() + 1) / 2;
  const std::uint64_t sign = format.sign_bit();
  return {0,
          sign,
          1,
          1 | sign,
          format.fraction_mask(),
          format.fraction_mask() | sign,
          format.fraction_mask() + 1,
          (format.fraction_mask() + 1) | sign,
          format.greatest_finite(),
          format.greatest_finite() | sign,
          infinite,
          infinite | sign,
          quiet,
          quiet | sign,
          infinite + 1,
          format.canonical_nan()};
}

Words float_samples(const Format& format, int random) {
  Words words = float_specials(format);
  const std::uint64_t one = format.one();
  for (const std::uint64_t word :
       {one, power(format, -1), parts(format, false, 0, (format.fraction_mask() + 1) / 2),
        parts(format, false, 1, (format.fraction_mask() + 1) / 4), power(format, -1) - 1,
        power(format, -1) + 1, one - 1, one + 1, power(format, format.precision - 2) + 1,
        power(format, format.precision - 1) + 1}) {
    append_unique(words, word);
    append_unique(words, negated(format, word));
  }
  RandomWords source(static_cast<std::uint64_t>(format.width) + 3);
  for (int i = 0; i < random; ++i) words.push_back(random_float(format, source, i % 2 == 0 ? 6 : 30));
  return words;
}

std::vector<Words> float_pairs(const Format& format, int random) {
  std::vector<Words> rows = special_pairs(format);
  for (const Words& row : telling_float_pairs(format)) rows.push_back(row);
  RandomWords source(static_cast<std::uint64_t>(format.width) + 4);
  for (int i = 0; i < random; ++i) {
    const int spread = i % 4 == 3 ? format.exponent_max - 2 : 4;
    rows.push_back({random_float(format, source, spread), random_float(format, source, spread)});
  }
  return rows;
}

std::vector<Words> float_triples(const Format& format, int random) {
  const int p = format.precision;
  const std::uint64_t one = format.one();
  const std::uint64_t infinite = format.infinity();
  const std::uint64_t sign = format.sign_bit();
  const std::uint64_t quiet = infinite + (format.fraction_mask() + 1) / 2;
  const std::uint64_t huge = format.greatest_finite();
  const std::uint64_t least_normal = format.fraction_mask() + 1;
  std::vector<Words> rows{{0, 0, 0},
                          {0, one, sign},
                          {sign, one, 0},
                          {sign, one, sign},
                          {one, one, one | sign},
                          {one + 1, one + 1, (one + 2) | sign},
                          {one + 1, one - 1, one | sign},
                          {one - 1, one - 1, (one - 2) | sign},
                          {infinite, 0, one},
                          {0, infinite | sign, quiet},
                          {infinite, one, infinite | sign},
                          {infinite, one | sign, infinite | sign},
                          {one, one, infinite},
                          {quiet, one, one},
                          {one, infinite + 1, one},
                          {one, one, quiet | sign},
                          {huge, power(format, 1), huge | sign},
                          {huge, huge, huge | sign},
                          {huge, huge | sign, infinite},
                          {huge, one, power(format, format.exponent_max - p)},
                          {one, one, power(format, -p)},
                          {one + 1, one, power(format, -p)},
                          {power(format, -1), power(format, -p), one + 1},
                          {power(format, -1) | sign, power(format, -p), one},
                          {least_normal, power(format, -1), 1},
                          {least_normal + 1, power(format, -1), 0},
                          {least_normal, least_normal, 1},
                          {least_normal, least_normal | sign, 1},
                          {least_normal, least_normal | sign, one},
                          {1, power(format, -1), 0},
                          {3, power(format, -1), 1 | sign},
                          {format.fraction_mask(), one + 1, 1},
                          {1, power(format, p), sign}};
  RandomWords source(static_cast<std::uint64_t>(format.width) + 5);
  for (int i = 0; i < random; ++i) {
    const std::uint64_t a = random_float(format, source, 4);
    const std::uint64_t b = random_float(format, source, 4);
    // In every third row (a, b, c), the addend c cancels most of the product a * b. An implementation that
    // rounds product and sum separately then gives a wrong result.
    std::uint64_t c = random_float(format, source, 8);
    if (i % 3 == 0) c = multiply(format, a, b, Round::nearest) ^ sign;
    rows.push_back({a, b, c});
  }
  return rows;
}

std::vector<Words> rows_of(const Words& words) {
  std::vector<Words> rows;
  for (const std::uint64_t word : words) rows.push_back({word});
  return rows;
}

}  // namespace heddle::semantics
