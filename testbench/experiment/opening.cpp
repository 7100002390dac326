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
                                {"published", "text", "id in configs/published.json"},
                                {"item", "integer>=0"},
                                {"measured!", "measured[]", "one a column"}});
const ObjectForm kOpeningForm(
    "experiment", "opening", "an opening",
    {{"size!", "names",
      "the sizes whose results the paragraphs quote; for another size they are not printed"},
     {"columns", "names", "names of the headlines' measured values; default: \"measured\""},
     {"headlines", "headline[]"},
     {"holds", "paragraphs"},
     {"differs", "paragraphs"},
     {"decides", "paragraphs"},
     {"open", "paragraphs"}},
    {}, "the opening of the report: its results, before the figures");

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
    // Variants of a search are not checked, because the search may find other variants for other kernels.
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

std::string paragraphs(const char* title, const std::vector<std::string>& texts,
                       const std::vector<FigureData>& figures, const Published& published) {
  if (texts.empty()) return {};
  std::string out = fmt::format("**{}**\n\n", title);
  for (const std::string& text : texts)
    out += fmt::format("* {}\n", with_numbers(text, figures, published, NumberForm::link));
  return out + "\n";
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
  for (const std::string& size : opening.sizes)
    if (std::find(file.sizes.begin(), file.sizes.end(), size) == file.sizes.end())
      throw Error(in.get("size").where(), fmt::format("no size \"{}\"", size),
                  fmt::format("{}", fmt::join(file.sizes, ", ")));
  opening.columns =
      in.has("columns") ? ObjectReader::texts_of(in.get("columns")) : std::vector<std::string>{"measured"};
  if (const ConfigNode* lines = in.find("headlines"))
    for (const ConfigNode& line : ObjectReader::array(*lines).items)
      opening.headlines.push_back(read_headline(line, file, opening.columns.size()));
  const auto texts = [&](const char* key, std::vector<std::string>& into) {
    const ConfigNode* list = in.find(key);
    if (!list) return;
    if (!list->is_array()) into = {ObjectReader::text_of(*list)};
    for (const ConfigNode& paragraph : list->items)
      into.push_back(ObjectReader::text_of(whole_text(paragraph)));
    for (const std::string& paragraph : into)
      with_places(paragraph, list->where(), [&](std::string_view text) {
        if (is_published(text))
          opening.published.push_back(published_in(text, list->where()));
        else
          check_place(place_in(text, list->where()), file, list->where());
        return std::string();
      });
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
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string opening_is_of(const ExperimentFile& file) {
  if (file.is_selection())
    return "The conclusions of this experiment are about all its runs. These are some of them, and others "
           "that "
           "the command line adds.";
  return fmt::format(
      "What this experiment came to was written from size {}. These are the runs of size {}, of which it "
      "does not speak.",
      fmt::join(file.opening.sizes, " and "), file.size);
}

std::string opening_text(const ExperimentFile& file, const std::vector<FigureData>& figures,
                         const Published& published) {
  const Opening& opening = file.opening;
  if (opening.empty()) return {};
  std::string out = "## In short\n\n";
  if (!opening.headlines.empty()) {
    out += fmt::format("| | published | {} |\n| --- | ---: |", fmt::join(opening.columns, " | "));
    for (std::size_t c = 0; c < opening.columns.size(); ++c) out += " ---: |";
    out += "\n";
    for (const OpeningRow& row : opening_rows(file, figures, published)) {
      out += fmt::format("| {} | {} |", row.label, row.published);
      for (const OpeningRow::Measured& measured : row.measured)
        out += measured.text == "-"
                   ? " - |"
                   : fmt::format(" [{}](#{}){} |", measured.text, measured.figure,
                                 measured.range.empty() ? "" : fmt::format(" ({})", measured.range));
      out += "\n";
    }
    out += "\n";
  }
  if (!file.has_opening()) return out + opening_is_of(file) + "\n\n";
  out += paragraphs("What holds", opening.holds, figures, published) +
         paragraphs("What does not", opening.differs, figures, published);
  out += paragraphs("What decides it", opening.decides, figures, published) +
         paragraphs("What is open", opening.open, figures, published);
  return out;
}

}  // namespace heddle::experiment
