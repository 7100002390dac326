#include "testbench/synthesis/liberty.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <regex>

#include "models/core/error.h"
#include "testbench/synthesis/tool.h"

namespace heddle::synthesis {
namespace {

// Regular expressions. They are compiled at first use, so that a program without a cell library spends no
// time on them.
struct Patterns {
  std::regex cell{R"re(\bcell\s*\(\s*"?(\w+)"?\s*\))re"};
  std::regex area{R"(\barea\s*:\s*([0-9.eE+-]+)\s*;)"};
  std::regex state{R"(\b(ff|latch)\s*\()"};
  std::regex macro{R"(\bMACRO\s+(\w+)\s)"};
  std::regex size{R"(\bSIZE\s+([0-9.]+)\s+BY\s+([0-9.]+))"};
};
const Patterns& patterns() {
  static const Patterns made;
  return made;
}

/// Splits `text` into parts, each of which begins with a match of `key`. The first group of `key` is the
/// part's name.
std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> parts_of(const std::string& text,
                                                                                  const std::regex& key) {
  std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> parts;
  for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it) {
    const auto at = static_cast<std::size_t>(it->position());
    if (!parts.empty()) parts.back().second.second = at;
    parts.push_back({(*it)[1], {at, text.size()}});
  }
  return parts;
}

}  // namespace

Liberty::Liberty(const std::string& file) : file_(file), text_(read_text(file)) {
  read_cells();
  if (cells_.empty()) throw Error(file, "holds no cell", "a library in the Liberty format");
  const std::filesystem::path lef = std::filesystem::path(file).replace_extension(".lef");
  if (std::filesystem::exists(lef)) correct(lef);
}

void Liberty::read_cells() {
  for (const auto& [name, range] : parts_of(text_, patterns().cell)) {
    const std::string body = text_.substr(range.first, range.second - range.first);
    std::smatch area;
    if (!std::regex_search(body, area, patterns().area)) continue;
    cells_[name] = {std::stod(area[1]), std::regex_search(body, patterns().state)};
  }
}

void Liberty::correct(const std::string& lef) {
  const std::string outlines = read_text(lef);
  std::map<std::string, double> areas;
  for (const auto& [name, range] : parts_of(outlines, patterns().macro)) {
    const std::string body = outlines.substr(range.first, range.second - range.first);
    std::smatch size;
    if (std::regex_search(body, size, patterns().size)) areas[name] = std::stod(size[1]) * std::stod(size[2]);
  }
  const auto parts = parts_of(text_, patterns().cell);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const auto outline = areas.find(part->first);
    const auto cell = cells_.find(part->first);
    if (outline == areas.end() || cell == cells_.end() ||
        std::abs(outline->second - cell->second.area_um2) < 0.01)
      continue;
    corrections_.insert(corrections_.begin(), {part->first, cell->second.area_um2, outline->second});
    std::smatch area;
    const std::string body = text_.substr(part->second.first, part->second.second - part->second.first);
    std::regex_search(body, area, patterns().area);
    text_.replace(part->second.first + static_cast<std::size_t>(area.position(1)),
                  static_cast<std::size_t>(area.length(1)), fmt::format("{}", outline->second));
    cell->second.area_um2 = outline->second;
  }
}

void Liberty::write(const std::string& file) const { write_text(file, text_); }

}  // namespace heddle::synthesis
