#include "power/lookup_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "power/object_view.h"

namespace heddle::power {

namespace {

// Factor by which a coordinate may lie outside the points of an axis before a warning reports it.
constexpr double kFar = 1.5;

const ObjectForm kAxisForm("technology", "axis", "an axis", {{"name!", "text"}, {"at!", "number[2-]"}});
const ObjectForm kTableForm("technology", "table", "a table",
                            {{"axes!", "axis[1-]"},
                             {"values!", "any[]", "a list of lists, as deep as there are axes"},
                             {"outside", "'error'|'clamp'|'extrapolate'", "default: error"},
                             {"doc", "string"},
                             {"source", "text"},
                             {"assumed", "text"}},
                            {{"source"}, {"assumed"}});

}  // namespace

LookupTable::LookupTable(const ConfigNode& node) {
  const ObjectView object(node, kTableForm);
  object.require_origin();
  outside_ = object.text("outside", "error");
  if (outside_ != "error" && outside_ != "clamp" && outside_ != "extrapolate")
    throw unknown_name(object.get("outside").where(), "value", outside_, {"error", "clamp", "extrapolate"});
  const ConfigNode& axes = object.get("axes");
  if (!axes.is_array() || axes.items.empty())
    throw Error(axes.where(), "not a list of axes", "[{\"name\": \"entries\", \"at\": [4, 6, 8]}]");
  for (const ConfigNode& item : axes.items) {
    const ObjectView axis(item, kAxisForm);
    Axis& read = axes_.emplace_back(Axis{axis.text("name"), {}});
    const ConfigNode& at = axis.get("at");
    if (!at.is_array() || at.items.size() < 2) throw Error(at.where(), "not a list of at least two points");
    for (const ConfigNode& point : at.items) {
      if (!point.is_number()) throw Error(point.where(), "not a number");
      if (!read.points.empty() && point.number <= read.points.back())
        throw Error(point.where(), "the points of an axis have to rise");
      read.points.push_back(point.number);
    }
  }
  read_values(object.get("values"), 0);
}

void LookupTable::read_values(const ConfigNode& node, std::size_t axis) {
  if (axis == axes_.size()) {
    if (!node.is_number()) throw Error(node.where(), "not a number");
    values_.push_back(node.number);
    return;
  }
  if (!node.is_array() || node.items.size() != axes_[axis].points.size())
    throw Error(node.where(),
                fmt::format("not one value for each point of the axis \"{}\"", axes_[axis].name),
                fmt::format("a list of {}", axes_[axis].points.size()));
  for (const ConfigNode& item : node.items) read_values(item, axis + 1);
}

double LookupTable::value(const std::vector<double>& at, const std::string& where) const {
  std::vector<double> inside = at;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::vector<double>& points = axes_[i].points;
    if (at[i] >= points.front() && at[i] <= points.back()) continue;
    if (outside_ == "error")
      throw Error(where, fmt::format("{} = {} lies outside of the table", axes_[i].name, at[i]),
                  fmt::format("{} to {}", points.front(), points.back()));
    if (outside_ == "clamp") inside[i] = std::clamp(at[i], points.front(), points.back());
  }
  return value_below(inside, 0, 0);
}

std::string LookupTable::far_outside(const std::vector<double>& at) const {
  std::string far;
  if (outside_ == "error") return far;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const double first = axes_[i].points.front(), last = axes_[i].points.back();
    if (at[i] >= first / kFar && at[i] <= last * kFar) continue;
    far += fmt::format("{}{} = {} ({} to {})", far.empty() ? "" : ", ", axes_[i].name, at[i], first, last);
  }
  return far;
}

// Interpolates over the axes from number `axis` on. `offset`: index of the first value for the coordinates
// chosen on earlier axes.
double LookupTable::value_below(const std::vector<double>& at, std::size_t axis, std::size_t offset) const {
  if (axis == axes_.size()) return values_[offset];
  const std::vector<double>& points = axes_[axis].points;
  std::size_t stride = 1;
  for (std::size_t i = axis + 1; i < axes_.size(); ++i) stride *= axes_[i].points.size();
  const auto above = std::upper_bound(points.begin() + 1, points.end() - 1, at[axis]);
  const auto high = static_cast<std::size_t>(above - points.begin());
  const double share = (at[axis] - points[high - 1]) / (points[high] - points[high - 1]);
  const double low_value = value_below(at, axis + 1, offset + (high - 1) * stride);
  if (share == 0) return low_value;
  return low_value + share * (value_below(at, axis + 1, offset + high * stride) - low_value);
}

}  // namespace heddle::power
