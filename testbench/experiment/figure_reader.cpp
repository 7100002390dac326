#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/experiment/published.h"
#include "testbench/experiment/reading.h"
#include "testbench/experiment/stack_tables.h"

namespace heddle::experiment {
namespace {

const TypeForm kShareForm("experiment", "share", whole_type(),
                          "the whole of which a metric is a share, if the energies inside base(...) of its "
                          "expression do not show it");
const ObjectForm kMetricForm(
    "experiment", "metric", "a metric",
    {{"name!", "text"}, {"label", "text"}, {"expression!", "lines"}, {"share_of", "share"}});
const ObjectForm kNamedMetricForm("experiment", "named_metric", "a metric",
                                  {{"label", "text"}, {"expression!", "lines"}, {"share_of", "share"}});
const TypeForm kMetricsForm("experiment", "metrics", "text|(text|metric)[]");
const ObjectForm kBaseForm("experiment", "base", "a base", {{"variant", "text"}, {"value", "text"}});
const ObjectForm kPublishedForm("experiment", "published", "a published figure",
                                {{"id!", "text"},
                                 {"item", "integer>=0"},
                                 {"variant", "text"},
                                 {"value", "text"},
                                 {"metric", "text"},
                                 {"kernel", "text"},
                                 {"best", "'lowest'|'highest'"}});
const ObjectForm kOrderForm("experiment", "order", "an order",
                            {{"variants", "names"}, {"values", "names"}, {"metric", "text"}});
const ObjectForm kFigureForm(
    "experiment", "figure", "a figure",
    {{"id!", "text", "used in names of files"},
     {"like", "text", "an earlier figure whose keys this one inherits; null removes a key"},
     {"title", "text|null"},
     {"paper", "text|null"},
     {"kind",
      "'bars'|'stacked'|'lines'|'scatter'|'histogram'|'table'|'pairs'|'front'|'ranks'|"
      "'waterfall'|'tornado'|'winners'|'clusters'"},
     {"metric", "text|null"},
     {"metrics", "metrics|null"},
     {"share_of", "share|null", "of the only metric"},
     {"histogram", "text|null"},
     {"x", "names|null"},
     {"series", "names|null"},
     {"variants", "names|null"},
     {"kernels", "names|null"},
     {"sweep", "text|null"},
     {"of", "text|null", "variant of a waterfall or a tornado; for a search, its best result"},
     {"where", "text|null"},
     {"relative_to", "text|base|null"},
     {"mean", "'arithmetic'|'geometric'|'geometric-saving'|'minimum'|'maximum'|'none'|null"},
     {"unit", "text|null"},
     {"x_title", "text|null"},
     {"digits", "integer|null"},
     {"published", "published[]|null"},
     {"order", "order[]|null"},
     {"explained_by", "metrics|null"},
     {"note", "lines|null"},
     {"first", "integer>=1|null"}});

template <class Value>
Value one_of(const ConfigNode& node, const std::vector<std::pair<std::string, Value>>& choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    if (node.is_string() && node.text == name) return value;
    names += (names.empty() ? "" : ", ") + name;
  }
  throw Error(node.where(), "unknown choice", names);
}

const std::vector<std::pair<std::string, FigureKind>> kKinds = {
    {"table", FigureKind::table},      {"bars", FigureKind::bars},
    {"stacked", FigureKind::stacked},  {"lines", FigureKind::lines},
    {"scatter", FigureKind::scatter},  {"histogram", FigureKind::histogram},
    {"pairs", FigureKind::pairs},      {"front", FigureKind::front},
    {"ranks", FigureKind::ranks},      {"waterfall", FigureKind::waterfall},
    {"tornado", FigureKind::tornado},  {"winners", FigureKind::winners},
    {"clusters", FigureKind::clusters}};
const std::vector<std::pair<std::string, Dimension>> kDimensions = {{"kernel", Dimension::kernel},
                                                                    {"variant", Dimension::variant},
                                                                    {"value", Dimension::value},
                                                                    {"metric", Dimension::metric}};
const std::vector<std::pair<std::string, PublishedPlace::Best>> kBests = {
    {"lowest", PublishedPlace::Best::lowest}, {"highest", PublishedPlace::Best::highest}};
const std::vector<std::pair<std::string, Mean>> kMeans = {
    {"none", Mean::none},           {"arithmetic", Mean::arithmetic},
    {"geometric", Mean::geometric}, {"geometric-saving", Mean::geometric_saving},
    {"minimum", Mean::minimum},     {"maximum", Mean::maximum}};

std::vector<Dimension> read_dimensions(const ConfigNode& node) {
  if (!node.is_array()) return {one_of(node, kDimensions)};
  std::vector<Dimension> dimensions;
  for (const ConfigNode& item : node.items) dimensions.push_back(one_of(item, kDimensions));
  return dimensions;
}

std::string known_metrics(const ExperimentFile& file) {
  std::vector<std::string> names;
  for (const auto& [name, metric] : file.metrics) names.push_back(name);
  for (const auto& [name, list] : file.metric_lists) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string share_of(const ObjectReader& in) {
  const ConfigNode* whole = in.find("share_of");
  return whole ? read_whole(*whole) : "";
}

Metric read_metric(const ConfigNode& node, const std::string& name, const ObjectReader& in,
                   const ExperimentFile& file) {
  check_name(node, name);
  return {name, in.has("label") ? in.text("label") : name,
          MetricExpression(whole_text(in.get("expression")), file.define), share_of(in)};
}

void add_metric(std::vector<Metric>& metrics, Metric metric, const ConfigNode& item) {
  for (const Metric& other : metrics)
    if (other.name == metric.name)
      throw Error(item.where(), fmt::format("a second metric \"{}\"", metric.name));
  metrics.push_back(std::move(metric));
}

std::vector<Metric> read_metrics(const ConfigNode& node, const ExperimentFile& file) {
  std::vector<Metric> metrics;
  const auto add_named = [&](const ConfigNode& item, const std::string& name) {
    if (const auto list = file.metric_lists.find(name); list != file.metric_lists.end()) {
      for (const std::string& one : list->second) add_metric(metrics, file.metrics.at(one), item);
      return;
    }
    const auto metric = file.metrics.find(name);
    if (metric == file.metrics.end())
      throw Error(item.where(), fmt::format("no metric \"{}\" under \"metrics\"", name), known_metrics(file));
    add_metric(metrics, metric->second, item);
  };
  if (node.is_string()) {
    add_named(node, node.text);
    return metrics;
  }
  for (const ConfigNode& item : ObjectReader::array(node).items) {
    if (item.is_string()) {
      add_named(item, item.text);
      continue;
    }
    const ObjectReader in(item, kMetricForm);
    add_metric(metrics, read_metric(item, in.text("name"), in, file), item);
  }
  if (metrics.empty()) throw Error(node.where(), "no metrics");
  return metrics;
}

class FigureReader {
 public:
  FigureReader(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known)
      : in_(node, kFigureForm), file_(file), known_(known) {
    figure_.where = node.where();
  }

  Figure read() {
    read_texts();
    read_values();
    read_selection();
    read_axes();
    read_published();
    read_orders();
    if (in_.has("explained_by")) figure_.explained_by = read_metrics(in_.get("explained_by"), file_);
    if (!figure_.pending) check();
    return std::move(figure_);
  }

 private:
  void read_texts() {
    figure_.id = in_.text("id");
    check_name(in_.get("id"), figure_.id);
    if (figure_.id.find_first_of(" +") != std::string::npos)
      throw Error(in_.get("id").where(), "the id names files", "letters, digits, - _ .");
    figure_.title = in_.text("title");
    figure_.paper = in_.text("paper", false);
    figure_.note = read_text(in_, "note");
    figure_.unit = in_.text("unit", false);
    figure_.x_title = in_.text("x_title", false);
    if (const ConfigNode* first = in_.find("first")) {
      if (!first->is_integer || first->integer < 1 || first->integer > 10000)
        throw Error(first->where(), "not a number of rows", "1 to 10000");
      figure_.first = static_cast<int>(first->integer);
    }
    if (const ConfigNode* digits = in_.find("digits")) {
      if (!digits->is_integer || digits->integer < 0 || digits->integer > 9)
        throw Error(digits->where(), "not a number of digits", "0 to 9");
      figure_.digits = static_cast<int>(digits->integer);
    }
  }

  void read_values() {
    figure_.kind = one_of(in_.get("kind"), kKinds);
    const int given = in_.has("metric") + in_.has("metrics") + in_.has("histogram");
    if (given != 1)
      throw Error(figure_.where, fmt::format("figure \"{}\" needs one of", figure_.id),
                  "metric, metrics, histogram");
    if (in_.has("metrics")) figure_.metrics = read_metrics(in_.get("metrics"), file_);
    if (in_.has("metric"))
      figure_.metrics = {
          {"value", figure_.title, MetricExpression(in_.get("metric"), file_.define), share_of(in_)}};
    figure_.histogram = in_.text("histogram", false);
    if (in_.has("mean")) figure_.mean = one_of(in_.get("mean"), kMeans);
    if (in_.has("where")) figure_.only_kernels_where = MetricExpression(in_.get("where"), file_.define);
  }

  void read_selection() {
    if (in_.has("sweep")) {
      figure_.sweep = in_.text("sweep");
      if (!file_.find_sweep(figure_.sweep))
        throw Error(in_.get("sweep").where(), "no such sweep", sweep_names());
    }
    const Sweep* sweep = file_.find_sweep(figure_.sweep);
    figure_.variants = select_variants(in_.find("variants"), sweep ? sweep->variants : known_.variants, file_,
                                       &figure_.pending);
    read_of();
    figure_.searches = names_a_search(in_.find("variants"), file_) || names_a_search(in_.find("of"), file_);
    figure_.kernels = select(in_.find("kernels"), sweep ? sweep->kernels : known_.kernels, known_.all_kernels,
                             "kernel", known_.selection);
    if (const ConfigNode* base = in_.find("relative_to")) {
      if (base->is_object()) {
        const ObjectReader relative(*base, kBaseForm);
        figure_.relative_to = relative.text("variant");
        figure_.relative_value = relative.text("value", false);
      } else {
        figure_.relative_to = ObjectReader::text_of(*base);
      }
      if (!file_.find_variant(figure_.relative_to))
        throw Error(base->where(), fmt::format("no variant \"{}\"", figure_.relative_to),
                    fmt::format("{}", fmt::join(known_.variants, ", ")));
      if (!figure_.relative_value.empty()) check_value(*base, figure_.relative_value);
    }
  }

  // Reads the key "of": the name of a variant, or "@search" for the best result of a search.
  void read_of() {
    const ConfigNode* of = in_.find("of");
    if (!of) return;
    const std::vector<std::string> names = read_variant_names(*of, file_, &figure_.pending);
    if (names.empty()) return;
    figure_.of = names.front();
    if (std::find(figure_.variants.begin(), figure_.variants.end(), figure_.of) == figure_.variants.end())
      throw Error(of->where(), fmt::format("no variant \"{}\" in this figure", figure_.of),
                  fmt::format("{}", fmt::join(figure_.variants, ", ")));
  }

  void read_axes() {
    const bool many_metrics = figure_.metrics.size() > 1 || !figure_.histogram.empty();
    figure_.rows = in_.has("x")                   ? read_dimensions(in_.get("x"))
                   : is_stack_table(figure_.kind) ? std::vector{Dimension::variant}
                   : !figure_.histogram.empty()   ? std::vector{Dimension::metric}
                   : !figure_.sweep.empty()       ? std::vector{Dimension::value}
                   : stacks_variants()            ? std::vector{Dimension::variant}
                                                  : std::vector{Dimension::kernel};
    if (in_.has("series")) {
      figure_.columns = read_dimensions(in_.get("series"));
      return;
    }
    const auto add = [this](Dimension d, bool wanted) {
      const bool on_x = std::find(figure_.rows.begin(), figure_.rows.end(), d) != figure_.rows.end();
      if (wanted && !on_x) figure_.columns.push_back(d);
    };
    add(Dimension::variant, figure_.variants.size() > 1);
    add(Dimension::value, !figure_.sweep.empty());
    add(Dimension::metric, many_metrics);
  }

  // Returns true for a figure of stacked bars with several variants. Variants are not parts of a whole, so
  // each variant gets its own bar.
  bool stacks_variants() const { return figure_.kind == FigureKind::stacked && figure_.variants.size() > 1; }

  void read_published() {
    const ConfigNode* list = in_.find("published");
    if (!list) return;
    for (const ConfigNode& item : ObjectReader::array(*list).items) {
      const ObjectReader in(item, kPublishedForm);
      PublishedPlace place;
      place.where = item.where();
      place.id = in.text("id");
      place.variant = in.text("variant", false);
      place.value = in.text("value", false);
      place.metric = in.text("metric", false);
      place.kernel = in.text("kernel", false);
      if (const ConfigNode* number = in.find("item")) {
        if (!number->is_integer || number->integer < 0)
          throw Error(number->where(), "not a position", "0, 1, ...");
        place.item = static_cast<int>(number->integer);
      }
      if (const ConfigNode* best = in.find("best")) place.best = one_of(*best, kBests);
      if (is_left_out(place)) {
        figure_.left_out.push_back(
            fmt::format("published {}{}", place.id, place.item < 0 ? "" : fmt::format(" [{}]", place.item)));
        figure_.left_out_places.push_back(std::move(place));
        continue;
      }
      check_place(item, place);
      figure_.published.push_back(std::move(place));
    }
  }

  bool is_left_out(const PublishedPlace& place) const {
    const Sweep* sweep = file_.find_sweep(figure_.sweep);
    if (sweep && sweep->find_left_out(place.value)) return true;
    const auto has = [&place](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), place.kernel) != names.end();
    };
    return !file_.additions.kernels.empty() && !place.kernel.empty() && has(known_.all_kernels) &&
           !has(figure_.kernels);
  }

  void check_place(const ConfigNode& item, const PublishedPlace& place) const {
    const auto in_list = [&](const std::string& name, const std::vector<std::string>& list,
                             const char* what) {
      if (name.empty() ? list.size() > 1 : std::find(list.begin(), list.end(), name) == list.end())
        throw Error(item.where(), fmt::format("figure \"{}\" has no {} \"{}\"", figure_.id, what, name),
                    fmt::format("{}", fmt::join(list, ", ")));
    };
    in_list(place.variant, figure_.variants, "variant");
    if (figure_.histogram.empty() && figure_.kind != FigureKind::scatter)
      in_list(place.metric, metric_names(), "metric");
    if (const Sweep* sweep = file_.find_sweep(figure_.sweep);
        sweep && figure_.kind != FigureKind::scatter && place.best == PublishedPlace::Best::none)
      in_list(place.value, sweep->labels(), "value");
  }

  void read_orders() {
    const ConfigNode* list = in_.find("order");
    if (!list) return;
    for (const ConfigNode& item : ObjectReader::array(*list).items) {
      const ObjectReader in(item, kOrderForm);
      Order order;
      order.variants = in.has("variants") ? ObjectReader::texts_of(in.get("variants")) : figure_.variants;
      if (in.has("values")) order.values = ObjectReader::texts_of(in.get("values"));
      for (const std::string& label : order.values) check_value(in.get("values"), label);
      if (!keep_order(order)) continue;
      if (in.has("values") ? order.variants.size() != 1 : !in.has("variants"))
        throw Error(item.where(), "not an order", "\"variants\", or \"values\" and one variant");
      order.metric = in.text("metric", false);
      for (const std::string& name : order.variants)
        if (std::find(figure_.variants.begin(), figure_.variants.end(), name) == figure_.variants.end())
          throw Error(in.get("variants").where(), fmt::format("no variant \"{}\" in this figure", name),
                      fmt::format("{}", fmt::join(figure_.variants, ", ")));
      const std::vector<std::string> metrics = metric_names();
      if (order.metric.empty() && metrics.size() == 1) order.metric = metrics[0];
      if (std::find(metrics.begin(), metrics.end(), order.metric) == metrics.end())
        throw Error(item.where(), fmt::format("no metric \"{}\" in this figure", order.metric),
                    fmt::format("{}", fmt::join(metrics, ", ")));
      figure_.orders.push_back(std::move(order));
    }
  }

  // Removes from a published ranking the sweep values that --sweep leaves out. Returns false if fewer than
  // two are left.
  bool keep_order(Order& order) {
    const Sweep* sweep = file_.find_sweep(figure_.sweep);
    if (!sweep || sweep->left_out.empty() || order.values.empty()) return true;
    const std::string whole = fmt::format("{}", fmt::join(order.values, " < "));
    std::erase_if(order.values, [&](const std::string& label) { return sweep->find_left_out(label); });
    if (order.values.size() >= 2) return true;
    figure_.left_out.push_back("order " + whole);
    return false;
  }

  // Throws Error unless each dimension of a figure (such as variant or kernel) is an axis of its table, has a
  // single value, or is averaged.
  void check() const {
    const auto on_axis = [this](Dimension d) {
      return std::count(figure_.rows.begin(), figure_.rows.end(), d) +
             std::count(figure_.columns.begin(), figure_.columns.end(), d);
    };
    const auto fail = [this](const char* what) {
      throw Error(figure_.where, fmt::format("figure \"{}\" has {}", figure_.id, what),
                  "name each of kernel, variant, value, metric at most once in \"x\" and \"series\"");
    };
    if (figure_.kind == FigureKind::scatter) {
      if (figure_.metrics.size() != 2 || figure_.variants.size() != 1)
        throw Error(figure_.where, fmt::format("scatter \"{}\" is not complete", figure_.id),
                    "two metrics (x and y), one variant");
      return;
    }
    check_stacks();
    if (figure_.kind == FigureKind::stacked &&
        (figure_.columns.empty() || figure_.columns != std::vector{Dimension::metric}))
      fail("series that are no parts of a whole (kind stacked adds metrics alone)");
    for (const Dimension d : {Dimension::kernel, Dimension::variant, Dimension::value, Dimension::metric})
      if (on_axis(d) > 1) fail("one dimension twice");
    if (!on_axis(Dimension::variant) && figure_.variants.size() > 1) fail("several variants on no axis");
    if (!on_axis(Dimension::metric) && figure_.metrics.size() > 1) fail("several metrics on no axis");
    if (!on_axis(Dimension::value) && !figure_.sweep.empty() &&
        file_.find_sweep(figure_.sweep)->labels().size() > 1)
      fail("a sweep on no axis");
    if (!on_axis(Dimension::kernel) && figure_.mean == Mean::none && figure_.kernels.size() > 1)
      fail("several kernels on no axis and no mean");
    for (const Metric& metric : figure_.metrics)
      if (metric.expression.uses_base() && figure_.relative_to.empty())
        throw Error(metric.expression.where(), "base(...) without \"relative_to\"", "the name of a variant");
  }

  // The table of some kinds of figures, for example `pairs` and `ranks`, has fixed axes. Checks that such a
  // figure has the metrics and the sweep that its kind needs.
  void check_stacks() const {
    if (!is_stack_table(figure_.kind)) return;
    const bool swept = !figure_.sweep.empty();
    const std::size_t metrics = figure_.metrics.size();
    std::string needs;
    const auto need = [&](bool is, const char* what) {
      needs += is ? "" : (needs.empty() ? "" : ", ") + std::string(what);
    };
    const bool many = figure_.kind == FigureKind::front || figure_.kind == FigureKind::waterfall ||
                      figure_.kind == FigureKind::clusters;
    const bool in_tables = figure_.kind == FigureKind::ranks || figure_.kind == FigureKind::tornado;
    if (figure_.kind == FigureKind::front)
      need(metrics >= 2, "two metrics or more");
    else if (!many)
      need(metrics == 1, "one metric");
    need(swept == in_tables, in_tables ? "a sweep" : "no sweep");
    if (figure_.kind == FigureKind::waterfall || figure_.kind == FigureKind::tornado)
      need(!figure_.of.empty(), "\"of\": the variant that it is of");
    if (figure_.kind == FigureKind::clusters)
      need(figure_.variants.size() == 1 && figure_.first > 0,
           "one variant, and how many clusters (\"first\")");
    need(!in_.has("x") && !in_.has("series"), "none of x and series");
    if (!needs.empty())
      throw Error(figure_.where, fmt::format("figure \"{}\" is not complete", figure_.id), needs);
  }

  void check_value(const ConfigNode& node, const std::string& label) const {
    const Sweep* sweep = file_.find_sweep(figure_.sweep);
    const std::vector<std::string> labels = sweep ? sweep->labels() : std::vector<std::string>{};
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) return;
    if (sweep && sweep->find_left_out(label)) return;
    throw Error(node.where(), fmt::format("no value \"{}\" in the figure's sweep", label),
                fmt::format("{}", fmt::join(labels, ", ")));
  }
  std::vector<std::string> metric_names() const {
    std::vector<std::string> names;
    for (const Metric& metric : figure_.metrics) names.push_back(metric.name);
    return names;
  }
  std::string sweep_names() const {
    std::string names;
    for (const Sweep& sweep : file_.sweeps) names += (names.empty() ? "" : ", ") + sweep.name;
    return names;
  }

  const ObjectReader in_;
  const ExperimentFile& file_;
  const KnownNames& known_;
  Figure figure_;
};

}  // namespace

void read_definitions(const ConfigNode& node, ExperimentFile& file) {
  if (!node.is_object()) throw Error(node.where(), "not named expressions", R"({"name": "expression", ...})");
  for (const auto& [name, expression] : node.members) {
    const bool good =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!good || name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
      throw Error(expression.where(), fmt::format("\"{}\" is not a name", name), "letters, digits, _");
    MetricExpression made(whole_text(expression), file.define);
    file.define.emplace(name, std::move(made));
  }
}

void read_named_metrics(const ConfigNode& node, ExperimentFile& file) {
  if (!node.is_object())
    throw Error(node.where(), "not named metrics", R"({"name": {"label": ..., "expression": ...}, ...})");
  for (const auto& [name, member] : node.members) {
    if (member.is_object()) {
      const ObjectReader in(member, kNamedMetricForm);
      file.metrics.emplace(name, read_metric(member, name, in, file));
      continue;
    }
    std::vector<std::string> names;
    for (const std::string& one : ObjectReader::texts_of(member)) {
      if (const auto list = file.metric_lists.find(one); list != file.metric_lists.end())
        names.insert(names.end(), list->second.begin(), list->second.end());
      else if (file.metrics.contains(one))
        names.push_back(one);
      else
        throw Error(member.where(), fmt::format("no metric \"{}\" above", one), known_metrics(file));
    }
    file.metric_lists.emplace(name, std::move(names));
  }
}

Figure read_figure(const ConfigNode& node, const ExperimentFile& file, const KnownNames& known) {
  return FigureReader(node, file, known).read();
}

}  // namespace heddle::experiment
