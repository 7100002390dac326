#include "testbench/experiment/figure_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr int kMean = -1;  ///< position of the mean among the kernels

// Position of every dimension of a cell.
struct Cell {
  int kernel = kMean, variant = 0, value = 0, metric = 0;
  int& of(Dimension d) {
    return d == Dimension::kernel    ? kernel
           : d == Dimension::variant ? variant
           : d == Dimension::value   ? value
                                     : metric;
  }
};

double mean_of(const std::vector<double>& values, Mean kind) {
  if (values.empty() || kind == Mean::none) return kUndefined;
  if (kind == Mean::minimum) return *std::min_element(values.begin(), values.end());
  if (kind == Mean::maximum) return *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) {
    if (kind == Mean::geometric && value <= 0) return kUndefined;
    sum += kind == Mean::geometric ? std::log(value) : value;
  }
  sum /= static_cast<double>(values.size());
  return kind == Mean::geometric ? std::exp(sum) : sum;
}

// Numbers as numbers, the rest as text: "9" before "14".
bool natural_less(const std::string& a, const std::string& b) {
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  const bool number_a = end_a != a.c_str(), number_b = end_b != b.c_str();
  if (number_a != number_b) return number_a;
  return number_a && x != y ? x < y : a < b;
}

class Evaluation {
 public:
  Evaluation(const Figure& figure, const ExperimentFile& file, const Results& results)
      : figure_(figure), file_(file), results_(results), known_(results.known()) {
    out_.figure = &figure;
  }

  FigureData run() {
    try {
      find_positions();
      if (known_.entries().empty()) throw Error("", "no run has finished");
      metrics_ = figure_.histogram.empty() ? figure_.metrics : bins();
      for (const Metric& metric : metrics_) metric.expression.check_names(known_);
      for (const Metric& metric : figure_.explained_by) metric.expression.check_names(known_);
      choose_kernels();
      if (figure_.kind == FigureKind::scatter) {
        fill_clouds();
      } else {
        fill_values();
        fill_table();
        compare();
        check_orders();
      }
      explain();
    } catch (const Error& e) {
      out_.error = e.what();
    }
    return std::move(out_);
  }

 private:
  template <class Items>
  static int position(const Items& items, const std::string& name) {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i].name == name) return static_cast<int>(i);
    return -1;
  }

  void find_positions() {
    for (const std::string& name : figure_.variants) variants_.push_back(position(file_.variants, name));
    sweep_ = figure_.sweep.empty() ? -1 : position(file_.sweeps, figure_.sweep);
    if (sweep_ >= 0)
      for (const SweepValue& value : file_.sweeps[static_cast<std::size_t>(sweep_)].values)
        value_labels_.push_back(value.label);
    else
      value_labels_.emplace_back();
    relative_ = figure_.relative_to.empty() ? -1 : position(file_.variants, figure_.relative_to);
    const auto it = std::find(value_labels_.begin(), value_labels_.end(), figure_.relative_value);
    if (!figure_.relative_value.empty()) relative_value_ = static_cast<int>(it - value_labels_.begin());
  }

  // One metric a bin: the share of its counters in all of the histogram's.
  std::vector<Metric> bins() const {
    const std::string& pattern = figure_.histogram;
    if (!pattern.ends_with('*'))
      throw Error(figure_.where, "the histogram's pattern does not end in *", "'sm*.idle_periods_*'");
    // The bins' names begin where the pattern's last fixed text ends: idle_periods_[0-9]* leaves out other
    // counters of the same beginning.
    std::string head = pattern.substr(0, pattern.size() - 1);
    if (head.ends_with(']')) head.resize(std::min(head.rfind('['), head.size()));
    const std::size_t star = head.rfind('*');
    const std::string stem = star == std::string::npos ? head : head.substr(star + 1);
    std::vector<std::string> labels;
    for (const std::string& name : known_.names_like(pattern)) {
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

  const PointValues* own_values(int kernel, int variant, int value) const {
    return results_.values_at(
        {variants_[static_cast<std::size_t>(variant)], sweep_, sweep_ < 0 ? -1 : value, kernel});
  }
  // The base at the same value of the sweep, or outside of it where the sweep does not have the base.
  const PointValues* base_values(int kernel, int value) const {
    if (relative_ < 0) return nullptr;
    const int at = relative_value_ >= 0 ? relative_value_ : value;
    const PointValues* values = sweep_ < 0 ? nullptr : results_.values_at({relative_, sweep_, at, kernel});
    return values ? values : results_.values_at({relative_, -1, -1, kernel});
  }
  double number(const MetricExpression& expression, int kernel, int variant, int value) const {
    const PointValues* own = own_values(kernel, variant, value);
    return own ? expression.evaluate(*own, base_values(kernel, value)) : kUndefined;
  }

  void choose_kernels() {
    for (const std::string& name : figure_.kernels) {
      const int kernel = position(file_.kernels, name);
      if (figure_.only_kernels_where) {
        figure_.only_kernels_where->check_names(known_);
        const double wanted = number(*figure_.only_kernels_where, kernel, 0, 0);
        if (std::isnan(wanted) || wanted == 0) continue;
      }
      kernels_.push_back(kernel);
      out_.kernels.push_back(name);
    }
    if (kernels_.empty()) throw Error("", "no kernel is left");
  }

  double& cell(const Cell& at) {
    const std::size_t kernel = static_cast<std::size_t>(at.kernel == kMean ? kernels_.size() : at.kernel);
    return numbers_[((kernel * variants_.size() + static_cast<std::size_t>(at.variant)) *
                         value_labels_.size() +
                     static_cast<std::size_t>(at.value)) *
                        metrics_.size() +
                    static_cast<std::size_t>(at.metric)];
  }
  template <class Visit>
  void for_each_column(Visit visit) const {
    for (int v = 0; v < static_cast<int>(variants_.size()); ++v)
      for (int s = 0; s < static_cast<int>(value_labels_.size()); ++s)
        for (int m = 0; m < static_cast<int>(metrics_.size()); ++m) visit(Cell{kMean, v, s, m});
  }

  void fill_values() {
    numbers_.assign((kernels_.size() + 1) * variants_.size() * value_labels_.size() * metrics_.size(),
                    kUndefined);
    const int kernels = static_cast<int>(kernels_.size());
    std::vector<bool> complete(kernels_.size() * metrics_.size(), true);
    for_each_column([&](Cell at) {
      for (at.kernel = 0; at.kernel < kernels; ++at.kernel) {
        const double value = number(metrics_[static_cast<std::size_t>(at.metric)].expression,
                                    kernels_[static_cast<std::size_t>(at.kernel)], at.variant, at.value);
        cell(at) = value;
        if (std::isnan(value))
          complete[static_cast<std::size_t>(at.kernel) * metrics_.size() +
                   static_cast<std::size_t>(at.metric)] = false;
      }
    });
    // All variants are averaged over the same kernels.
    for_each_column([&](Cell at) {
      std::vector<double> values;
      Cell one = at;
      for (one.kernel = 0; one.kernel < kernels; ++one.kernel)
        if (complete[static_cast<std::size_t>(one.kernel) * metrics_.size() +
                     static_cast<std::size_t>(at.metric)])
          values.push_back(cell(one));
      cell(at) = mean_of(values, figure_.mean);
    });
    note_left_out(complete);
    write_long();
  }

  void note_left_out(const std::vector<bool>& complete) {
    for (std::size_t k = 0; k < kernels_.size(); ++k)
      for (std::size_t m = 0; m < metrics_.size(); ++m)
        if (!complete[k * metrics_.size() + m])
          out_.left_out.push_back(metrics_.size() == 1 || !figure_.histogram.empty()
                                      ? out_.kernels[k]
                                      : fmt::format("{} ({})", out_.kernels[k], metrics_[m].label));
    out_.left_out.erase(std::unique(out_.left_out.begin(), out_.left_out.end()), out_.left_out.end());
  }

  void write_long() {
    for_each_column([&](Cell at) {
      for (at.kernel = 0; at.kernel <= static_cast<int>(kernels_.size()); ++at.kernel) {
        const bool is_mean = at.kernel == static_cast<int>(kernels_.size());
        if (is_mean && figure_.mean == Mean::none) continue;
        Cell from = at;
        if (is_mean) from.kernel = kMean;
        out_.values.push_back({is_mean ? mean_name() : out_.kernels[static_cast<std::size_t>(at.kernel)],
                               figure_.variants[static_cast<std::size_t>(at.variant)],
                               value_labels_[static_cast<std::size_t>(at.value)],
                               metrics_[static_cast<std::size_t>(at.metric)].name, cell(from)});
      }
    });
  }

  int size_of(Dimension d) const {
    const bool with_mean = figure_.mean != Mean::none;
    return static_cast<int>(d == Dimension::kernel    ? kernels_.size() + with_mean
                            : d == Dimension::variant ? variants_.size()
                            : d == Dimension::value   ? value_labels_.size()
                                                      : metrics_.size());
  }
  std::string label(Dimension d, int at) const {
    const auto i = static_cast<std::size_t>(at);
    switch (d) {
      case Dimension::kernel:
        return i < out_.kernels.size() ? out_.kernels[i] : mean_name();
      case Dimension::variant:
        return figure_.variants[i];
      case Dimension::value:
        return value_labels_[i];
      default:
        return metrics_[i].label;
    }
  }
  std::string mean_name() const {
    return figure_.mean == Mean::minimum ? "minimum" : figure_.mean == Mean::maximum ? "maximum" : "mean";
  }
  static const char* title(Dimension d) {
    return d == Dimension::kernel    ? "kernel"
           : d == Dimension::variant ? "variant"
           : d == Dimension::value   ? "value"
                                     : "metric";
  }

  // All positions along an axis of the table, the first dimension slowest.
  std::vector<std::vector<int>> positions(const std::vector<Dimension>& axis) const {
    std::vector<std::vector<int>> all = {{}};
    for (const Dimension d : axis) {
      std::vector<std::vector<int>> longer;
      for (const auto& one : all)
        for (int i = 0; i < size_of(d); ++i) {
          longer.push_back(one);
          longer.back().push_back(i);
        }
      all = std::move(longer);
    }
    return all;
  }
  std::string label(const std::vector<Dimension>& axis, const std::vector<int>& at) const {
    std::string text;
    for (std::size_t i = 0; i < axis.size(); ++i) text += (text.empty() ? "" : ", ") + label(axis[i], at[i]);
    return text;
  }
  void set(Cell& at, const std::vector<Dimension>& axis, const std::vector<int>& position) const {
    for (std::size_t i = 0; i < axis.size(); ++i) at.of(axis[i]) = position[i];
    if (at.kernel == static_cast<int>(kernels_.size())) at.kernel = kMean;
  }

  void fill_table() {
    for (const Dimension d : figure_.rows)
      out_.table.corner += (out_.table.corner.empty() ? "" : ", ") + std::string(title(d));
    if (sweep_ >= 0 && figure_.rows == std::vector{Dimension::value})
      out_.table.corner = file_.sweeps[static_cast<std::size_t>(sweep_)].title;
    if (!figure_.x_title.empty()) out_.table.corner = figure_.x_title;
    const auto rows = positions(figure_.rows), columns = positions(figure_.columns);
    for (const auto& row : rows) {
      out_.table.rows.push_back(label(figure_.rows, row));
      std::vector<double> numbers;
      for (const auto& column : columns) {
        Cell at;
        set(at, figure_.rows, row);
        set(at, figure_.columns, column);
        // A single kernel needs no mean.
        const bool kernel_on_axis =
            std::count(figure_.rows.begin(), figure_.rows.end(), Dimension::kernel) +
            std::count(figure_.columns.begin(), figure_.columns.end(), Dimension::kernel);
        if (!kernel_on_axis && kernels_.size() == 1) at.kernel = 0;
        numbers.push_back(cell(at));
      }
      out_.table.cells.push_back(std::move(numbers));
    }
    for (const auto& column : columns)
      out_.table.columns.push_back(figure_.columns.empty() ? metrics_[0].label
                                                           : label(figure_.columns, column));
  }

  void compare() {
    for (const PublishedPlace& place : figure_.published) {
      Cell at;
      at.variant = std::max(0, index_in(figure_.variants, place.variant));
      at.value = std::max(0, index_in(value_labels_, place.value));
      at.metric = std::max(0, position(metrics_, place.metric));
      at.kernel = place.kernel.empty() ? kMean : index_in(out_.kernels, place.kernel);
      const bool run = place.kernel.empty() || at.kernel != kMean;
      if (place.kernel.empty() && kernels_.size() == 1) at.kernel = 0;
      Comparison comparison;
      comparison.id = place.id;
      comparison.item = place.item;
      comparison.measured = run ? cell(at) : kUndefined;
      if (place.best != PublishedPlace::Best::none) comparison.measured_text = best_value(at, place.best);
      for (const std::string& part :
           {place.kernel, place.variant, place.value.empty() ? "" : out_.table.corner + " " + place.value,
            place.metric.empty() ? "" : metrics_[static_cast<std::size_t>(at.metric)].label})
        if (!part.empty()) comparison.what += (comparison.what.empty() ? "" : ", ") + part;
      find_in_table(at, comparison);
      out_.comparisons.push_back(std::move(comparison));
    }
  }
  // The value of the sweep at which the metric is lowest or highest.
  std::string best_value(Cell at, PublishedPlace::Best best) {
    int found = -1;
    double extreme = 0;
    for (at.value = 0; at.value < static_cast<int>(value_labels_.size()); ++at.value) {
      const double here = cell(at);
      const bool better = best == PublishedPlace::Best::lowest ? here < extreme : here > extreme;
      if (std::isnan(here) || (found >= 0 && !better)) continue;
      found = at.value;
      extreme = here;
    }
    return found < 0 ? "-" : value_labels_[static_cast<std::size_t>(found)];
  }
  void find_in_table(const Cell& wanted, Comparison& comparison) const {
    const auto rows = positions(figure_.rows), columns = positions(figure_.columns);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        Cell at;
        at.kernel = wanted.kernel;
        set(at, figure_.rows, rows[r]);
        set(at, figure_.columns, columns[c]);
        if (at.kernel != wanted.kernel || at.variant != wanted.variant || at.value != wanted.value ||
            at.metric != wanted.metric)
          continue;
        comparison.row = static_cast<int>(r);
        comparison.column = static_cast<int>(c);
      }
  }
  static int index_in(const std::vector<std::string>& list, const std::string& name) {
    const auto it = std::find(list.begin(), list.end(), name);
    return it == list.end() ? -1 : static_cast<int>(it - list.begin());
  }

  void check_orders() {
    for (const Order& order : figure_.orders) {
      if (!order.values.empty()) {
        check_order_of_values(order);
        continue;
      }
      for (int value = 0; value < static_cast<int>(value_labels_.size()); ++value) {
        std::string text = fmt::format("{}", fmt::join(order.variants, " < "));
        if (figure_.metrics.size() > 1)
          text += fmt::format(" in {}",
                              metrics_[static_cast<std::size_t>(position(metrics_, order.metric))].label);
        if (sweep_ >= 0)
          text += fmt::format(" at {} {}", out_.table.corner, value_labels_[static_cast<std::size_t>(value)]);
        std::vector<std::pair<std::string, double>> steps;
        for (const std::string& variant : order.variants)
          steps.emplace_back(variant, mean_at(variant, value, order.metric));
        out_.orders.push_back(text + ": " + verdict(steps));
      }
    }
  }
  void check_order_of_values(const Order& order) {
    std::vector<std::pair<std::string, double>> steps;
    for (const std::string& label : order.values)
      steps.emplace_back(label, mean_at(order.variants[0], index_in(value_labels_, label), order.metric));
    out_.orders.push_back(fmt::format("{} ({} of {}): {}", fmt::join(order.values, " < "), out_.table.corner,
                                      order.variants[0], verdict(steps)));
  }
  double mean_at(const std::string& variant, int value, const std::string& metric) {
    Cell at;
    at.variant = index_in(figure_.variants, variant);
    at.value = value;
    at.metric = position(metrics_, metric);
    if (kernels_.size() == 1) at.kernel = 0;
    return cell(at);
  }
  // Do the numbers rise?
  std::string verdict(const std::vector<std::pair<std::string, double>>& steps) const {
    std::string differences;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto& [name, now] = steps[i];
      if (std::isnan(now)) return "not measured";
      if (i == 0 || steps[i - 1].second < now) continue;
      differences +=
          fmt::format("{}{} ({:.{}f}) is not above {} ({:.{}f})", differences.empty() ? "" : "; ", name, now,
                      figure_.digits, steps[i - 1].first, steps[i - 1].second, figure_.digits);
    }
    return differences.empty() ? "as published" : "differs: " + differences;
  }

  void fill_clouds() {
    out_.table.corner = sweep_ < 0 ? "kernels" : "kernel";
    out_.table.columns = {"r"};
    if (sweep_ < 0) out_.clouds.push_back({fmt::format("{} kernels", kernels_.size()), {}, {}, {}, 0});
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      if (sweep_ >= 0) out_.clouds.push_back({out_.kernels[k], {}, {}, {}, 0});
      add_points(k, out_.clouds.back());
    }
    for (Cloud& cloud : out_.clouds) {
      cloud.correlation = correlation(cloud.x, cloud.y);
      out_.table.rows.push_back(cloud.kernel);
      out_.table.cells.push_back({cloud.correlation});
    }
  }
  void add_points(std::size_t k, Cloud& cloud) {
    for (int value = 0; value < static_cast<int>(value_labels_.size()); ++value) {
      const double x = number(metrics_[0].expression, kernels_[k], 0, value);
      const double y = number(metrics_[1].expression, kernels_[k], 0, value);
      if (std::isnan(x) || std::isnan(y)) continue;
      cloud.x.push_back(x);
      cloud.y.push_back(y);
      cloud.labels.push_back(sweep_ < 0 ? out_.kernels[k] : value_labels_[static_cast<std::size_t>(value)]);
      for (const auto& [metric, at] : {std::pair{metrics_[0].name, x}, std::pair{metrics_[1].name, y}})
        out_.values.push_back({out_.kernels[k], figure_.variants[0],
                               value_labels_[static_cast<std::size_t>(value)], metric, at});
    }
  }

  // The counters behind the figure: a row a variant, a column a metric.
  void explain() {
    if (figure_.explained_by.empty()) return;
    out_.explained.corner = sweep_ < 0 ? "variant" : "variant, value";
    for (const Metric& metric : figure_.explained_by) out_.explained.columns.push_back(metric.label);
    for (int v = 0; v < static_cast<int>(variants_.size()); ++v)
      for (int s = 0; s < static_cast<int>(value_labels_.size()); ++s) {
        std::vector<double> row;
        for (const Metric& metric : figure_.explained_by) {
          std::vector<double> values;
          for (const int kernel : kernels_)
            if (const double x = number(metric.expression, kernel, v, s); !std::isnan(x)) values.push_back(x);
          row.push_back(mean_of(values, Mean::arithmetic));
        }
        const std::string& variant = figure_.variants[static_cast<std::size_t>(v)];
        out_.explained.rows.push_back(
            sweep_ < 0 ? variant
                       : fmt::format("{}, {}", variant, value_labels_[static_cast<std::size_t>(s)]));
        out_.explained.cells.push_back(std::move(row));
      }
  }

  const Figure& figure_;
  const ExperimentFile& file_;
  const Results& results_;
  const PointValues&
      known_;  ///< a counter that one organisation lacks is 0 there; one that no run has is a mistake
  FigureData out_;
  std::vector<Metric> metrics_;
  std::vector<int> kernels_, variants_;
  std::vector<std::string> value_labels_;
  int sweep_ = -1, relative_ = -1, relative_value_ = -1;
  std::vector<double> numbers_;
};

}  // namespace

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results) {
  return Evaluation(figure, file, results).run();
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  if (x.size() < 2) return kUndefined;
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  // Rounding alone is no variation.
  const double small = 1e-24;
  if (xx <= small * n * mean_x * mean_x || yy <= small * n * mean_y * mean_y || xx == 0 || yy == 0)
    return kUndefined;
  return xy / std::sqrt(xx * yy);
}

}  // namespace heddle::experiment
