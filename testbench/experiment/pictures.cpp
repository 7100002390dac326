#include "testbench/experiment/pictures.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <map>

#include "testbench/experiment/figure_chart.h"
#include "testbench/experiment/opening.h"
#include "testbench/launch/command.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/html_page.h"

namespace heddle::experiment {
namespace {

constexpr const char* kNode = "node";
constexpr int kWidth = 860;  // width of pictures in pixels
constexpr std::size_t kPicturesOfPage = 3;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

}  // namespace

bool can_draw() { return launch::is_on_path(kNode); }

bool draw_pictures(const std::vector<FigureData>& figures, const Published& published,
                   const std::string& folder, std::string& error) {
  std::string pictures;
  for (const FigureData& data : figures) {
    const std::optional<output::Chart> chart = figure_chart(data, published);
    if (!chart) continue;
    pictures += (pictures.empty() ? "" : ",\n") + std::string("{\"file\": ") +
                boost::json::serialize(boost::json::value(data.figure->id + ".svg")) +
                ", \"width\": " + std::to_string(kWidth) + ", \"spec\": " + chart->json + "}";
  }
  if (pictures.empty()) return true;
  // The script's name contains the process number, because other processes may write to this folder at the
  // same time.
  const std::string name = "draw-" + std::to_string(getpid()) + ".js", script = folder + "/" + name;
  launch::write_text(script, output::picture_script(output::chart_colours(), "[" + pictures + "]"));
  const launch::CommandOutcome outcome = launch::run_command({kNode, "./" + name}, folder);
  error = outcome.text;
  std::error_code ignored;
  std::filesystem::remove(script, ignored);
  return outcome.ok();
}

std::set<std::string> charted(const std::vector<FigureData>& figures, const Published& published) {
  std::set<std::string> ids;
  for (const FigureData& data : figures)
    if (figure_chart(data, published)) ids.insert(data.figure->id);
  return ids;
}

std::set<std::string> argued_from(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                  const Published& published) {
  const std::string claims = conclusions_text(file, figures, published);
  std::map<std::string, int> rows;
  for (const OpeningRow& row : opening_rows(file, figures, published))
    for (const OpeningRow::Measured& measured : row.measured)
      if (measured.text != "-") ++rows[measured.figure];
  std::vector<std::pair<int, std::string>> charts;
  for (const FigureData& data : figures)
    if (figure_chart(data, published))
      charts.emplace_back(rows[data.figure->id] + count_of(claims, "(#" + data.figure->id + ")"),
                          data.figure->id);
  std::stable_sort(charts.begin(), charts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::set<std::string> ids;
  for (const auto& [links, id] : charts)
    if (ids.empty() || (links > 0 && ids.size() < kPicturesOfPage)) ids.insert(id);
  return ids;
}

}  // namespace heddle::experiment
