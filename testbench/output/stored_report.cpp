#include "testbench/output/stored_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include "models/core/error.h"
#include "models/ptx/kernel_name.h"
#include "testbench/output/chart.h"
#include "testbench/output/csv_table.h"
#include "testbench/output/markdown.h"
#include "testbench/output/metric_texts.h"
#include "testbench/output/stored_table.h"

namespace heddle::output {
namespace {

namespace fs = std::filesystem;
using Part = StoredReport::Part;

constexpr std::size_t kMostPoints = 480;
constexpr std::size_t kMostRows = 20000;  // largest number of table rows that a browser sorts without delay
constexpr std::string_view kKernel = "kernel";
constexpr const char* kReportAllowed = "a result.json of heddle run, or a program.json of heddle exec";

std::int64_t count_in(const ConfigNode& object, const char* key) {
  const ConfigNode* count = object.find(key);
  return count ? count->integer : 0;
}

class Builder {
 public:
  Builder(const ConfigNode& result, std::string folder, std::string where, std::string why)
      : result_(result), folder_(std::move(folder)), where_(std::move(where)), why_(std::move(why)) {}

  StoredReport run() {
    const std::string description = text_at(result_, {"configuration", "description"});
    made_.title =
        !description.empty() ? description : "Heddle: " + text_at(result_, {"configuration", "launch"});
    add_run_verdict();
    add_why();
    add_machine(text_at(result_, {"configuration", "gpu", "name"}));
    add_launches();
    const ConfigNode& total = member(result_, "total");
    add_metrics(total);
    add_energy(total);
    add_intervals();
    add_profile();
    return std::move(made_);
  }

  StoredReport program() {
    std::vector<std::string> words;
    for (const ConfigNode& word : member(result_, "command").items) words.push_back(word.text);
    made_.title = fmt::format("{}", fmt::join(words, " "));
    const ConfigNode& total = member(result_, "total");
    add_program_verdict(total);
    add_why();
    add_machine(text_at(result_, {"gpu"}));
    add_rows("Kernels", member(result_, "kernels"),
             {"kernel", "launches", "timed", "failed", "not_run", "checked", "different", "findings",
              "instructions", "cycles", "time_us", "energy_pj"});
    add_energy(total);
    add_rows(
        "Launches", member(result_, "launches"),
        {"launch", "kernel", "grid", "block", "instructions", "cycles", "time_us", "energy_pj", "check"});
    return std::move(made_);
  }

 private:
  const ConfigNode& member(const ConfigNode& object, const char* key) const {
    const ConfigNode* found = object.find(key);
    if (!found) throw Error(where_, fmt::format("no \"{}\"", key), kReportAllowed);
    return *found;
  }

  static std::string text_at(const ConfigNode& root, const std::vector<std::string>& keys) {
    const ConfigNode* node = &root;
    for (const std::string& key : keys) {
      node = node->find(key);
      if (!node) return {};
    }
    return node->is_string() ? node->text : "";
  }

  void add(Part::Kind kind, std::string text) { made_.parts.push_back({kind, std::move(text), {}, {}}); }
  void add_table(std::string heading, HtmlTable table) {
    add(Part::Kind::heading, std::move(heading));
    made_.parts.push_back({Part::Kind::table, {}, std::move(table), {}});
  }
  void add_chart(Chart chart, std::string caption) {
    made_.parts.push_back({Part::Kind::chart, std::move(caption), {}, std::move(chart)});
  }

  static HtmlCell cell_of(const ConfigNode* node) {
    if (!node || node->kind == ConfigNode::Kind::null) return HtmlCell::of(std::string("-"));
    if (node->is_number())
      return node->is_integer ? HtmlCell::count(static_cast<std::uint64_t>(node->integer))
                              : HtmlCell::of(node->number);
    if (node->is_string()) return HtmlCell::of(node->text);
    if (node->kind == ConfigNode::Kind::boolean)
      return HtmlCell::of(std::string(node->boolean ? "yes" : "no"));
    std::vector<std::string> extents;
    for (const ConfigNode& item : node->items) extents.push_back(std::to_string(item.integer));
    return HtmlCell::of(fmt::format("{}", fmt::join(extents, " x ")));
  }

  void add_run_verdict() {
    const ConfigNode& check = member(result_, "check");
    const ConfigNode* interrupted = result_.find("interrupted");
    add_findings(check);
    if (interrupted && interrupted->boolean)
      add(Part::Kind::open, "Ended early: the results are partial.");
    else if (!member(check, "checked").boolean)
      add(Part::Kind::open, "Not checked against the untimed reference: " + text_at(check, {"reason"}));
    else if (member(check, "equal").boolean)
      add(Part::Kind::good, "Every output equals that of the untimed reference.");
    else
      add(Part::Kind::bad, "Outputs differ from the untimed reference: " + differing(check));
    if (const ConfigNode* warnings = result_.find("warnings"))
      for (const ConfigNode& warning : warnings->items) add(Part::Kind::open, "Warning: " + warning.text);
  }

  void add_findings(const ConfigNode& counts) {
    if (const std::int64_t findings = count_in(counts, "findings"))
      add(Part::Kind::bad, fmt::format("Checks: {} finding{}.", findings, findings == 1 ? "" : "s"));
  }

  std::string differing(const ConfigNode& check) const {
    std::vector<std::string> names;
    for (const ConfigNode& output : member(check, "outputs").items)
      if (!member(output, "equal").boolean) names.push_back(member(output, "buffer").text);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_program_verdict(const ConfigNode& total) {
    const std::int64_t different = member(total, "different").integer,
                       checked = member(total, "checked").integer;
    if (const std::string failures = failures_of(result_); !failures.empty())
      add(Part::Kind::bad, failures + ".");
    add_findings(total);
    if (different)
      add(Part::Kind::bad,
          fmt::format("{} of {} launches that were compared differ from the untimed reference.", different,
                      checked));
    else if (checked)
      add(Part::Kind::good,
          fmt::format("{} launches were compared, and equal the untimed reference.", checked));
    else
      add(Part::Kind::open, "No launch was compared with the untimed reference.");
  }

  void add_why() {
    if (why_.empty()) return;
    add(Part::Kind::heading, kWhyHeading);
    std::istringstream lines(why_);
    for (std::string line; std::getline(lines, line);) add(Part::Kind::paragraph, line);
  }

  // Returns the table cell for a member of an object. Names of kernels are shown without C++ mangling.
  static HtmlCell cell_of(const ConfigNode& object, const char* key) {
    const ConfigNode* node = object.find(key);
    return node && node->is_string() && std::string_view(key) == kKernel
               ? HtmlCell::of(ptx::plain_name(node->text))
               : cell_of(node);
  }

  void add_machine(const std::string& gpu) {
    std::vector<std::string> techniques;
    if (const ConfigNode* names = result_.find("techniques"))
      for (const ConfigNode& name : names->items) techniques.push_back(name.text);
    add(Part::Kind::paragraph,
        fmt::format("{}{}{}; Heddle {}.", gpu.empty() ? "Untimed" : gpu, techniques.empty() ? "" : " with ",
                    fmt::join(techniques, ", "), text_at(result_, {"heddle"})));
  }

  void add_launches() {
    HtmlTable table;
    const std::vector<const char*> keys = {"index",     "kernel",       "grid",        "block",
                                           "registers", "shared_bytes", "ctas_per_sm", "cycles"};
    table.headings = {"launch",       "kernel",     "grid",   "block", "registers",
                      "shared bytes", "CTAs an SM", "cycles", "IPC"};
    for (const ConfigNode& launch : member(result_, "launches").items) {
      if (table.rows.size() == kMostRows) break;
      std::vector<HtmlCell>& row = table.rows.emplace_back();
      for (const char* key : keys) row.push_back(cell_of(launch, key));
      const ConfigNode* metrics = launch.find("metrics");
      row.push_back(cell_of(metrics ? metrics->find("ipc") : nullptr));
    }
    add_table("Launches", std::move(table));
  }

  void add_metrics(const ConfigNode& total) {
    HtmlTable table;
    table.headings = {"metric", "value", "unit", "what it is"};
    table.filter = "filter metrics";
    const auto add_row = [&table](const std::string& name, HtmlCell value) {
      const MetricText* const text = find_metric_text(name);
      table.rows.push_back({HtmlCell::named(name), std::move(value),
                            HtmlCell::of(text ? text->unit : std::string()),
                            HtmlCell::of(text ? text->doc : std::string())});
    };
    add_row("cycles", cell_of(&member(total, "cycles")));
    for (const auto& [name, value] : member(total, "metrics").members) {
      if (name.starts_with("energy_nj.") || name.find("_saved") != std::string::npos) continue;
      add_row(name, HtmlCell::of(value.number, 4));
    }
    add_table("Metrics", std::move(table));
  }

  void add_energy(const ConfigNode& total) {
    const ConfigNode* energy = total.find("energy");
    if (!energy) return;
    BarChart bars;
    bars.y = "energy, nJ";
    bars.series = {"dynamic", "leakage", "overhead"};
    bars.stacked = true;
    bars.level = "baseline";
    bars.values.resize(bars.series.size());
    HtmlTable table;
    table.headings = {"structure", "dynamic nJ", "leakage nJ", "overhead nJ", "sum nJ", "baseline nJ"};
    const auto row = [&](const std::string& name, const ConfigNode& parts) {
      std::vector<HtmlCell>& cells = table.rows.emplace_back();
      cells.push_back(HtmlCell::of(name));
      for (const char* key : {"dynamic_nj", "leakage_nj", "overhead_nj", "total_nj"})
        cells.push_back(HtmlCell::of(member(parts, key).number));
      cells.push_back(HtmlCell::of(member(member(parts, "baseline"), "total_nj").number));
    };
    for (const auto& [name, parts] : member(*energy, "structures").members) {
      row(name, parts);
      bars.categories.push_back(name);
      bars.levels.push_back(member(member(parts, "baseline"), "total_nj").number);
      std::size_t series = 0;
      for (const char* key : {"dynamic_nj", "leakage_nj", "overhead_nj"})
        bars.values[series++].emplace_back(member(parts, key).number);
    }
    row("total", member(*energy, "total"));
    add_table("Energy", std::move(table));
    add_chart(bar_chart(bars),
              "Energy by structure. The baseline is what the plain machine would pay for the same accesses "
              "and cycles.");
  }

  std::optional<CsvTable> table_beside(const char* name) const {
    const std::optional<std::string> text = stored_table(result_, folder_, name);
    if (!text) return std::nullopt;
    return read_csv(*text, (fs::path(folder_) / name).string());
  }

  void add_intervals() {
    const std::optional<CsvTable> table = table_beside("intervals.csv");
    if (!table || table->rows.empty()) return;
    const std::size_t step = (table->rows.size() + kMostPoints - 1) / kMostPoints;
    const std::size_t begin = table->column("begin_cycle");
    const auto series = [&](const std::string& name, const char* column) {
      ChartSeries one{name, {}};
      for (std::size_t i = 0; i < table->rows.size(); i += step)
        one.points.emplace_back(table->number(i, begin), table->number(i, table->column(column)));
      return one;
    };
    add(Part::Kind::heading, "Over time");
    add_chart(step_chart({"cycle", "warp-instructions a cycle", true}, {series("IPC", "ipc")}), "");
    add_chart(step_chart({"cycle", "warps, all SMs", true},
                         {series("resident", "resident_warps"), series("active", "active_warps")}),
              "");
    if (table->column("power_mw") < table->headings.size())
      add_chart(step_chart({"cycle", "power, mW", true}, {series("power", "power_mw")}), "");
    add(Part::Kind::paragraph, fmt::format("{} intervals (intervals.csv).", table->rows.size()));
  }

  void add_profile() {
    const std::optional<CsvTable> table = table_beside("profile.csv");
    if (!table) return;
    HtmlTable shown;
    shown.code = true;
    shown.filter = "filter instructions";
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < table->headings.size(); ++i) {
      const std::string& heading = table->headings[i];
      const bool kept = heading == "kernel" || heading == "ptx_line" || heading == "instruction" ||
                        heading == "issues" || heading.starts_with("wait_");
      if (!kept) continue;
      columns.push_back(i);
      shown.headings.push_back(heading);
    }
    const std::size_t first_number = table->column("issues");
    for (std::size_t row = 0; row < std::min(table->rows.size(), kMostRows); ++row) {
      std::vector<HtmlCell>& cells = shown.rows.emplace_back();
      for (const std::size_t i : columns)
        cells.push_back(table->headings[i] == kKernel ? HtmlCell::of(ptx::plain_name(table->rows[row][i]))
                        : i < first_number
                            ? HtmlCell::of(table->rows[row][i])
                            : HtmlCell::count(static_cast<std::uint64_t>(table->number(row, i))));
    }
    add_table("Profile", std::move(shown));
    add(Part::Kind::paragraph,
        "Waits are warp-cycles in which an instruction was a warp's next and did not issue, by what it "
        "waited for.");
  }

  void add_rows(const char* heading, const ConfigNode& list, const std::vector<const char*>& keys) {
    HtmlTable table;
    std::vector<const char*> present;
    for (const char* key : keys)
      if (std::any_of(list.items.begin(), list.items.end(),
                      [key](const ConfigNode& i) { return i.find(key); }))
        present.push_back(key);
    table.headings.assign(present.begin(), present.end());
    table.filter = "filter";
    for (const ConfigNode& item : list.items) {
      if (table.rows.size() == kMostRows) break;
      std::vector<HtmlCell>& row = table.rows.emplace_back();
      for (const char* key : present) row.push_back(cell_of(item, key));
    }
    add_table(heading, std::move(table));
  }

  const ConfigNode& result_;
  std::string folder_, where_, why_;
  StoredReport made_;
};

// Escapes bars and line ends, so that the text stays in one cell of a Markdown table.
std::string cell_text(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '\\') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string markdown_table(const HtmlTable& table) {
  std::string text = "|", line = "|";
  for (std::size_t i = 0; i < table.headings.size(); ++i) {
    text += " " + cell_text(table.headings[i]) + " |";
    line += !table.rows.empty() && table.rows[0][i].number ? " ---: |" : " --- |";
  }
  text += "\n" + line + "\n";
  for (const std::vector<HtmlCell>& row : table.rows) {
    text += "|";
    for (const HtmlCell& cell : row) text += " " + cell_text(cell.text) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string failures_of(const ConfigNode& result) {
  const ConfigNode* total = result.find("total");
  const std::int64_t failed = total ? count_in(*total, "failed") : 0,
                     not_run = total ? count_in(*total, "not_run") : 0;
  if (failed + not_run == 0) return {};
  return fmt::format("{} of {} launches failed, and {} not run after them", failed,
                     count_in(*total, "launches"), not_run == 1 ? "1 was" : fmt::format("{} were", not_run));
}

StoredReport stored_report(const ConfigNode& result, const std::string& folder, const std::string& where,
                           const std::string& why) {
  Builder builder(result, folder, where, why);
  if (result.is_object() && result.find("command")) return builder.program();
  if (result.is_object() && result.find("configuration")) return builder.run();
  throw Error(where, "this is no result", kReportAllowed);
}

std::string html_text_of(const StoredReport& report) {
  using Verdict = HtmlPage::Verdict;
  HtmlPage page(report.title);
  for (const Part& part : report.parts) switch (part.kind) {
      case Part::Kind::heading:
        page.heading(part.text);
        break;
      case Part::Kind::paragraph:
        page.paragraph(part.text);
        break;
      case Part::Kind::good:
        page.verdict(Verdict::good, part.text);
        break;
      case Part::Kind::bad:
        page.verdict(Verdict::bad, part.text);
        break;
      case Part::Kind::open:
        page.verdict(Verdict::open, part.text);
        break;
      case Part::Kind::table:
        page.table(part.table);
        break;
      case Part::Kind::chart:
        page.chart(part.chart, part.text);
        break;
    }
  return page.text();
}

std::string markdown_text_of(const StoredReport& report) {
  std::string text = "# " + report.title + "\n";
  for (const Part& part : report.parts) {
    if (part.kind == Part::Kind::chart) continue;
    text += "\n";
    if (part.kind == Part::Kind::heading)
      text += "## " + part.text + "\n";
    else if (part.kind == Part::Kind::table)
      text += markdown_table(part.table);
    else
      text += (part.kind == Part::Kind::paragraph ? "" : "**") + part.text +
              (part.kind == Part::Kind::paragraph ? "" : "**") + "\n";
  }
  return harmless_markdown(text);
}

}  // namespace heddle::output
