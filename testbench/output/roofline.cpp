#include "testbench/output/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/core/lanes.h"
#include "models/ptx/kernel_name.h"
#include "testbench/output/chart.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/html_page.h"
#include "testbench/run/tree_path.h"

namespace heddle::output {
namespace {

constexpr double kSegmentBytes = 128;  ///< bytes of a segment; the L1 serves one segment per cycle

double number_at(const ConfigNode& root, const std::string& path) {
  return run::number_of(run::find_path(root, path)).value_or(0);
}

// A memory with a bandwidth limit, and the counters from which the bytes that it transferred are computed.
struct Memory {
  std::string name;
  double bytes_per_cycle = 0;
  std::vector<std::string> counters;
  double bytes_each = 1;  ///< bytes for each event of these counters
};

struct Units {
  std::string name, counter;
  double rate = 0;
};

struct Machine {
  std::vector<Units> units;
  std::vector<Memory> memories;
};

Machine machine_of(const ConfigNode& configuration) {
  const auto value = [&](const std::string& path) { return number_at(configuration, path); };
  const double sms = value("gpu.sms"), partitions = sms * value("gpu.sm.partitions");
  const double issued = partitions * value("gpu.sm.schedulers_per_partition") * value("gpu.sm.issue_width");
  const double clusters = partitions * value("gpu.sm.units.clusters");
  const auto rate = [&](const char* operation) {
    const double interval = value(fmt::format("gpu.sm.units.{}.interval_cycles", operation));
    return std::min(issued, clusters / std::max(1.0, interval)) * kLanes;
  };
  Machine machine;
  machine.units = {{"INT", "sm.partition.units.int.lane_operations", rate("int_add")},
                   {"FP", "sm.partition.units.fp.lane_operations", rate("fp32")}};
  const auto add = [&](Memory memory) {
    if (memory.bytes_per_cycle > 0) machine.memories.push_back(std::move(memory));
  };
  if (value("gpu.sm.load_store.l1.enabled") != 0)
    add({"L1", sms * kSegmentBytes, {"sm.load_store.segments"}, kSegmentBytes});
  add({"L2",
       value("gpu.memory.l2.slices") * value("gpu.memory.l2.bytes_per_cycle"),
       {"memory.bytes_read", "memory.bytes_written"}});
  add({"DRAM",
       value("gpu.memory.dram.channels") * value("gpu.memory.dram.bytes_per_cycle"),
       {"memory.dram_bytes_read", "memory.dram_bytes_written"}});
  double limit = sms * value("gpu.memory.bytes_per_cycle_per_sm");
  if (const double all = value("gpu.memory.bytes_per_cycle"); all > 0)
    limit = limit > 0 ? std::min(limit, all) : all;
  add({"memory", limit, {"memory.bytes_read", "memory.bytes_written"}});
  return machine;
}

void append(std::vector<RooflinePoint>& points, const ConfigNode& node, const std::string& launch,
            const std::string& kernel, const Machine& machine) {
  const ConfigNode* counters = node.find("counters");
  const double cycles = number_at(node, "cycles");
  if (!counters || cycles == 0) return;
  const auto counted = [&](const std::string& name) {
    const ConfigNode* value = counters->find(name);
    return value ? value->number : 0;
  };
  for (const Units& units : machine.units) {
    const double operations = counted(units.counter);
    if (operations == 0) continue;
    RooflinePoint point{launch, kernel, units.name, "", operations, 0, cycles, units.rate, 0};
    if (machine.memories.empty()) points.push_back(point);
    for (const Memory& memory : machine.memories) {
      point.memory = memory.name;
      point.memory_rate = memory.bytes_per_cycle;
      point.bytes = 0;
      for (const std::string& name : memory.counters) point.bytes += counted(name) * memory.bytes_each;
      points.push_back(point);
    }
  }
}

// Adds a chart of the launches that use one kind of units. Both axes are logarithmic, so limits are straight
// lines.
void add_chart(HtmlPage& page, const std::vector<RooflinePoint>& points, const std::string& units) {
  double low = 1e300, high = 0, rate = 0;
  std::map<std::string, double> memories;
  ChartMarks marks{"launches", {}};
  for (const RooflinePoint& point : points) {
    if (point.units != units) continue;
    rate = point.unit_rate;
    const std::optional<double> x = point.intensity();
    if (!x || *x <= 0) continue;
    memories[point.memory] = point.memory_rate;
    low = std::min({low, *x, point.unit_rate / point.memory_rate});
    high = std::max({high, *x, point.unit_rate / point.memory_rate});
    marks.marks.push_back({std::log10(*x), 0, std::log10(point.rate())});
  }
  if (marks.marks.empty()) return;
  low /= 4;
  high *= 4;
  std::vector<ChartSeries> roofs = {
      {units + " units", {{std::log10(low), std::log10(rate)}, {std::log10(high), std::log10(rate)}}, {}}};
  for (const auto& [name, bytes] : memories) {
    ChartSeries roof{name, {}, {}};
    for (const double x : {low, std::min(high, rate / bytes)})
      roof.points.emplace_back(std::log10(x), std::log10(std::min(rate, x * bytes)));
    roofs.push_back(std::move(roof));
  }
  page.chart(line_chart({"thread operations a byte, logarithm to base 10",
                         units + " thread operations a cycle, logarithm to base 10", false},
                        roofs, marks),
             "A launch on a line is limited by these units or this memory. Each launch has one mark for each "
             "memory.");
}

}  // namespace

std::optional<double> RooflinePoint::intensity() const {
  return bytes > 0 ? std::optional<double>(operations / bytes) : std::nullopt;
}

double RooflinePoint::roof() const {
  const std::optional<double> x = intensity();
  return x ? std::min(unit_rate, *x * memory_rate) : unit_rate;
}

std::vector<RooflinePoint> roofline_of(const ConfigNode& result) {
  std::vector<RooflinePoint> points;
  const ConfigNode* configuration = result.find("configuration");
  const ConfigNode* launches = result.find("launches");
  if (!configuration || !launches) return points;
  const Machine machine = machine_of(*configuration);
  if (const ConfigNode* kernels = result.find("kernels")) {
    for (const ConfigNode& kernel : kernels->items)
      if (const ConfigNode* figures = kernel.find("figures"))
        append(points, *figures, "", kernel.find("kernel")->text, machine);
    return points;
  }
  for (const ConfigNode& launch : launches->items)
    append(points, launch, fmt::format("{:.0f}", number_at(launch, "index")),
           ptx::plain_name(launch.find("kernel")->text), machine);
  return points;
}

std::string make_roofline_csv(const std::vector<RooflinePoint>& points) {
  std::string text =
      "launch,kernel,units,memory,thread_operations,bytes,cycles,operations_per_byte,operations_per_cycle,"
      "unit_operations_per_cycle,memory_bytes_per_cycle,roof_operations_per_cycle,share_of_roof\n";
  for (const RooflinePoint& point : points) {
    const std::optional<double> x = point.intensity();
    text += fmt::format("{},{},{},{},{:.0f},{:.0f},{:.0f},{},{},{},{},{},{}\n", point.launch,
                        csv_field(point.kernel), point.units, point.memory, point.operations, point.bytes,
                        point.cycles, x ? fmt::format("{}", *x) : "", point.rate(), point.unit_rate,
                        point.memory.empty() ? "" : fmt::format("{}", point.memory_rate), point.roof(),
                        point.rate() / point.roof());
  }
  return text;
}

void add_roofline(HtmlPage& page, const std::vector<RooflinePoint>& points) {
  if (points.empty()) return;
  page.heading("Roofline");
  for (const char* units : {"FP", "INT"}) add_chart(page, points, units);
  HtmlTable table;
  table.headings = {"launch",
                    "kernel",
                    "units",
                    "memory",
                    "operations a byte",
                    "operations a cycle",
                    "roof, operations a cycle",
                    "% of roof"};
  for (const RooflinePoint& point : points) {
    const std::optional<double> x = point.intensity();
    table.rows.push_back({HtmlCell::of(point.launch), HtmlCell::of(point.kernel), HtmlCell::of(point.units),
                          HtmlCell::of(point.memory), x ? HtmlCell::of(*x) : HtmlCell::of("-"),
                          HtmlCell::of(point.rate()), HtmlCell::of(point.roof()),
                          HtmlCell::of(100 * point.rate() / point.roof(), 1)});
  }
  page.table(table);
}

}  // namespace heddle::output
