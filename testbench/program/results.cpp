#include "testbench/program/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "power/energy_units.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/csv_text.h"
#include "testbench/output/energy_output.h"
#include "testbench/output/pricing.h"
#include "testbench/output/result_file.h"
#include "testbench/output/roofline.h"
#include "testbench/output/run_totals.h"
#include "testbench/output/terminal_text.h"
#include "testbench/program/kernel_counts.h"
#include "testbench/program/launch_sums.h"
#include "testbench/program/program_estimate.h"
#include "testbench/program/program_report.h"
#include "testbench/run/data_files.h"
#include "testbench/run/energy_setup.h"

namespace heddle::program {
namespace {

constexpr int kFormat = 1;
constexpr const char* kKernels = "kernels";

std::string estimated_launches(const std::vector<LaunchRow>& rows) {
  std::size_t whole = 0, like = 0, places = 0;
  for (const LaunchRow& row : rows)
    if (row.estimate) ++(row.estimate->like ? like : row.estimate->whole ? whole : places);
  return fmt::format(
      "          {} launches timed whole, {} at places, {} by launches that are like them; ~: estimated\n",
      whole, places, like);
}

std::string estimate_lines(const ProgramEnd& end) {
  const estimate::LaunchEstimate& estimate = *end.estimate;
  const double timed = estimate.instructions ? 100.0 * static_cast<double>(estimate.instructions_timed) /
                                                   static_cast<double>(estimate.instructions)
                                             : 0;
  std::string text = fmt::format(
      "estimate  {:.1f} % of the warp-instructions of these launches were timed; cycles {:.0f} ({:.0f} to "
      "{:.0f})",
      timed, estimate.cycles.value, estimate.cycles.low, estimate.cycles.high);
  if (estimate.energy_nj)
    text += fmt::format(", energy {:.3f} uJ ({:.3f} to {:.3f})", estimate.energy_nj->value / 1e3,
                        estimate.energy_nj->low / 1e3, estimate.energy_nj->high / 1e3);
  return text + "\n" + estimated_launches(end.launches);
}

std::string failures_line(const LaunchSum& all) {
  if (all.failed + all.not_run == 0) return {};
  return fmt::format("\n{} of {} launches FAILED, and {} not run after them\n", all.failed, all.launches,
                     all.not_run == 1 ? "1 was" : fmt::format("{} were", all.not_run));
}

ConfigNode node_of(const LaunchSum& sum) {
  ConfigNode node = ConfigNode::make_object();
  const auto count = [&node](const char* key, std::uint64_t value) {
    node.members.emplace_back(key, ConfigNode::make_count(value));
  };
  node.members.emplace_back("kernel", ConfigNode::make_string(sum.kernel));
  count("launches", sum.launches);
  count("timed", sum.timed);
  count("checked", sum.checked);
  count("different", sum.different);
  if (sum.findings) count("findings", sum.findings);
  if (sum.failed) count("failed", sum.failed);
  if (sum.not_run) count("not_run", sum.not_run);
  count("instructions", sum.instructions);
  count("cycles", sum.cycles);
  if (sum.estimated) node.members.emplace_back("estimated", ConfigNode::make_boolean(true));
  node.members.emplace_back("time_us", ConfigNode::make_number(sum.time_us));
  if (sum.energy) {
    node.members.emplace_back("energy_pj", ConfigNode::make_number(sum.energy_pj));
    node.members.emplace_back("dynamic_pj", ConfigNode::make_number(sum.dynamic_pj));
    node.members.emplace_back("baseline_pj", ConfigNode::make_number(sum.baseline_pj));
  }
  return node;
}

std::string estimate_fields(const LaunchRow& row) {
  if (!row.estimate) return ",,,,";
  const estimate::LaunchEstimate& e = *row.estimate;
  return fmt::format("{},{:.0f},{:.0f},", row.estimated_by(), e.cycles.low, e.cycles.high) +
         (e.energy_nj ? fmt::format("{},{}", e.energy_nj->low * power::kPicojoulesOfNanojoule,
                                    e.energy_nj->high * power::kPicojoulesOfNanojoule)
                      : ",");
}

class ProgramEnergies {
 public:
  ProgramEnergies(const run::RunParameters& run, const std::vector<power::Technology>& technologies,
                  const ConfigNode& counted)
      : counters_(std::make_shared<output::StoredCounters>(*counted.find("counters"))),
        pricing_(technologies, run::energy_configuration(run), counters_),
        report_(pricing_.account()->report(counters_->values(),
                                           static_cast<Cycle>(counted.find("cycles")->integer))) {}
  const power::EnergyReport& report() const { return report_; }

 private:
  std::shared_ptr<const output::StoredCounters> counters_;
  output::Pricing pricing_;
  power::EnergyReport report_;  ///< Entries of the report point into the account, so the account is kept.
};

std::string times(const isa::Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

}  // namespace

ProgramResults::ProgramResults(const ExecParameters& parameters, std::vector<std::string> command)
    : parameters_(parameters), command_(std::move(command)) {
  if (parameters_.timed()) {
    const std::string file = find_program(command_.front());
    program_ = {file, std::filesystem::is_regular_file(file) ? launch::hash_of_file(file) : ""};
    technologies_ = run::read_technologies(parameters_.run);
    for (const power::Technology& technology : technologies_)
      for (const std::string& table : technology.files)
        tables_.push_back({table, launch::hash_of_file(table)});
  }
  const std::string& folder = parameters_.run.output.folder;
  if (folder.empty()) return;
  folder_ = std::make_unique<run::OutFolder>(folder);
  std::vector<std::string> files = {"program.json", "launches.csv"};
  if (parameters_.run.output.report) files.insert(files.end(), {"report.html", "roofline.csv"});
  folder_->expect(files, parameters_.run.read_from, "--out");
}

void ProgramResults::add(RunOutputs::Addition addition) {
  addition_ = std::move(addition);
  if (folder_) folder_->expect({addition_.file}, parameters_.run.read_from, "--out");
}

ConfigNode ProgramResults::tree(const ProgramEnd& end) const {
  ConfigNode node = ConfigNode::make_object();
  node.members.emplace_back("format", ConfigNode::make_integer(kFormat));
  node.members.emplace_back("heddle", ConfigNode::make_string(HEDDLE_VERSION));
  ConfigNode command = ConfigNode::make_list(), launches = ConfigNode::make_list(),
             kernels = ConfigNode::make_list();
  for (const std::string& word : command_) command.items.push_back(ConfigNode::make_string(word));
  node.members.emplace_back("command", std::move(command));
  node.members.emplace_back("gpu", ConfigNode::make_string(parameters_.run.gpu.name));
  ConfigNode techniques = ConfigNode::make_list();
  for (const std::string& name : parameters_.run.techniques)
    techniques.items.push_back(ConfigNode::make_string(name));
  node.members.emplace_back("techniques", std::move(techniques));
  if (parameters_.timed()) add_machine(node);
  ConfigNode ended = ConfigNode::make_object();
  ended.members.emplace_back("status", ConfigNode::make_integer(end.status));
  if (end.signal) ended.members.emplace_back("signal", ConfigNode::make_integer(end.signal));
  ended.members.emplace_back("interrupted", ConfigNode::make_boolean(end.interrupted));
  node.members.emplace_back("end", std::move(ended));
  std::vector<LaunchSum> sums = sums_of(end.launches);
  ConfigNode total = node_of(sums.back());
  if (end.estimate) total.members.emplace_back("estimate", to_node(*end.estimate));
  if (end.counted.is_object() && !technologies_.empty()) {
    const ProgramEnergies energies(parameters_.run, technologies_, end.counted);
    total.members.emplace_back("scope", ConfigNode::make_texts(energies.report().scope));
    total.members.emplace_back("energy", output::energy_node(energies.report()));
    ConfigNode counted = ConfigNode::make_object();
    for (const auto& [key, value] : end.counted.members)
      if (key != kKernels) counted.members.emplace_back(key, value);
    total.members.emplace_back("counted", std::move(counted));
  }
  node.members.emplace_back("total", std::move(total));
  sums.pop_back();
  const ConfigNode* const figures = end.counted.is_object() ? end.counted.find(kKernels) : nullptr;
  for (const LaunchSum& sum : sums) {
    kernels.items.push_back(node_of(sum));
    if (const ConfigNode* const entry = figures ? figures->find(sum.kernel) : nullptr)
      kernels.items.back().members.emplace_back("figures", kernel_figures(*entry, parameters_.run.gpu));
  }
  node.members.emplace_back("kernels", std::move(kernels));
  for (const LaunchRow& row : end.launches) launches.items.push_back(to_node(row));
  node.members.emplace_back("launches", std::move(launches));
  return node;
}

void ProgramResults::add_machine(ConfigNode& node) const {
  const run::RunParameters& parameters = parameters_.run;
  const std::string& folder = parameters.output.folder;
  node.members.emplace_back("configuration", output::configuration_node(parameters, folder));
  ConfigNode technologies = ConfigNode::make_list(), inputs = ConfigNode::make_list();
  const auto add_input = [&](const run::InputFile& input) {
    ConfigNode item = ConfigNode::make_object();
    item.members.emplace_back("file", ConfigNode::make_string(output::relative_to(input.path, folder)));
    item.members.emplace_back("fnv1a64", ConfigNode::make_string(input.hash));
    inputs.items.push_back(std::move(item));
  };
  add_input(program_);
  for (const power::Technology& technology : technologies_) {
    ConfigNode item = ConfigNode::make_object();
    item.members.emplace_back("name", ConfigNode::make_string(technology.name));
    item.members.emplace_back("file", ConfigNode::make_string(output::relative_to(technology.file, folder)));
    technologies.items.push_back(std::move(item));
  }
  for (const run::InputFile& input : tables_) add_input(input);
  node.members.emplace_back("inputs", std::move(inputs));
  node.members.emplace_back("technologies", std::move(technologies));
}

std::string ProgramResults::csv(const ProgramEnd& end) const {
  std::string text =
      "launch,kernel,grid,block,shared_bytes,registers,instructions,timed,ctas_timed,cycles,time_us,energy_"
      "pj,dynamic_pj,"
      "baseline_pj,estimate,cycles_low,cycles_high,energy_low_pj,energy_high_pj,check,difference,captured,"
      "representative,represents,error\n";
  for (const LaunchRow& row : end.launches) {
    const auto energy = [](const std::optional<double>& pj) { return pj ? fmt::format("{}", *pj) : ""; };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.launch,
                        output::csv_field(row.kernel), times(row.grid), times(row.block), row.shared_bytes,
                        row.registers ? std::to_string(row.registers) : "", row.instructions,
                        row.timed ? "yes" : "no", row.timed ? std::to_string(row.ctas_timed) : "",
                        row.timed ? std::to_string(row.cycles) : "", row.time_us, energy(row.energy_pj),
                        energy(row.dynamic_pj), energy(row.baseline_pj), estimate_fields(row), row.outcome(),
                        output::csv_field(row.difference), output::csv_field(row.captured),
                        row.representative ? std::to_string(*row.representative) : "",
                        row.represents ? std::to_string(row.represents) : "", output::csv_field(row.error));
  }
  return text;
}

void ProgramResults::write(const ProgramEnd& end) {
  if (!folder_) return;
  const ConfigNode result = tree(end);
  const bool adds = addition_.text && end.has_timed();
  folder_->write("program.json", to_json(result));
  folder_->write("launches.csv", csv(end));
  if (adds) folder_->write(addition_.file, addition_.text(result));
  if (parameters_.run.output.report) {
    const std::vector<output::RooflinePoint> roofline = output::roofline_of(result);
    if (!roofline.empty()) folder_->write("roofline.csv", output::make_roofline_csv(roofline));
    folder_->write("report.html", program_report(parameters_, command_, end, explain_ ? explain_(result) : "",
                                                 [&](output::HtmlPage& page) {
                                                   if (adds) addition_.sections(page, result);
                                                   output::add_roofline(page, roofline);
                                                 }));
  }
  folder_->commit();
}

std::string ProgramResults::summary(const ProgramEnd& end) const {
  const std::vector<LaunchSum> sums = sums_of(end.launches);
  // width of the column of kernel names: the terminal's width minus the columns of numbers
  constexpr std::size_t kNumbers = 66, kMost = 32, kLeast = 12;
  const std::size_t width = output::terminal_width();
  const std::size_t columns = std::clamp(width - std::min(width, kNumbers), kLeast, kMost);
  std::string text = failures_line(sums.back());
  text += fmt::format("\n{:<{}} {:>8} {:>6} {:>13} {:>11} {:>11}  {}\n", "kernel", columns, "launches",
                      "timed", "instructions", "cycles", "energy, uJ", "check");
  for (const LaunchSum& sum : sums) {
    std::string check;
    const auto say = [&check](std::uint64_t launches, const char* what) {
      if (launches) check += fmt::format("{}{} {}", check.empty() ? "" : ", ", launches, what);
    };
    say(sum.failed, "FAILED");
    say(sum.not_run, "not run");
    say(sum.different, "DIFFERENT");
    if (!sum.different) say(sum.incomparable, "not comparable");
    if (!sum.different && !sum.incomparable) say(sum.checked, "equal");
    const char* const mark = sum.estimated ? "~" : "";
    const bool above = sum.kernel.size() > columns;
    if (above) text += sum.kernel + "\n";
    text += fmt::format("{:<{}} {:>8} {:>6} {:>13} {:>11} {:>11}  {}\n", above ? "" : sum.kernel, columns,
                        sum.launches, sum.timed, sum.instructions,
                        sum.timed ? mark + std::to_string(sum.cycles) : "",
                        sum.energy ? fmt::format("{}{:.3f}", mark, sum.energy_pj / 1e6) : "", check);
  }
  for (const LaunchRow& row : end.launches) {
    if (!row.error.empty() && !row.not_run)
      text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.error);
    if (row.equal && !row.is_incomparable()) continue;
    text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.difference);
    for (const std::string& race : row.races) text += fmt::format("  {}\n", race);
  }
  text += findings_text(end.launches);
  if (!parameters_.run.watch.checks.empty())
    text += fmt::format("checks: {} finding{}\n", sums.back().findings, sums.back().findings == 1 ? "" : "s");
  if (end.estimate) text += estimate_lines(end);
  if (end.counted.is_object() && !technologies_.empty())
    text += output::energy_summary(ProgramEnergies(parameters_.run, technologies_, end.counted).report());
  std::uint64_t outside = 0;
  for (const LaunchRow& row : end.launches) outside += row.outside_reads;
  if (outside)
    text += fmt::format("{} reads of threads just outside of an allocation (--lenient)\n", outside);
  if (folder_) text += fmt::format("results in {}\n", folder_->path());
  return text;
}

}  // namespace heddle::program
