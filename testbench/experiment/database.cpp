#include "testbench/experiment/database.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "testbench/experiment/sqlite_memory.h"
#include "testbench/output/metric_texts.h"

namespace heddle::experiment {
namespace {

constexpr const char* kTables = R"(
create table about (key text primary key, value text) without rowid;
create table runs (id integer primary key, kernel text, variant text, sweep text, sweep_value text, state text,
                   file text);
create table settings (run integer, name text, value text, primary key (run, name)) without rowid;
create table metrics (run integer, name text, value real, primary key (run, name)) without rowid;
create table counters (run integer, name text, value real, primary key (run, name)) without rowid;
create table energy (run integer, level text, name text, part text, nj real, baseline_nj real,
                     primary key (run, level, name, part)) without rowid;
create table figures (figure text, title text, unit text, kernel text, variant text, sweep_value text, metric text,
                      value real);
create table published (id text, item integer, paper text, place text, metric text, unit text, value text,
                        figure text, kernel text, variant text, sweep_value text, figure_metric text,
                        measured text);
create table names (name text, kind text, unit text, meaning text, primary key (kind, name)) without rowid;
)";

std::string view_of(const char* name, const char* table, const char* columns, const char* kind) {
  const std::string texts = kind ? fmt::format(
                                       ", n.unit, n.meaning from runs r join {0} t on t.run = r.id left "
                                       "join names n on n.kind = '{1}' and n.name = t.name",
                                       table, kind)
                                 : fmt::format(" from runs r join {} t on t.run = r.id", table);
  return fmt::format(
      "create view {} as select r.id as run, r.kernel, r.variant, r.sweep, r.sweep_value, r.state, {}{};\n",
      name, columns, texts);
}

// The name of an energy value, divided into its parts. For "energy.structures.execution.int.leakage_nj",
// `level` is "structures", `name` is "execution.int" and `part` is "leakage". read_energy_entry() returns
// false for names of other values and of single units.
struct EnergyEntry {
  std::string level, name, part;
  bool of_baseline = false;
};
bool read_energy_entry(const std::string& entry, EnergyEntry& out) {
  static const std::map<std::string, std::string> levels = {
      {"energy.total.", "total"}, {"energy.groups.", "group"}, {"energy.structures.", "structure"}};
  for (const auto& [begin, level] : levels) {
    if (!entry.starts_with(begin) || !entry.ends_with("_nj")) continue;
    std::string rest = entry.substr(begin.size(), entry.size() - begin.size() - 3);
    const std::size_t dot = rest.rfind('.');
    out.level = level;
    out.part = rest.substr(dot == std::string::npos ? 0 : dot + 1);
    rest.resize(dot == std::string::npos ? 0 : dot);
    const std::string baseline = "baseline";
    out.of_baseline = rest == baseline || rest.ends_with("." + baseline);
    if (out.of_baseline) rest.resize(rest.size() - std::min(rest.size(), baseline.size() + 1));
    out.name = rest.empty() ? "total" : rest;
    return rest.find(".units.") == std::string::npos;
  }
  return false;
}

class DatabaseWriter {
 public:
  DatabaseWriter(const ExperimentFile& file, const Plan& plan, const Results& results, const RunTable& table)
      : file_(file), plan_(plan), results_(results), table_(table) {
    database_.execute(kTables);
    database_.execute(fmt::format("pragma user_version = {}", kDatabaseFormat));
  }

  std::string write(const std::vector<FigureData>& figures, const Published& published,
                    const output::DescribedValues& described) {
    write_about();
    write_runs();
    write_values();
    write_figures(figures);
    write_published(figures, published);
    write_names(described);
    write_views();
    return database_.bytes();
  }

 private:
  static int id_of(std::size_t row) { return static_cast<int>(row) + 1; }

  void write_about() {
    SqliteMemory::Rows rows(database_, "about", 2);
    rows.text("experiment").text(file_.name).insert();
    rows.text("size").text(file_.size).insert();
    rows.text("description").text(file_.description).insert();
    rows.text("heddle").text(HEDDLE_VERSION).insert();
  }

  void write_runs() {
    SqliteMemory::Rows runs(database_, "runs", 7), settings(database_, "settings", 3);
    for (std::size_t i = 0; i < table_.rows().size(); ++i) {
      const RunTable::Row& row = table_.rows()[i];
      const std::size_t point = plan_.places()[i].point;
      runs.integer(id_of(i)).text(row.kernel).text(row.variant);
      runs.text_or_null(row.sweep).text_or_null(row.sweep_value).text(row.state);
      runs.text_or_null(plan_.refusal(point).empty() ? fmt::format("points/{}.json", plan_.name(point)) : "");
      runs.insert();
      for (std::size_t s = 0; s < row.settings.size(); ++s)
        settings.integer(id_of(i)).text(table_.settings()[s].name).text(row.settings[s]).insert();
    }
  }

  void write_values() {
    SqliteMemory::Rows metrics(database_, "metrics", 3), counters(database_, "counters", 3),
        energy(database_, "energy", 6);
    for (std::size_t i = 0; i < table_.rows().size(); ++i) {
      const PointValues* values = results_.values_at(plan_.places()[i].place);
      if (!values) continue;
      std::map<std::string, double> own = metrics_of(*values);
      const std::vector<std::optional<double>>& of_table = table_.rows()[i].metrics;
      for (std::size_t m = 0; m < of_table.size(); ++m)
        if (of_table[m]) own[table_.metrics()[m].name] = *of_table[m];
      for (const auto& [name, value] : own) metrics.integer(id_of(i)).text(name).real(value).insert();
      for (const auto& [name, ignored] : results_.known().sums())
        if (const double* value = values->find(name))
          counters.integer(id_of(i)).text(name).real(*value).insert();
      write_energy(i, *values, energy);
    }
  }

  std::map<std::string, double> metrics_of(const PointValues& values) const {
    std::map<std::string, double> own;
    for (const std::string& name : metric_names())
      if (const double* value = values.find(name)) own[name] = *value;
    return own;
  }

  const std::vector<std::string>& metric_names() const {
    if (names_.empty())
      for (const auto& [name, value] : results_.known().entries())
        if (!name.starts_with("energy.") &&
            (name.find('.') == std::string::npos || output::find_metric_text(name)))
          names_.push_back(name);
    return names_;
  }

  void write_energy(std::size_t row, const PointValues& values, SqliteMemory::Rows& energy) const {
    struct Pair {
      std::optional<double> spent, baseline;
    };
    std::map<std::tuple<std::string, std::string, std::string>, Pair> entries;
    for (const auto& [name, ignored] : results_.known().entries()) {
      EnergyEntry entry;
      if (!read_energy_entry(name, entry)) continue;
      const double* value = values.find(name);
      if (!value) continue;
      Pair& pair = entries[{entry.level, entry.name, entry.part}];
      (entry.of_baseline ? pair.baseline : pair.spent) = *value;
    }
    for (const auto& [key, pair] : entries) {
      const auto& [level, name, part] = key;
      energy.integer(id_of(row)).text(level).text(name).text(part);
      energy.real(pair.spent).real(pair.baseline).insert();
    }
  }

  void write_figures(const std::vector<FigureData>& figures) {
    SqliteMemory::Rows rows(database_, "figures", 8);
    for (const FigureData& data : figures)
      for (const LongValue& value : data.values) {
        rows.text(data.figure->id).text(data.figure->title).text_or_null(data.figure->unit);
        rows.text(value.kernel).text(value.variant).text_or_null(value.value).text(value.metric);
        rows.real(value.number).insert();
      }
  }

  void write_published(const std::vector<FigureData>& figures, const Published& published) {
    SqliteMemory::Rows rows(database_, "published", 13);
    for (const FigureData& data : figures)
      for (std::size_t i = 0; i < data.comparisons.size(); ++i) {
        const PublishedPlace& place = data.figure->published[i];
        const Comparison& comparison = data.comparisons[i];
        const PublishedFigure& figure = published.get(place.id, place.where);
        rows.text(place.id);
        place.item < 0 ? rows.null() : rows.integer(place.item);
        rows.text(figure.paper).text(figure.where).text(figure.metric).text(figure.unit);
        rows.text(figure.text(place.item)).text(data.figure->id).text_or_null(place.kernel);
        rows.text_or_null(place.variant).text_or_null(place.value).text_or_null(place.metric);
        rows.text_or_null(!comparison.measured_text.empty() ? comparison.measured_text
                          : std::isnan(comparison.measured) ? ""
                                                            : fmt::format("{}", comparison.measured));
        rows.insert();
      }
  }

  void write_names(const output::DescribedValues& described) {
    SqliteMemory::Rows rows(database_, "names", 4);
    std::set<std::string> written;
    const auto add = [&](const std::string& name, const char* kind, const std::string& unit,
                         const std::string& doc) {
      if (written.insert(kind + (" " + name)).second)
        rows.text(name).text(kind).text_or_null(unit).text_or_null(doc).insert();
    };
    for (const TableColumn& setting : table_.settings())
      add(setting.name, "setting", setting.unit, setting.doc);
    for (const TableColumn& metric : table_.metrics()) add(metric.name, "metric", metric.unit, metric.doc);
    for (const auto& [kind, all] :
         {std::pair{"metric", metric_names()}, std::pair{"counter", counter_names()}})
      for (const std::string& name : all)
        if (const output::DescribedValue* text = described.find(name)) add(name, kind, text->unit, text->doc);
  }

  std::vector<std::string> counter_names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : results_.known().sums()) names.push_back(name);
    return names;
  }

  void write_views() {
    std::string sql = view_of("run_settings", "settings", "t.name, t.value", "setting");
    sql += view_of("run_metrics", "metrics", "t.name, t.value", "metric");
    sql += view_of("run_counters", "counters", "t.name, t.value", "counter");
    sql += view_of("run_energy", "energy", "t.level, t.name, t.part, t.nj, t.baseline_nj", nullptr);
    sql += "create view results as select kernel, variant, sweep, sweep_value";
    const auto add = [&sql](const TableColumn& column, const char* table) {
      sql += fmt::format(", (select value from {} where run = id and name = {}) as {}", table,
                         sql_text(column.name), sql_name(column.name));
    };
    for (const TableColumn& setting : table_.settings()) add(setting, "settings");
    sql += ", state";
    for (const TableColumn& metric : table_.metrics()) add(metric, "metrics");
    database_.execute(sql + " from runs;");
  }

  const ExperimentFile& file_;
  const Plan& plan_;
  const Results& results_;
  const RunTable& table_;
  SqliteMemory database_;
  mutable std::vector<std::string> names_;
};

}  // namespace

std::string database_of(const ExperimentFile& file, const Plan& plan, const Results& results,
                        const RunTable& table, const std::vector<FigureData>& figures,
                        const Published& published, const output::DescribedValues& described) {
  return DatabaseWriter(file, plan, results, table).write(figures, published, described);
}

}  // namespace heddle::experiment
