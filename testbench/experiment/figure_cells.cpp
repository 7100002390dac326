#include "testbench/experiment/figure_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

// Compares numbers by value ("9" before "14"), and other texts alphabetically.
bool natural_less(const std::string& a, const std::string& b) {
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  const bool number_a = end_a != a.c_str(), number_b = end_b != b.c_str();
  if (number_a != number_b) return number_a;
  return number_a && x != y ? x < y : a < b;
}

template <class Items>
int position(const Items& items, const std::string& name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  return -1;
}
int position(const std::vector<std::string>& names, const std::string& name) {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

}  // namespace

double mean_of(const std::vector<double>& values, Mean kind) {
  if (values.empty() || kind == Mean::none) return kUndefined;
  if (kind == Mean::minimum) return *std::min_element(values.begin(), values.end());
  if (kind == Mean::maximum) return *std::max_element(values.begin(), values.end());
  if (kind == Mean::geometric_saving) {
    std::vector<double> ratios;
    for (const double saving : values) ratios.push_back(1 - saving / 100);
    return 100 * (1 - mean_of(ratios, Mean::geometric));
  }
  double sum = 0;
  for (const double value : values) {
    if (kind == Mean::geometric && value <= 0) return kUndefined;
    sum += kind == Mean::geometric ? std::log(value) : value;
  }
  sum /= static_cast<double>(values.size());
  return kind == Mean::geometric ? std::exp(sum) : sum;
}

FigureCells::FigureCells(const Figure& figure, const ExperimentFile& file, const Results& results)
    : figure_(figure), file_(file), results_(results) {
  for (const std::string& name : figure_.variants) variants_.push_back(position(file_.variants, name));
  sweep_ = figure_.sweep.empty() ? -1 : position(file_.sweeps, figure_.sweep);
  if (sweep_ < 0) value_labels_.emplace_back();
  if (sweep_ >= 0) value_labels_ = sweep()->labels();
  relative_ = figure_.relative_to.empty() ? -1 : position(file_.variants, figure_.relative_to);
  if (sweep_ >= 0 && !figure_.relative_value.empty())
    for (std::size_t i = 0; i < sweep()->values.size(); ++i)
      if (sweep()->values[i].label == figure_.relative_value) relative_value_ = static_cast<int>(i);
  const PointValues& known = results_.known();
  if (results_.runs() == 0) throw Error("", "the techniques of every run refuse each other");
  if (known.entries().empty()) throw Error("", "no run has finished");
  metrics_ = figure_.histogram.empty() ? figure_.metrics : bins();
  const bool all_run = results_.in_state(PointResult::State::refused).empty();
  const auto runs =
      results_.all_wanted() && all_run ? MetricExpression::Runs::all : MetricExpression::Runs::some;
  for (const Metric& metric : metrics_) metric.expression.check_names(known, runs);
  for (const Metric& metric : figure_.explained_by) metric.expression.check_names(known, runs);
  if (figure_.only_kernels_where) figure_.only_kernels_where->check_names(known, runs);
  choose_kernels();
}

// Returns one metric for each bin of a histogram: the bin's counter divided by the sum over all bins.
std::vector<Metric> FigureCells::bins() const {
  const std::string& pattern = figure_.histogram;
  if (!pattern.ends_with('*'))
    throw Error(figure_.where, "the histogram's pattern does not end in *", "'sm*.idle_periods_*'");
  // The label of a bin is the part of a counter's name after the pattern's last fixed text. The pattern
  // idle_periods_[0-9]* thus gives labels such as 3, and leaves out other counters that begin with
  // idle_periods_.
  std::string head = pattern.substr(0, pattern.size() - 1);
  if (head.ends_with(']')) head.resize(std::min(head.rfind('['), head.size()));
  const std::size_t star = head.rfind('*');
  const std::string stem = star == std::string::npos ? head : head.substr(star + 1);
  std::vector<std::string> labels;
  for (const std::string& name : results_.known().names_like(pattern)) {
    const std::string label = name.substr(name.rfind(stem) + stem.size());
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  if (labels.empty()) throw Error(figure_.where, fmt::format("no counter of any run fits \"{}\"", pattern));
  std::sort(labels.begin(), labels.end(), natural_less);
  std::vector<Metric> metrics;
  for (const std::string& label : labels) {
    const std::string text = fmt::format("100 * sum('{}{}') / sum('{}')", head, label, pattern);
    metrics.push_back({label, label, MetricExpression(ConfigNode::make_string(text, figure_.where))});
  }
  return metrics;
}

void FigureCells::choose_kernels() {
  for (const std::string& name : figure_.kernels) {
    kernels_.push_back(position(file_.kernels, name));
    kernel_names_.push_back(name);
    if (!figure_.only_kernels_where) continue;
    const double wanted = number(*figure_.only_kernels_where, static_cast<int>(kernels_.size()) - 1, 0, 0);
    if (!std::isnan(wanted) && wanted != 0) continue;
    kernels_.pop_back();
    kernel_names_.pop_back();
  }
  if (kernels_.empty()) throw Error("", "no kernel is left");
}

// Returns the values of the variant to which the figure is relative (base variant), at the same kernel and
// sweep value. If there are no such values, returns the values of the base variant's run without a sweep.
const PointValues* FigureCells::base_values(int kernel, int value) const {
  if (relative_ < 0) return nullptr;
  const int at = relative_value_ >= 0 ? relative_value_ : value;
  const PointValues* values = sweep_ < 0 ? nullptr : results_.values_at({relative_, sweep_, at, kernel});
  return values ? values : results_.values_at({relative_, -1, -1, kernel});
}

Place FigureCells::place_of(int kernel, int variant, int value) const {
  return {variants_[static_cast<std::size_t>(variant)], sweep_, sweep_ < 0 ? -1 : value,
          kernels_[static_cast<std::size_t>(kernel)]};
}

bool FigureCells::is_refused(const Cell& cell) const {
  if (cell.kernel != Cell::kMean) return results_.is_refused(place_of(cell.kernel, cell.variant, cell.value));
  for (int kernel = 0; kernel < size_of_kernels(); ++kernel)
    if (!results_.is_refused(place_of(kernel, cell.variant, cell.value))) return false;
  return true;
}

std::vector<std::string> FigureCells::refusals() const {
  std::vector<std::string> all;
  for (int v = 0; v < size_of(Dimension::variant); ++v)
    for (int s = 0; s < size_of(Dimension::value); ++s)
      for (int kernel = 0; kernel < size_of_kernels(); ++kernel) {
        const Place place = place_of(kernel, v, s);
        if (!results_.is_refused(place)) continue;
        const std::string& value = value_labels_[static_cast<std::size_t>(s)];
        all.push_back(fmt::format("{}{}{}: {}", figure_.variants[static_cast<std::size_t>(v)],
                                  value.empty() ? "" : ", ", value, results_.refusal_at(place)));
        break;
      }
  return all;
}

double FigureCells::number(const MetricExpression& expression, int kernel, int variant, int value) const {
  const int in_file = kernels_[static_cast<std::size_t>(kernel)];
  const PointValues* own = results_.values_at(place_of(kernel, variant, value));
  return own ? expression.evaluate(*own, base_values(in_file, value)) : kUndefined;
}

std::size_t FigureCells::index(const Cell& cell) const {
  const auto kernel = static_cast<std::size_t>(cell.kernel == Cell::kMean ? size_of_kernels() : cell.kernel);
  return ((kernel * variants_.size() + static_cast<std::size_t>(cell.variant)) * value_labels_.size() +
          static_cast<std::size_t>(cell.value)) *
             metrics_.size() +
         static_cast<std::size_t>(cell.metric);
}

template <class Visit>
void FigureCells::for_each_column(Visit visit) const {
  for (int v = 0; v < static_cast<int>(variants_.size()); ++v)
    for (int s = 0; s < static_cast<int>(value_labels_.size()); ++s)
      for (int m = 0; m < static_cast<int>(metrics_.size()); ++m) visit(Cell{Cell::kMean, v, s, m});
}

void FigureCells::fill() {
  numbers_.assign((kernels_.size() + 1) * variants_.size() * value_labels_.size() * metrics_.size(),
                  kUndefined);
  complete_.assign(kernels_.size() * metrics_.size(), true);
  for_each_column([&](Cell cell) {
    const auto metric = static_cast<std::size_t>(cell.metric);
    const bool refused = is_refused(cell);
    for (cell.kernel = 0; cell.kernel < size_of_kernels(); ++cell.kernel) {
      const double value = number(metrics_[metric].expression, cell.kernel, cell.variant, cell.value);
      numbers_[index(cell)] = value;
      if (std::isnan(value) && !refused)
        complete_[static_cast<std::size_t>(cell.kernel) * metrics_.size() + metric] = false;
    }
  });
  average();
}

std::vector<double> FigureCells::averaged(Cell column) const {
  std::vector<double> values;
  for (column.kernel = 0; column.kernel < size_of_kernels(); ++column.kernel)
    if (complete_[static_cast<std::size_t>(column.kernel) * metrics_.size() +
                  static_cast<std::size_t>(column.metric)])
      values.push_back(at(column));
  return values;
}

std::optional<LeaveOneOut> FigureCells::range_of_mean(const Cell& mean) const {
  const bool is_mean = mean.kernel == Cell::kMean && figure_.mean != Mean::none &&
                       figure_.mean != Mean::minimum && figure_.mean != Mean::maximum;
  if (!is_mean) return std::nullopt;
  const std::vector<double> values = averaged(mean);
  if (values.size() < 2 || values.size() >= kFewKernels || std::isnan(at(mean))) return std::nullopt;
  LeaveOneOut range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t left_out = 0; left_out < values.size(); ++left_out) {
    std::vector<double> others = values;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    const double without = mean_of(others, figure_.mean);
    range.lowest = std::min(range.lowest, without);
    range.highest = std::max(range.highest, without);
  }
  return range;
}

// Averages all variants over the same kernels, so that they can be compared.
void FigureCells::average() {
  for_each_column([&](const Cell& cell) { numbers_[index(cell)] = mean_of(averaged(cell), figure_.mean); });
  const bool name_metrics = metrics_.size() > 1 && figure_.histogram.empty();
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    for (std::size_t m = 0; m < metrics_.size(); ++m)
      if (!complete_[k * metrics_.size() + m])
        left_out_.push_back(name_metrics ? fmt::format("{} ({})", kernel_names_[k], metrics_[m].label)
                                         : kernel_names_[k]);
  left_out_.erase(std::unique(left_out_.begin(), left_out_.end()), left_out_.end());
}

const Sweep* FigureCells::sweep() const {
  return sweep_ < 0 ? nullptr : &file_.sweeps[static_cast<std::size_t>(sweep_)];
}
int FigureCells::variant(const std::string& name) const { return position(figure_.variants, name); }
int FigureCells::value(const std::string& label) const { return position(value_labels_, label); }
int FigureCells::metric(const std::string& name) const { return position(metrics_, name); }
int FigureCells::kernel(const std::string& name) const { return position(kernel_names_, name); }

int FigureCells::size_of(Dimension d) const {
  switch (d) {
    case Dimension::kernel:
      return size_of_kernels() + (figure_.mean != Mean::none);
    case Dimension::variant:
      return static_cast<int>(variants_.size());
    case Dimension::value:
      return static_cast<int>(value_labels_.size());
    default:
      return static_cast<int>(metrics_.size());
  }
}

std::string FigureCells::label(Dimension d, int at) const {
  const auto i = static_cast<std::size_t>(at);
  switch (d) {
    case Dimension::kernel:
      return i < kernel_names_.size() ? kernel_names_[i] : mean_name();
    case Dimension::variant:
      return figure_.variants[i];
    case Dimension::value:
      return value_labels_[i];
    default:
      return metrics_[i].label;
  }
}

std::string FigureCells::mean_name() const {
  return figure_.mean == Mean::minimum ? "minimum" : figure_.mean == Mean::maximum ? "maximum" : "mean";
}

}  // namespace heddle::experiment
