#include "testbench/experiment/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "testbench/experiment/causes.h"
#include "testbench/experiment/figure_chart.h"
#include "testbench/experiment/opening.h"
#include "testbench/experiment/report.h"
#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"
#include "testbench/output/metric_texts.h"

namespace heddle::experiment {
namespace {

using output::HtmlCell;
using output::HtmlPage;
using output::HtmlTable;

class HtmlReport {
 public:
  HtmlReport(const ExperimentFile& file, const Plan& plan, const Results& results,
             const std::vector<FigureData>& figures, const Published& published)
      : file_(file),
        plan_(plan),
        results_(results),
        figures_(figures),
        published_(published),
        page_(file.name) {}

  std::string text(const std::string& command) {
    if (!file_.description.empty()) page_.paragraph(file_.description);
    opening();
    state_of_runs();
    means();
    beside_published();
    causes();
    for (const FigureData& data : figures_) figure(data);
    conclusions();
    runs(command);
    return page_.text();
  }

 private:
  using Verdict = HtmlPage::Verdict;

  void opening() {
    const Opening& opening = file_.opening;
    if (opening.empty()) return;
    page_.heading("In short");
    HtmlTable table;
    table.headings = {"", "published"};
    table.headings.insert(table.headings.end(), opening.columns.begin(), opening.columns.end());
    for (const OpeningRow& line : opening_rows(file_, figures_, published_)) {
      std::vector<HtmlCell> row = {HtmlCell::of(line.label), HtmlCell::of(line.published)};
      for (const OpeningRow::Measured& measured : line.measured)
        row.push_back(HtmlCell::of(
            measured.range.empty() ? measured.text : fmt::format("{} ({})", measured.text, measured.range)));
      table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty()) page_.table(table);
    for (const std::string& text : summary_texts(file_, figures_, published_, NumberForm::text))
      page_.paragraph(text);
  }

  void conclusions() {
    const std::vector<ConclusionList> lists = experiment::conclusions(file_, figures_);
    if (lists.empty()) return;
    page_.heading("Conclusions");
    for (const ConclusionList& list : lists) {
      page_.subheading(list.title);
      const Verdict verdict = list.kind == ConclusionList::Kind::holds     ? Verdict::good
                              : list.kind == ConclusionList::Kind::differs ? Verdict::bad
                                                                           : Verdict::open;
      for (const std::string& text : list.claims)
        page_.verdict(verdict, with_numbers(text, figures_, published_, NumberForm::text));
    }
  }

  void state_of_runs() {
    const auto failed = results_.in_state(PointResult::State::failed);
    const auto missing = results_.in_state(PointResult::State::missing);
    std::size_t holds = 0, fails = 0;
    for (const FigureData& data : figures_)
      for (const std::string& order : data.orders)
        (order.find("as published") != std::string::npos ? holds : fails) += 1;
    std::string text = fmt::format("{} of {} runs have a result",
                                   results_.in_state(PointResult::State::done).size(), results_.runs());
    if (failed.empty() && missing.empty())
      text += "; every checked output equals that of the untimed reference";
    if (!failed.empty()) text += fmt::format("; {} failed", failed.size());
    if (!missing.empty()) text += fmt::format("; {} have not been run", missing.size());
    if (holds + fails != 0) text += fmt::format(".\n{} of {} published orders hold", holds, holds + fails);
    page_.verdict(failed.empty() && missing.empty() ? Verdict::good : Verdict::bad, text + ".");
    for (const std::size_t i : failed)
      page_.verdict(Verdict::bad, fmt::format("{}: {}", plan_.label(i), results_.of(i).error));
    for (const FigureData& data : figures_)
      if (!data.error.empty())
        page_.verdict(Verdict::bad, fmt::format("Figure {}: {}", data.figure->id, data.error));
  }

  void causes() {
    const std::vector<JudgedCause> judged = judge_causes(file_, figures_, published_);
    if (judged.empty()) return;
    page_.heading("Causes");
    for (const JudgedCause& one : judged)
      page_.verdict(!one.failure.empty()            ? Verdict::bad
                    : one.cause->decided_by.empty() ? Verdict::open
                                                    : Verdict::good,
                    fmt::format("{}: {}.", one.cause->conclusion, one.verdict()));
  }

  struct Pair {
    const FigureData* data;
    const Comparison* comparison;
    const PublishedFigure* figure;
    double published;
  };

  // Returns pairs of one published and one measured number. Leaves out published figures that are lists.
  std::vector<Pair> pairs() const {
    std::vector<Pair> all;
    for (const FigureData& data : figures_) {
      if (!data.error.empty()) continue;
      for (const Comparison& c : data.comparisons) {
        const PublishedFigure& figure = published_.get(c.id, "");
        const ConfigNode& value =
            c.item < 0 ? figure.value : figure.value.items[static_cast<std::size_t>(c.item)];
        if (value.is_number() && c.measured_text.empty() && !std::isnan(c.measured) &&
            in_one_unit(data.figure->unit, figure.unit))
          all.push_back({&data, &c, &figure, value.number});
      }
    }
    return all;
  }

  bool is_kernels_own(const Pair& pair) const {
    for (const Kernel& kernel : file_.kernels)
      if (pair.comparison->what.find(kernel.name) != std::string::npos) return true;
    return false;
  }

  // Draws published means next to measured means, one plot per unit. Leaves out single kernels, because the
  // papers ran other kernels.
  void means() {
    std::map<std::string, std::vector<output::PairRow>> by_unit;
    for (const Pair& pair : pairs()) {
      if (is_kernels_own(pair)) continue;
      const std::string what = pair.comparison->what.empty() ? "" : ": " + pair.comparison->what;
      by_unit[pair.figure->unit].push_back(
          {pair.data->figure->title + what, pair.published, pair.comparison->measured});
    }
    if (by_unit.empty()) return;
    page_.heading("Means");
    page_.paragraph(
        "Means over kernels alone. Published figures come from other kernels on other simulators.");
    for (const auto& [unit, rows] : by_unit)
      page_.chart(output::pair_chart(unit.empty() ? "number" : unit, rows));
  }

  void beside_published() {
    HtmlTable table;
    table.headings = {"id", "published metric", "place", "published", "measured", "difference", "figure"};
    table.filter = "filter published figures";
    for (const FigureData& data : figures_) {
      if (!data.error.empty()) continue;
      for (const Comparison& c : data.comparisons) {
        const PublishedFigure& figure = published_.get(c.id, "");
        const ConfigNode& value =
            c.item < 0 ? figure.value : figure.value.items[static_cast<std::size_t>(c.item)];
        const int digits = data.figure->digits;
        const bool number = c.measured_text.empty();
        const bool comparable = number && value.is_number() && in_one_unit(data.figure->unit, figure.unit);
        table.rows.push_back(
            {HtmlCell::of(c.item < 0 ? c.id : fmt::format("{} [{}]", c.id, c.item)),
             HtmlCell::of(figure.metric + (c.what.empty() ? "" : ": " + c.what)),
             HtmlCell::of(fmt::format("{}, {}", figure.paper, figure.where)),
             value.is_number() ? with_unit(value.number, figure) : HtmlCell::of(figure.text(c.item)),
             number ? HtmlCell::of(c.measured, digits) : HtmlCell::of(c.measured_text),
             comparable ? HtmlCell::of(c.measured - value.number, digits) : HtmlCell::of(std::string()),
             HtmlCell::of(data.figure->id)});
      }
    }
    for (const auto& [id, place] : file_.elsewhere) {
      const PublishedFigure& figure = published_.get(id, "");
      table.rows.push_back({HtmlCell::of(id), HtmlCell::of(figure.metric), HtmlCell::of(figure.where),
                            HtmlCell::of(figure.text(-1) + " " + figure.unit), HtmlCell::of(place),
                            HtmlCell::of(std::string()), HtmlCell::of(std::string())});
    }
    if (table.rows.empty()) return;
    page_.heading("Measured and published figures");
    page_.table(table);
  }

  static HtmlCell with_unit(double value, const PublishedFigure& figure) {
    HtmlCell cell = HtmlCell::of(value);
    cell.text = fmt::format("{:.6g} {}", value, figure.unit);
    return cell;
  }

  static HtmlTable table_of(const Table& table, int digits) {
    HtmlTable out;
    out.headings = {table.corner};
    out.headings.insert(out.headings.end(), table.columns.begin(), table.columns.end());
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      std::vector<HtmlCell> row = {HtmlCell::of(table.rows[r])};
      for (std::size_t c = 0; c < table.cells[r].size(); ++c) {
        const auto name = table.names.find({r, c});
        row.push_back(name != table.names.end()     ? HtmlCell::of(name->second)
                      : table.refused.count({r, c}) ? HtmlCell::of(std::string("refused"))
                                                    : HtmlCell::of(table.cells[r][c], digits));
      }
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  // Returns the text shown on hover: meaning and unit of one of Heddle's metrics, or the expression of an
  // experiment's metric.
  static std::string hover_of(const Metric& metric) {
    const std::string text = output::hover_text(metric.expression.text());
    return text.empty() ? metric.expression.text() : text;
  }

  void figure(const FigureData& data) {
    const Figure& figure = *data.figure;
    page_.heading(figure.title);
    if (!figure.paper.empty()) page_.paragraph("Paper: " + figure.paper + ".");
    if (!figure.note.empty()) page_.paragraph(figure.note);
    if (!data.error.empty()) return page_.verdict(Verdict::bad, "Not available: " + data.error);
    if (const std::optional<output::Chart> drawn = figure_chart(data, published_)) page_.chart(*drawn);
    for (const std::string& order : data.orders) page_.paragraph("Order " + order);
    if (!figure.left_out.empty())
      page_.paragraph(
          fmt::format("Left out with the runs that it needs: {}", fmt::join(figure.left_out, "; ")));
    for (const std::string& refusal : data.refusals) page_.verdict(Verdict::open, "Refused: " + refusal);
    page_.table(table_of(data.table, figure.kind == FigureKind::scatter ? 2 : figure.digits));
    if (!data.left_out.empty())
      page_.paragraph(fmt::format("Not in the means, without a value: {}.", fmt::join(data.left_out, ", ")));
    if (data.explained.rows.empty()) return;
    page_.subheading("Underlying counters, means over the same kernels");
    HtmlTable explained = table_of(data.explained, 2);
    explained.hovers = {""};
    for (const Metric& metric : figure.explained_by) explained.hovers.push_back(hover_of(metric));
    page_.table(explained);
  }

  void runs(const std::string& command) {
    page_.heading("Runs");
    page_.paragraph(
        fmt::format("Generated by \"{}\"; every measured number comes from these runs.", command));
    HtmlTable variants;
    variants.headings = {"variant", "what it is", "sets"};
    for (const Variant& variant : file_.variants)
      if (variant.combines.empty())
        variants.rows.push_back(
            {HtmlCell::of(variant.name), HtmlCell::of(variant.doc), HtmlCell::of(variant_text(variant, ""))});
    page_.paragraph(
        fmt::format("Size {}. What each variant lays on the configuration of every run:", file_.size));
    page_.table(variants);
    if (const std::string more = combinations_text(file_); !more.empty()) page_.paragraph(more);
    HtmlTable table;
    table.headings = {"run", "state", "result"};
    table.filter = "filter runs";
    for (std::size_t i = 0; i < plan_.size(); ++i)
      table.rows.push_back(
          {HtmlCell::of(plan_.label(i)), HtmlCell::of(state_text(results_.of(i))),
           HtmlCell::of(plan_.refusal(i).empty() ? "points/" + plan_.name(i) + ".json" : "")});
    page_.table(table);
    page_.begin_details("Configuration of every run");
    page_.preformatted(to_json(file_.base));
    page_.end_details();
  }

  const ExperimentFile& file_;
  const Plan& plan_;
  const Results& results_;
  const std::vector<FigureData>& figures_;
  const Published& published_;
  HtmlPage page_;
};

}  // namespace

std::string html_report(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const std::vector<FigureData>& figures, const Published& published,
                        const std::string& command) {
  return HtmlReport(file, plan, results, figures, published).text(command);
}

}  // namespace heddle::experiment
