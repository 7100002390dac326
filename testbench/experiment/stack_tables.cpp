#include "testbench/experiment/stack_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testbench/experiment/study_tables.h"

namespace heddle::experiment {
namespace {

class StackTable {
 public:
  StackTable(const FigureCells& cells, const ExperimentFile& file)
      : cells_(cells), file_(file), variants_(cells.figure().variants) {}

  Table pairs() {
    std::vector<int> alone;
    for (int v = 0; v < size(); ++v)
      if (parts_of(v).empty()) alone.push_back(v);
    table_.corner = "variant";
    for (const int row : alone) {
      table_.rows.push_back(name(row));
      table_.columns.push_back(name(row));
      std::vector<double> numbers;
      for (const int column : alone) {
        const int both = row == column ? row : find_pair(name(row), name(column));
        const bool above = position(alone, row) <= position(alone, column);
        if (both >= 0 && cells_.is_refused(cell(both)))
          table_.refused.insert({table_.cells.size(), numbers.size()});
        numbers.push_back(both < 0 ? kUndefined : above ? at(both) : at(both) / (at(row) * at(column)));
      }
      table_.cells.push_back(std::move(numbers));
    }
    return std::move(table_);
  }

  Table front() {
    std::vector<int> kept;
    for (int v = 0; v < size(); ++v) {
      if (std::isnan(at(v, 0)) || std::isnan(at(v, 1))) continue;
      bool beaten = false;
      for (int other = 0; other < size(); ++other) beaten = beaten || beats(other, v);
      if (!beaten) kept.push_back(v);
    }
    std::stable_sort(kept.begin(), kept.end(), [this](int a, int b) { return at(a, 0) < at(b, 0); });
    table_.corner = "variant";
    for (const Metric& metric : cells_.metrics()) table_.columns.push_back(metric.label);
    for (const int v : kept) {
      std::vector<double> numbers;
      for (int m = 0; m < static_cast<int>(cells_.metrics().size()); ++m) numbers.push_back(at(v, m));
      add_row(v, std::move(numbers));
    }
    return std::move(table_);
  }

  Table ranks() {
    struct Row {
      int variant;
      std::vector<double> places;
    };
    std::vector<Row> rows;
    const int values = cells_.size_of(Dimension::value);
    for (int v = 0; v < size(); ++v) {
      Row row{v, {}};
      for (int value = 0; value < values; ++value) row.places.push_back(place(v, value));
      if (std::none_of(row.places.begin(), row.places.end(), [](double x) { return std::isnan(x); }))
        rows.push_back(std::move(row));
    }
    const auto worst = [](const Row& row) { return *std::max_element(row.places.begin(), row.places.end()); };
    const auto sum = [](const Row& row) {
      return std::accumulate(row.places.begin(), row.places.end(), 0.0);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      return std::pair(worst(a), sum(a)) < std::pair(worst(b), sum(b));
    });
    table_.corner = "variant";
    table_.columns = {"best", "worst"};
    table_.columns.insert(table_.columns.end(), cells_.value_labels().begin(), cells_.value_labels().end());
    for (const Row& row : rows) {
      std::vector<double> numbers = {*std::min_element(row.places.begin(), row.places.end()), worst(row)};
      numbers.insert(numbers.end(), row.places.begin(), row.places.end());
      add_row(row.variant, std::move(numbers));
    }
    return std::move(table_);
  }

 private:
  int size() const { return static_cast<int>(variants_.size()); }
  const std::string& name(int variant) const { return variants_[static_cast<std::size_t>(variant)]; }
  const std::vector<std::string>& parts_of(int variant) const {
    return file_.find_variant(name(variant))->combines;
  }
  Cell cell(int variant, int metric = 0, int value = 0) const {
    return {cells_.kernels().size() == 1 ? 0 : Cell::kMean, variant, value, metric};
  }
  double at(int variant, int metric = 0, int value = 0) const {
    return cells_.at(cell(variant, metric, value));
  }
  static std::ptrdiff_t position(const std::vector<int>& list, int item) {
    return std::find(list.begin(), list.end(), item) - list.begin();
  }
  int find_pair(const std::string& a, const std::string& b) const {
    for (int v = 0; v < size(); ++v)
      if (const auto& parts = parts_of(v);
          parts == std::vector<std::string>{a, b} || parts == std::vector<std::string>{b, a})
        return v;
    return -1;
  }
  bool beats(int a, int b) const {
    return at(a, 0) <= at(b, 0) && at(a, 1) <= at(b, 1) && (at(a, 0) < at(b, 0) || at(a, 1) < at(b, 1));
  }
  double place(int variant, int value) const {
    if (std::isnan(at(variant, 0, value))) return kUndefined;
    double place = 1;
    for (int other = 0; other < size(); ++other) place += at(other, 0, value) < at(variant, 0, value);
    return place;
  }
  void add_row(int variant, std::vector<double> numbers) {
    const int first = cells_.figure().first;
    if (first > 0 && static_cast<int>(table_.rows.size()) >= first) return;
    table_.rows.push_back(name(variant));
    table_.cells.push_back(std::move(numbers));
  }

  const FigureCells& cells_;
  const ExperimentFile& file_;
  const std::vector<std::string>& variants_;
  Table table_;
};

}  // namespace

bool has_table_alone(FigureKind kind) { return kind == FigureKind::table; }

bool lists_variants(FigureKind kind) { return is_stack_table(kind) && kind != FigureKind::pairs; }

bool is_stack_table(FigureKind kind) {
  return kind == FigureKind::pairs || kind == FigureKind::front || kind == FigureKind::ranks ||
         is_study_table(kind);
}

Table stack_table(const FigureCells& cells, const ExperimentFile& file) {
  if (is_study_table(cells.figure().kind)) return study_table(cells, file);
  StackTable table(cells, file);
  switch (cells.figure().kind) {
    case FigureKind::pairs:
      return table.pairs();
    case FigureKind::front:
      return table.front();
    default:
      return table.ranks();
  }
}

}  // namespace heddle::experiment
