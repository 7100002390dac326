#include "testbench/experiment/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "testbench/experiment/reading.h"

namespace heddle::experiment {
namespace {

const ObjectForm kMeasuredForm("experiment", "measured", "a measured value",
                               {{"figure!", "text", "id of a figure"},
                                {"variant", "text"},
                                {"value", "text", "of the figure's sweep"},
                                {"metric", "text"}});
const ObjectForm kHeadlineForm("experiment", "headline", "a headline",
                               {{"label!", "text"},
                                {"size", "names", "sizes whose reports show this row; default: all"},
                                {"published", "text", "id in configs/published.json"},
                                {"item", "integer>=0"},
                                {"measured!", "measured[]", "one a column"}});
const ObjectForm kOpeningForm(
    "experiment", "opening", "an opening",
    {{"size!", "names",
      "the sizes whose results the conclusions quote; for another size they are not printed"},
     {"page", "text", "file in docs/reports with the conclusions, to which reports of other sizes link"},
     {"columns", "names", "names of the headlines' measured values; default: \"measured\""},
     {"headlines", "headline[]"},
     {"summary", "lines{}",
      "by size: what the paper states, what was measured, and why they differ, in 120 words"},
     {"holds", "paragraphs"},
     {"differs", "paragraphs"},
     {"decides", "paragraphs"},
     {"open", "paragraphs"}},
    {}, "the opening of the report, and its conclusions after the figures");

void check_place(const FigurePlace& place, const ExperimentFile& file, const std::string& figure_where) {
  const Figure* figure = file.find_figure(place.figure);
  if (!figure && std::any_of(file.left_out.begin(), file.left_out.end(),
                             [&](const Figure& one) { return one.id == place.figure; }))
    return;
  if (!figure) throw Error(figure_where, fmt::format("no figure \"{}\"", place.figure));
  const auto names = [](const auto& items, auto name) {
    std::vector<std::string> all;
    for (const auto& item : items) all.push_back(name(item));
    return all;
  };
  const auto check = [&](const char* key, const std::string& name, const std::vector<std::string>& known) {
    if (name.empty() ? known.size() > 1 : std::find(known.begin(), known.end(), name) == known.end())
      throw Error(place.where, fmt::format("no {} \"{}\" in figure {}", key, name, place.figure),
                  fmt::format("{}", fmt::join(known, ", ")));
  };
  if (!figure->searches)
    // A figure of a search shows the variants that the search has found. They are not checked, because the
    // search may find others for other kernels.
    check("variant", place.variant, figure->variants);
  check("metric", place.metric, names(figure->metrics, [](const Metric& m) { return m.name; }));
  const Sweep* sweep = file.find_sweep(figure->sweep);
  if (sweep && sweep->find_left_out(place.value)) return;
  check("value", place.value, sweep ? sweep->labels() : std::vector<std::string>{});
}

FigurePlace read_place(const ConfigNode& node, const ExperimentFile& file) {
  const ObjectReader in(node, kMeasuredForm);
  FigurePlace place{in.text("figure"),       in.text("variant", false),
                    in.text("value", false), in.text("metric", false),
                    std::string(),           node.where()};
  check_place(place, file, in.get("figure").where());
  return place;
}

// Placeholders of numbers in a paragraph: [[figure|variant|value|metric|kernel]] and [[published:id|item]].
// Fields at the end may be left out. Without a kernel, the placeholder means the mean over kernels.
constexpr std::string_view kNumberBegin = "[[", kNumberEnd = "]]", kPublished = "published:";

std::vector<std::string> parts_of(std::string_view text, const std::string& where, std::size_t at_most,
                                  const char* form) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '|')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() > at_most) throw Error(where, fmt::format("\"{}\" has too many parts", text), form);
  parts.resize(at_most);
  return parts;
}

FigurePlace place_in(std::string_view text, const std::string& where) {
  auto parts = parts_of(text, where, 5, "[[figure|variant|value|metric|kernel]]");
  return {parts[0], parts[1], parts[2], parts[3], parts[4], where};
}

bool is_published(std::string_view text) { return text.substr(0, kPublished.size()) == kPublished; }

PublishedPlace published_in(std::string_view text, const std::string& where) {
  const auto parts = parts_of(text.substr(kPublished.size()), where, 2, "[[published:id|item]]");
  PublishedPlace place;
  place.id = parts[0];
  place.where = where;
  if (parts[1].empty()) return place;
  const auto end = parts[1].data() + parts[1].size();
  const auto read = std::from_chars(parts[1].data(), end, place.item);
  if (read.ec != std::errc() || read.ptr != end || place.item < 0)
    throw Error(where, fmt::format("\"{}\" is no item of a published figure", parts[1]), "0, 1, ...");
  return place;
}

template <class Each>
std::string with_places(const std::string& text, const std::string& where, Each each) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t begin = 0; (begin = text.find(kNumberBegin, at)) != std::string::npos;) {
    const std::size_t end = text.find(kNumberEnd, begin);
    if (end == std::string::npos) throw Error(where, "a number's place does not end", "[[figure]]");
    const std::size_t from = begin + kNumberBegin.size();
    out += text.substr(at, begin - at) + each(std::string_view(text).substr(from, end - from));
    at = end + kNumberEnd.size();
  }
  return out + text.substr(at);
}

Headline read_headline(const ConfigNode& node, const ExperimentFile& file, std::size_t columns) {
  const ObjectReader in(node, kHeadlineForm);
  Headline line;
  line.label = in.text("label");
  if (in.has("size")) line.sizes = ObjectReader::texts_of(in.get("size"));
  line.published = in.text("published", false);
  if (const ConfigNode* item = in.find("item")) line.item = static_cast<int>(item->integer);
  const ConfigNode& measured = in.get("measured");
  for (const ConfigNode& place : ObjectReader::array(measured).items)
    line.measured.push_back(read_place(place, file));
  if (line.measured.size() != columns)
    throw Error(measured.where(), fmt::format("{} measured values", line.measured.size()),
                fmt::format("one a column: {}", columns));
  return line;
}

bool is_mean(const std::string& kernel) {
  return kernel == "mean" || kernel == "minimum" || kernel == "maximum";
}

}  // namespace

std::string rounded(double value, int digits) {
  if (std::isnan(value)) return "-";
  const std::string text = fmt::format("{:.{}f}", value, digits);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

std::string range_text(const LeaveOneOut& range, int digits) {
  return fmt::format("{} to {}", rounded(range.lowest, digits), rounded(range.highest, digits));
}

MeasuredValue measured_at(const FigurePlace& place, const std::vector<FigureData>& figures) {
  MeasuredValue found;
  const auto data = std::find_if(figures.begin(), figures.end(),
                                 [&](const FigureData& d) { return d.figure->id == place.figure; });
  if (data == figures.end()) return found;
  found.data = &*data;
  found.digits = data->figure->digits;
  const auto is = [](const std::string& wanted, const std::string& name) {
    return wanted.empty() || wanted == name;
  };
  for (const LongValue& v : data->values)
    if (is(place.variant, v.variant) && is(place.value, v.value) && is(place.metric, v.metric) &&
        (place.kernel.empty() ? is_mean(v.kernel) || data->kernels.size() == 1 : v.kernel == place.kernel)) {
      found.number = v.number;
      found.range = v.range;
    }
  return found;
}

std::string MeasuredValue::text() const { return rounded(number, digits); }

namespace {

// Replaces "[35.8](report.md#figure)" by 35.8, because a self-contained page has no reports to link to.
std::string without_links(const std::string& markdown) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t begin = 0; (begin = markdown.find('[', at)) != std::string::npos;) {
    const std::size_t middle = markdown.find("](", begin), end = markdown.find(')', middle);
    if (middle == std::string::npos || end == std::string::npos) break;
    out += markdown.substr(at, begin - at) + markdown.substr(begin + 1, middle - begin - 1);
    at = end + 1;
  }
  return out + markdown.substr(at);
}

}  // namespace

std::string with_numbers(const std::string& paragraph, const std::vector<FigureData>& figures,
                         const Published& published, NumberForm form) {
  const std::string where = "opening";
  const std::string whole = with_places(paragraph, where, [&](std::string_view text) {
    if (is_published(text)) {
      const PublishedPlace place = published_in(text, where);
      return published.get(place.id, where).text(place.item);
    }
    const FigurePlace place = place_in(text, where);
    const std::string number = measured_at(place, figures).text();
    if (number == "-") return number;
    return form == NumberForm::link ? fmt::format("[{}](#{})", number, place.figure) : number;
  });
  return form == NumberForm::link ? whole : without_links(whole);
}

FigurePlace read_figure_place(const std::string& text, const ExperimentFile& file, const std::string& where) {
  FigurePlace place = place_in(text, where);
  check_place(place, file, where);
  return place;
}

Opening read_opening(const ConfigNode& node, const ExperimentFile& file) {
  const ObjectReader in(node, kOpeningForm);
  Opening opening;
  opening.sizes = ObjectReader::texts_of(in.get("size"));
  const auto check_size = [&file](const std::string& size, const std::string& where) {
    if (std::find(file.sizes.begin(), file.sizes.end(), size) == file.sizes.end())
      throw Error(where, fmt::format("no size \"{}\"", size), fmt::format("{}", fmt::join(file.sizes, ", ")));
  };
  for (const std::string& size : opening.sizes) check_size(size, in.get("size").where());
  opening.page = in.text("page", false);
  opening.columns =
      in.has("columns") ? ObjectReader::texts_of(in.get("columns")) : std::vector<std::string>{"measured"};
  if (const ConfigNode* lines = in.find("headlines"))
    for (const ConfigNode& line : ObjectReader::array(*lines).items)
      opening.headlines.push_back(read_headline(line, file, opening.columns.size()));
  const auto check = [&](const std::string& paragraph, const std::string& where) {
    with_places(paragraph, where, [&](std::string_view text) {
      if (is_published(text))
        opening.published.push_back(published_in(text, where));
      else
        check_place(place_in(text, where), file, where);
      return std::string();
    });
  };
  if (const ConfigNode* summary = in.find("summary"))
    for (const auto& [size, lines] : summary->members) {
      check_size(size, lines.where());
      check(opening.summary[size] = ObjectReader::text_of(whole_text(lines)), lines.where());
    }
  const auto texts = [&](const char* key, std::vector<std::string>& into) {
    const ConfigNode* list = in.find(key);
    if (!list) return;
    if (!list->is_array()) into = {ObjectReader::text_of(*list)};
    for (const ConfigNode& paragraph : list->items)
      into.push_back(ObjectReader::text_of(whole_text(paragraph)));
    for (const std::string& paragraph : into) check(paragraph, list->where());
  };
  texts("holds", opening.holds);
  texts("differs", opening.differs);
  texts("decides", opening.decides);
  texts("open", opening.open);
  return opening;
}

std::vector<OpeningRow> opening_rows(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                     const Published& published) {
  std::vector<OpeningRow> rows;
  for (const Headline& line : file.opening.headlines) {
    if (!line.sizes.empty() && std::find(line.sizes.begin(), line.sizes.end(), file.size) == line.sizes.end())
      continue;
    OpeningRow row{line.label, "", {}};
    if (!line.published.empty()) {
      const PublishedFigure& figure = published.get(line.published, file.path);
      row.published = figure.with_unit(line.item);
    }
    for (const FigurePlace& place : line.measured) {
      const MeasuredValue value = measured_at(place, figures);
      row.measured.push_back(
          {value.text(), value.range ? range_text(*value.range, value.digits) : "", place.figure});
    }
    if (std::any_of(row.measured.begin(), row.measured.end(),
                    [](const OpeningRow::Measured& measured) { return measured.text != "-"; }))
      rows.push_back(std::move(row));
  }
  return rows;
}

namespace {

bool has_all_numbers(const std::string& paragraph, const std::vector<FigureData>& figures) {
  bool has_all = true;
  with_places(paragraph, "opening", [&](std::string_view text) {
    has_all =
        has_all && (is_published(text) || measured_at(place_in(text, "opening"), figures).text() != "-");
    return std::string();
  });
  return has_all;
}

// Returns the summary for the chosen size of the experiment, or an empty text if there is none, if a number
// is missing, or if the command line selected the runs.
std::string complete_summary(const ExperimentFile& file, const std::vector<FigureData>& figures) {
  const auto found = file.opening.summary.find(file.size);
  if (file.is_selection() || found == file.opening.summary.end()) return {};
  return has_all_numbers(found->second, figures) ? found->second : std::string();
}

std::string place_of_conclusions(const ExperimentFile& file, NumberForm form) {
  const std::string& page = file.opening.page;
  const std::string sizes = fmt::format("{}", fmt::join(file.opening.sizes, " and "));
  if (page.empty()) return fmt::format("The conclusions of this experiment are about size {}.", sizes);
  const std::string shown = fmt::format("docs/reports/{}", page);
  return fmt::format("Conclusions (size {}): {}.", sizes,
                     form == NumberForm::link ? fmt::format("[{}]({}#conclusions)", shown, page) : shown);
}

std::string shown_size(const ExperimentFile& file) {
  if (file.is_selection())
    return "The command line selects or adds runs, so this report has no conclusions of its own.";
  return fmt::format("This report shows {} of size {}, whose kernels are listed below.",
                     file.has_opening() ? "some figures" : "figures", file.size);
}

}  // namespace

std::vector<ConclusionList> conclusions(const ExperimentFile& file, const std::vector<FigureData>& figures) {
  const Opening& opening = file.opening;
  if (!file.has_opening()) return {};
  if (opening.summary.contains(file.size) && complete_summary(file, figures).empty()) return {};
  using Kind = ConclusionList::Kind;
  std::vector<ConclusionList> lists{{Kind::holds, "What holds", opening.holds},
                                    {Kind::differs, "What does not", opening.differs},
                                    {Kind::decides, "What the results depend on", opening.decides},
                                    {Kind::open, "What is open", opening.open}};
  for (ConclusionList& list : lists)
    std::erase_if(list.claims, [&](const std::string& text) { return !has_all_numbers(text, figures); });
  std::erase_if(lists, [](const ConclusionList& list) { return list.claims.empty(); });
  return lists;
}

std::vector<std::string> summary_texts(const ExperimentFile& file, const std::vector<FigureData>& figures,
                                       const Published& published, NumberForm form) {
  const std::string summary = complete_summary(file, figures);
  std::vector<std::string> texts;
  if (!summary.empty()) texts.push_back(with_numbers(summary, figures, published, form));
  if (!conclusions(file, figures).empty())
    texts.emplace_back(form == NumberForm::link ? "[Conclusions](#conclusions)"
                                                : "Conclusions: after the figures.");
  else if (summary.empty())
    texts.push_back(shown_size(file) + " " + place_of_conclusions(file, form));
  else if (!file.has_opening())
    texts.push_back(place_of_conclusions(file, form));
  return texts;
}

std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published) {
  const Opening& opening = file.opening;
  if (opening.empty()) return {};
  std::string out = "## In short\n\n";
  const std::vector<OpeningRow> rows = opening_rows(file, figures, published);
  if (!rows.empty()) {
    const bool has_range = std::any_of(rows.begin(), rows.end(), [](const OpeningRow& row) {
      return std::any_of(row.measured.begin(), row.measured.end(),
                         [](const OpeningRow::Measured& measured) { return !measured.range.empty(); });
    });
    const char* corner = has_range ? "in parentheses: range if one kernel is left out " : "";
    out += fmt::format("| {}| published | {} |\n| --- | ---: |", corner, fmt::join(opening.columns, " | "));
    for (std::size_t c = 0; c < opening.columns.size(); ++c) out += " ---: |";
    out += "\n";
  }
  for (const OpeningRow& row : rows) {
    out += fmt::format("| {} | {} |", row.label, row.published);
    for (const OpeningRow::Measured& measured : row.measured)
      out += measured.text == "-"
                 ? " - |"
                 : fmt::format(" [{}](#{}){} |", measured.text, measured.figure,
                               measured.range.empty() ? "" : fmt::format(" ({})", measured.range));
    out += "\n";
  }
  if (!rows.empty()) out += "\n";
  for (const std::string& text : summary_texts(file, figures, published, NumberForm::link))
    out += text + "\n\n";
  return out;
}

std::string conclusions_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                             const Published& published) {
  std::string out;
  for (const ConclusionList& list : conclusions(file, figures)) {
    if (out.empty()) out = "<a id=\"conclusions\"></a>\n\n## Conclusions\n\n";
    out += fmt::format("**{}**\n\n", list.title);
    for (const std::string& text : list.claims)
      out += fmt::format("* {}\n", with_numbers(text, figures, published, NumberForm::link));
    out += "\n";
  }
  return out;
}

}  // namespace heddle::experiment
