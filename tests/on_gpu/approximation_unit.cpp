// Measures approximate operations such as sin.approx: the errors of the GPU, the errors of Heddle, and how
// often the results of GPU and Heddle differ.

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/exact_values.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/on_gpu/units.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

using Real = long double;

struct FormatOf {
  ValueKind kind;
  int bits, exponent_bits, fraction_bits;
  const char* column;
};

FormatOf format_of(const std::string& type) {
  if (type == "f16") return {ValueKind::f16, 16, 5, 10, "b16"};
  if (type == "bf16") return {ValueKind::bf16, 16, 8, 7, "b16"};
  if (type == "f32") return {ValueKind::f32, 32, 8, 23, "f32"};
  return {ValueKind::f64, 64, 11, 52, "f64"};
}

Real value_of(const FormatOf& format, std::uint64_t bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const auto fraction = static_cast<Real>(bits & ((std::uint64_t{1} << format.fraction_bits) - 1));
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & (2 * bias + 1);
  const Real sign = bits >> (format.bits - 1) & 1 ? -1 : 1;
  if (exponent == 2 * bias + 1)
    return fraction != 0 ? std::nanl("") : sign * std::numeric_limits<Real>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - format.fraction_bits);
  return sign * std::ldexp(fraction + std::ldexp(Real{1}, format.fraction_bits),
                           exponent - bias - format.fraction_bits);
}

/// Returns the distance between neighbouring numbers of the format around `value`.
Real spacing(const FormatOf& format, Real value) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = value == 0 ? 1 - bias : std::max(std::ilogb(value), 1 - bias);
  return std::ldexp(Real{1}, exponent - format.fraction_bits);
}

struct Errors {
  Real ulps = 0, absolute = 0, relative = 0;
  std::uint64_t at_ulps = 0;

  void add(const FormatOf& format, std::uint64_t input, Real exact, Real got) {
    const Real error = std::fabs(got - exact);
    absolute = std::max(absolute, error);
    relative = std::max(relative, error / std::fabs(exact));
    if (error / spacing(format, exact) <= ulps) return;
    ulps = error / spacing(format, exact);
    at_ulps = input;
  }
  boost::json::object json() const {
    return {{"ulps", static_cast<double>(ulps)},
            {"at", hexadecimal(at_ulps)},
            {"absolute", static_cast<double>(absolute)},
            {"relative", static_cast<double>(relative)}};
  }
};

/// A range of the first operand, and the numerical errors of the GPU and of Heddle in this range. PTX states
/// the error bounds of sin, cos and lg2 for ranges.
struct Domain {
  const char* name;
  Real low, high;
  Errors gpu, heddle;
  std::uint64_t count = 0;
};

bool is_normal(const FormatOf& format, Real value) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  return std::isfinite(value) && value != 0 && std::ilogb(value) >= 1 - bias && std::ilogb(value) <= bias;
}

std::vector<std::uint64_t> inputs_of(const FormatOf& format, std::size_t row, std::size_t rows, int operands,
                                     std::mt19937_64& random) {
  const std::uint64_t mask = format.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << format.bits) - 1;
  std::vector<std::uint64_t> inputs;
  // Spread the operands evenly over all bit patterns, so that every exponent occurs equally often.
  const std::uint64_t step = mask / rows + 1;
  inputs.push_back(format.bits == 16 ? row & mask : (row * step + random() % step) & mask);
  if (operands > 1) inputs.push_back(random() & mask);
  if (operands > 1 && row % 2 == 0)
    inputs[1] = ((inputs[1] & 0x807fffff) | (inputs[0] & 0x7f800000)) ^ (random() % 16) << 23;
  return inputs;
}

semantics::TableForm form_of(const ApproximateOperation& operation, std::size_t rows) {
  const FormatOf format = format_of(operation.type);
  semantics::TableForm form;
  form.name = operation.name;
  form.target = operation.target;
  form.version = operation.version;
  form.inputs = {{"a", format.column}};
  if (operation.operands > 1) form.inputs.push_back({"b", format.column});
  form.outputs = {{"d", format.column}};
  form.body = {operation.name + " %d, %a" + (operation.operands > 1 ? ", %b;" : ";")};
  std::mt19937_64 random(7);
  for (std::size_t row = 0; row < rows; ++row)
    form.rows.push_back({0, inputs_of(format, row, rows, operation.operands, random), {}, {}});
  spread_rows(form);
  return form;
}

}  // namespace

std::vector<std::string> approximation_names() {
  std::vector<std::string> names;
  for (const ApproximateOperation& operation : approximate_operations()) names.push_back(operation.name);
  return names;
}

boost::json::object check_approximation(const Driver& gpu, const std::string& name,
                                        const UnitOptions& options) {
  const auto& operations = approximate_operations();
  const auto operation =
      std::find_if(operations.begin(), operations.end(), [&](const auto& o) { return o.name == name; });
  const FormatOf format = format_of(operation->type);
  const std::size_t rows = format.bits == 16 ? 65536 : 16 * options.rows;
  const semantics::TableForm form = form_of(*operation, rows);
  const RowsRun run(form);
  launch::ReferenceExecutor reference;
  const std::vector<std::uint8_t> ours = run.run(reference);
  const std::vector<std::uint8_t> theirs = run_on_gpu(gpu, run);
  Differences differences(format.kind), beyond(format.kind);
  const Real pi = std::acos(Real{-1});
  const Real far = std::numeric_limits<Real>::infinity();
  std::vector<Domain> domains = {{"all", -far, far, {}, {}},
                                 {"-pi to pi", -pi, pi, {}, {}},
                                 {"-100 pi to 100 pi", -100 * pi, 100 * pi, {}, {}},
                                 {"1/2 to 2", 0.5L, 2, {}, {}}};
  for (std::size_t row = 0; row < form.rows.size(); ++row) {
    const std::vector<std::uint64_t>& inputs = form.rows[row].inputs;
    const std::uint64_t heddle = semantics::output_bits(form, ours, row, 0);
    const std::uint64_t there = semantics::output_bits(form, theirs, row, 0);
    const Real a = value_of(format, inputs[0]);
    const Real exact = operation->exact(a, inputs.size() > 1 ? value_of(format, inputs[1]) : 0);
    const Real x = value_of(format, heddle), y = value_of(format, there);
    const bool usual = is_normal(format, exact) && std::isfinite(x) && std::isfinite(y) && x != 0 && y != 0;
    (usual ? differences : beyond).add(inputs, heddle, there);
    if (!usual) continue;
    for (Domain& domain : domains) {
      if (!(a >= domain.low && a <= domain.high)) continue;
      ++domain.count;
      domain.gpu.add(format, inputs[0], exact, y);
      domain.heddle.add(format, inputs[0], exact, x);
    }
  }
  boost::json::object errors;
  for (const Domain& domain : domains)
    errors[domain.name] = {
        {"inputs", domain.count}, {"gpu", domain.gpu.json()}, {"heddle", domain.heddle.json()}};
  return {{"errors", errors}, {"normal", differences.json()}, {"beyond", beyond.json()}};
}

}  // namespace heddle::on_gpu
