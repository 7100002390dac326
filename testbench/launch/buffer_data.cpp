#include "testbench/launch/buffer_data.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

#include "models/core/error.h"
#include "testbench/launch/npy.h"
#include "testbench/launch/random_values.h"

namespace heddle::launch {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

template <std::size_t bytes, class Function>
void store_elements(std::vector<std::uint8_t>& data, Function element) {
  std::uint8_t* into = data.data();
  for (std::uint64_t i = 0; i < data.size() / bytes; ++i, into += bytes) {
    const std::uint64_t bits = element(i);
    std::memcpy(into, &bits, bytes);
  }
}

template <class Function>
std::vector<std::uint8_t> generate(std::uint64_t count, ElementType type, Function element) {
  const std::size_t bytes = bytes_of(type);
  std::vector<std::uint8_t> data(count * bytes);
  if (bytes == 4)
    store_elements<4>(data, element);
  else if (bytes == 8)
    store_elements<8>(data, element);
  else
    for (std::uint64_t i = 0; i < count; ++i) store_element(type, element(i), data.data() + i * bytes);
  return data;
}

std::uint64_t real_bits(ElementType type, double value) {
  return type == ElementType::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                  : std::bit_cast<std::uint64_t>(value);
}

std::vector<std::uint8_t> make_range(const DataSource& source, ElementType type, std::uint64_t count,
                                     const Scope& scope) {
  if (is_real(type)) {
    const double start = source.first.evaluate_real(scope), step = source.second.evaluate_real(scope);
    return generate(count, type,
                    [&](std::uint64_t i) { return real_bits(type, start + static_cast<double>(i) * step); });
  }
  const WideInteger start = source.first.evaluate_number(scope).integer;
  const WideInteger step = source.second.evaluate(scope, kLowest, kHighest);
  const int bits = 8 * static_cast<int>(bytes_of(type));
  const WideInteger one = 1;
  const WideInteger low = is_signed(type) ? -(one << (bits - 1)) : 0;
  const WideInteger high = (one << (is_signed(type) ? bits - 1 : bits)) - 1;
  const WideInteger last = start + step * static_cast<WideInteger>(count - 1);
  if (start < low || start > high || last < low || last > high)
    throw Error(source.where, fmt::format("the range does not fit {}", name_of(type)));
  return generate(count, type, [&](std::uint64_t i) {
    return static_cast<std::uint64_t>(start + step * static_cast<WideInteger>(i));
  });
}

std::vector<std::uint8_t> make_uniform(const DataSource& source, ElementType type, std::uint64_t count,
                                       const Scope& scope) {
  SplitMix64 random(static_cast<std::uint64_t>(source.seed.evaluate(scope, kLowest, kHighest)));
  if (is_real(type)) {
    const double low = source.first.evaluate_real(scope), high = source.second.evaluate_real(scope);
    if (!(low <= high)) throw Error(source.where, "\"low\" is not below \"high\"");
    return generate(count, type,
                    [&](std::uint64_t) { return real_bits(type, low + (high - low) * random.unit()); });
  }
  // evaluate_bits() is called only because it throws Error for a bound that does not fit the element type.
  source.first.evaluate_bits(scope, type);
  source.second.evaluate_bits(scope, type);
  const WideInteger low = source.first.evaluate_number(scope).integer;
  const WideInteger high = source.second.evaluate_number(scope).integer;
  if (low > high) throw Error(source.where, "\"low\" is above \"high\"");
  // An extent of 0 means 2^64: all 64-bit values are allowed.
  const auto extent = static_cast<std::uint64_t>(high - low + 1);
  return generate(count, type, [&](std::uint64_t) {
    const std::uint64_t draw = random.next();
    return static_cast<std::uint64_t>(low) + (extent == 0 ? draw : draw % extent);
  });
}

std::vector<std::uint8_t> make_normal(const DataSource& source, ElementType type, std::uint64_t count,
                                      const Scope& scope) {
  if (!is_real(type)) throw Error(source.where, "a normal distribution of integers", "type f32 or f64");
  SplitMix64 random(static_cast<std::uint64_t>(source.seed.evaluate(scope, kLowest, kHighest)));
  const double mean = source.first.evaluate_real(scope), deviation = source.second.evaluate_real(scope);
  return generate(count, type,
                  [&](std::uint64_t) { return real_bits(type, mean + deviation * random.normal()); });
}

std::vector<std::uint8_t> read_file(const DataSource& source, ElementType type) {
  if (!source.file.ends_with(".npy")) {
    std::vector<std::uint8_t> data = read_bytes(source.file);
    if (data.size() % bytes_of(type) != 0)
      throw Error(source.where, fmt::format("{} holds {} bytes, no whole number of {}", source.file,
                                            data.size(), name_of(type)));
    return data;
  }
  NpyArray array = read_npy(source.file);
  if (array.type != type)
    throw Error(source.where, fmt::format("{} holds elements of type {}", source.file, name_of(array.type)),
                name_of(type));
  return std::move(array.data);
}

/// Makes data from a file or a list of values. The file or list determines the number of elements.
std::vector<std::uint8_t> make_listed(const DataSource& source, ElementType type,
                                      const std::optional<Expression>& count, std::int64_t most,
                                      const Scope& scope) {
  std::vector<std::uint8_t> data;
  if (source.kind == DataSource::Kind::file) {
    data = read_file(source, type);
  } else {
    data = generate(source.values.size(), type,
                    [&](std::uint64_t i) { return source.values[i].evaluate_bits(scope, type); });
  }
  const std::uint64_t elements = data.size() / bytes_of(type);
  if (count && static_cast<std::uint64_t>(count->evaluate(scope, 1, most)) != elements)
    throw Error(source.where, fmt::format("\"count\" is {}, but there are {} elements",
                                          count->evaluate(scope, 1, most), elements));
  if (elements == 0) throw Error(source.where, "no elements");
  return data;
}

}  // namespace

void store_element(ElementType type, std::uint64_t bits, std::uint8_t* into) {
  std::memcpy(into, &bits, bytes_of(type));
}

std::vector<std::uint8_t> make_data(const DataSource& source, ElementType type,
                                    const std::optional<Expression>& count, const Scope& scope) {
  const auto most = static_cast<std::int64_t>(kMaxBufferBytes / bytes_of(type));
  if (source.kind == DataSource::Kind::file || source.kind == DataSource::Kind::values)
    return make_listed(source, type, count, most, scope);
  if (source.kind == DataSource::Kind::pages) return read_pages(source.pages);
  if (!count) throw Error(source.where, "no \"count\"");
  const auto elements = static_cast<std::uint64_t>(count->evaluate(scope, 1, most));
  switch (source.kind) {
    case DataSource::Kind::range:
      return make_range(source, type, elements, scope);
    case DataSource::Kind::uniform:
      return make_uniform(source, type, elements, scope);
    case DataSource::Kind::normal:
      return make_normal(source, type, elements, scope);
    default:
      return std::vector<std::uint8_t>(elements * bytes_of(type));
  }
}

}  // namespace heddle::launch
