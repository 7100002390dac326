#include "testbench/synthesis/synthesis_flow.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "models/core/error.h"
#include "testbench/synthesis/tool.h"

namespace heddle::synthesis {
namespace {

// clock period in ns; longer than any path, so that the length of a path is the period minus its slack
constexpr double kPeriodNs = 100;

}  // namespace

SynthesisFlow::SynthesisFlow(const Liberty& library, const std::string& rtl_folder, const std::string& folder)
    : library_(library),
      rtl_(std::filesystem::absolute(rtl_folder)),
      folder_(std::filesystem::absolute(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw Error(folder, "cannot create this folder: " + error.message());
  library_.write(folder_ + "/library.lib");
  yosys("cells", "read_liberty library.lib\nwrite_verilog -noattr cells.v\n");
  const std::string cells = read_text(folder_ + "/cells.v");
  for (const int begins : {0, 1})
    write_text(cells_view(begins), std::regex_replace(cells, std::regex("\n  reg (\\w+);"),
                                                      fmt::format("\n  reg $1 = 1'b{};", begins)));
  measure_gates();
}

std::string SynthesisFlow::yosys(const std::string& name, const std::string& script) const {
  write_text(folder_ + "/" + name + ".ys", script);
  return run_tool(folder_, name + ".yosys.log", "yosys", {"-Q", "-T", name + ".ys"});
}

// Runs OpenSTA. Its exit status is 0 even after an error. Therefore the script prints "done" as its last
// command, and this function looks for this word.
std::string SynthesisFlow::sta(const std::string& name, const std::string& netlist,
                               const std::string& top) const {
  write_text(
      folder_ + "/" + name + ".tcl",
      fmt::format("read_liberty library.lib\nread_verilog {0}\nlink_design {1}\n"
                  "if {{[llength [get_ports -quiet clk]]}} {{\n  create_clock -name clk -period {2} "
                  "[get_ports clk]\n}} else {{\n  create_clock -name clk -period {2}\n}}\n"
                  "foreach port [all_inputs] {{\n  if {{[get_property $port full_name] != \"clk\"}} {{\n    "
                  "set_input_delay 0 -clock clk $port\n  }}\n}}\n"
                  "set_output_delay 0 -clock clk [all_outputs]\nreport_checks -path_delay max -digits 4\n"
                  "puts \"done\"\nexit\n",
                  netlist, top, kPeriodNs));
  std::string text = run_tool(folder_, name + ".sta.log", "sta", {"-exit", name + ".tcl"});
  if (text.find("Error:") != std::string::npos || text.find("\ndone\n") == std::string::npos)
    throw Error("sta", fmt::format("failed, see {}/{}.sta.log", folder_, name));
  return text;
}

std::string SynthesisFlow::read_rtl(const Block& block) const {
  std::string script = fmt::format("read_verilog -defer {}/*.v\nhierarchy -top {}", rtl_, block.top);
  for (const auto& [parameter, value] : block.parameters)
    script += fmt::format(" -chparam {} {}", parameter, value);
  return script + "\n";
}

void SynthesisFlow::measure_gates() {
  write_text(folder_ + "/gates.v",
             "module nand2(input a, input b, output y); assign y = ~(a & b); endmodule\n"
             "module inverter(input a, output y); assign y = ~a; endmodule\n");
  const auto map = [this](const std::string& top) {
    return yosys(top,
                 fmt::format("read_verilog gates.v\nsynth -top {0} -flatten\nabc -liberty library.lib\n"
                             "opt_clean\nstat -liberty library.lib\nwrite_verilog -noattr {0}.netlist.v\n",
                             top));
  };
  BlockResult nand;
  nand2_um2_ = area_of(map("nand2"), nand);
  map("inverter");
  measure_fo4(read_text(folder_ + "/inverter.netlist.v"));
}

// Measures the FO4 delay in a chain of inverters. Each inverter drives the next one and three further
// inverters. The delay is the mean of a rising and a falling stage in the middle of the chain.
void SynthesisFlow::measure_fo4(const std::string& inverter_netlist) {
  const std::regex instance(R"((\w+) \w+ \(\s*\.(\w+)\((\w)\),\s*\.(\w+)\((\w)\)\s*\);)");
  std::smatch found;
  if (!std::regex_search(inverter_netlist, found, instance))
    throw Error(library_.file(), "has no inverter of one input and one output");
  const bool in_first = found[3] == "a";
  write_text(folder_ + "/drive.sdc", "set_driving_cell " + found[1].str() + "\nset_load 0 [all_outputs]\n");
  const std::string cell = found[1], in = in_first ? found[2] : found[4],
                    out = in_first ? found[4] : found[2];
  constexpr int kStages = 8;
  std::string text, wires;
  for (int stage = 0; stage < kStages; ++stage) {
    const std::string from = stage == 0 ? "a" : fmt::format("n{}", stage);
    const std::string to = stage + 1 == kStages ? "y" : fmt::format("n{}", stage + 1);
    if (to != "y") wires += fmt::format("  wire {};\n", to);
    text += fmt::format("  {} stage{} (.{}({}), .{}({}));\n", cell, stage, in, from, out, to);
    if (to == "y") continue;
    for (int load = 0; load < 3; ++load) {
      wires += fmt::format("  wire load{}_{}_out;\n", stage, load);
      text += fmt::format("  {0} load{1}_{2} (.{3}({4}), .{5}(load{1}_{2}_out));\n", cell, stage, load, in,
                          to, out);
    }
  }
  write_text(folder_ + "/fo4.netlist.v",
             fmt::format("module fo4(input a, output y);\n{}{}endmodule\n", wires, text));
  const std::string report = sta("fo4", "fo4.netlist.v", "fo4");
  double sum = 0;
  for (const int stage : {4, 5}) {
    std::smatch line;
    const std::regex delay(fmt::format(R"(([0-9.]+)\s+[0-9.]+ [v^] stage{}/)", stage));
    if (!std::regex_search(report, line, delay))
      throw Error("sta", "no stage of the inverter chain in fo4.sta.log");
    sum += std::stod(line[1]);
  }
  fo4_ns_ = sum / 2;
}

double SynthesisFlow::area_of(const std::string& stat, BlockResult& result) const {
  std::istringstream in(stat.substr(stat.rfind("Number of cells:")));
  std::string line;
  std::getline(in, line);
  double area = 0;
  for (std::string name; std::getline(in, line);) {
    int number = 0;
    std::istringstream words(line);
    if (!(words >> name >> number)) break;
    const auto cell = library_.cells().find(name);
    if (cell == library_.cells().end())
      throw Error("yosys", fmt::format("\"{}\" is no cell of the library", name));
    area += cell->second.area_um2 * number;
    result.cells += number;
    if (!cell->second.sequential) continue;
    result.flip_flops += number;
    result.flip_flop_area_um2 += cell->second.area_um2 * number;
  }
  return area;
}

// Synthesises and measures a block. Keeps the Verilog's state encoding and net names, so that the equivalence check can
// match registers. Maps the design twice: first without buffers and with the smallest cells ("bare"), then with buffers
// and cell strengths chosen for the load. The report shows the areas and paths of the second mapping, and next to them
// the bare paths. abc chooses buffers and strengths only if it gets a driving cell and a target delay in ps. OpenSTA
// cannot read Yosys' `assign {a, b} = ...`, so it reads a copy with single-bit nets.
BlockResult SynthesisFlow::run(const Block& block) const {
  BlockResult result;
  const std::string timing = "splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr {1}.{2}.v\n";
  const std::string stat =
      yosys(block.name,
            read_rtl(block) +
                fmt::format(fmt::runtime("synth -top {0} -flatten -nofsm\ndfflibmap -liberty library.lib\n"
                                         "design -save unmapped\nabc -liberty library.lib\nopt_clean\n" +
                                         timing + "design -load unmapped\n"),
                            block.top, block.name, "bare") +
                fmt::format(fmt::runtime("abc -liberty library.lib -constr drive.sdc -D 1000\nopt_clean\n"
                                         "stat -liberty library.lib\nwrite_verilog -noattr -noexpr "
                                         "{1}.netlist.v\n" +
                                         timing),
                            block.top, block.name, "timing"));
  result.area_um2 = area_of(stat, result);
  result.path_ns = longest_path(block, "timing");
  result.bare_path_ns = longest_path(block, "bare");
  prove_equivalent(block);
  result.equivalent = true;
  return result;
}

double SynthesisFlow::longest_path(const Block& block, const std::string& netlist) const {
  const std::string name = block.name + "." + netlist;
  const std::string report = sta(name, name + ".v", block.top);
  const std::size_t slack = report.rfind("slack (");
  if (slack == std::string::npos) throw Error("sta", fmt::format("no path in {}.sta.log", name));
  return kPeriodNs - std::stod(report.substr(report.rfind('\n', slack)));
}

// Proves that the netlist is equivalent to the Verilog. Flip-flops with the same names in both become ports,
// and ABC compares the logic between them. If this does not succeed, Yosys proves the equivalence by
// induction.
void SynthesisFlow::prove_equivalent(const Block& block) const {
  const auto side = [&](const char* name, const char* other) {
    return fmt::format("design -load both\ndelete {1}\nwrite_blif {2}.{0}.blif\n", name, other, block.name);
  };
  yosys(block.name + ".equivalence",
        read_rtl(block) +
            fmt::format("prep -flatten -top {0}\ndffunmap\ndesign -stash gold\nread_liberty library.lib\n"
                        "read_verilog {1}.netlist.v\nprep -flatten -top {0}\ndesign -stash gate\n"
                        "design -copy-from gold -as gold {0}\ndesign -copy-from gate -as gate {0}\n"
                        "expose -evert-dff -shared -dff gold gate\ntechmap\nopt_clean\ndesign -save both\n",
                        block.top, block.name) +
            side("gold", "gate") + side("gate", "gold"));
  const auto has_state = [&](const char* name) {
    return read_text(fmt::format("{}/{}.{}.blif", folder_, block.name, name)).find("\n.latch") !=
           std::string::npos;
  };
  if (!has_state("gold") && !has_state("gate") &&
      run_tool(folder_, block.name + ".cec.log", "yosys-abc",
               {"-c", fmt::format("cec {0}.gold.blif {0}.gate.blif", block.name)})
              .find("Networks are equivalent") != std::string::npos)
    return;
  // Not proven yet, usually because synthesis has merged or removed flip-flops, so that they cannot be
  // matched: prove equivalence by induction. If the proof fails, Yosys reports an error.
  yosys(block.name + ".induction",
        read_rtl(block) +
            fmt::format("prep -flatten -top {0}\ndesign -stash gold\nread_liberty library.lib\n"
                        "read_verilog {1}.netlist.v\nprep -flatten -top {0}\ndesign -stash gate\n"
                        "design -copy-from gold -as gold {0}\ndesign -copy-from gate -as gate {0}\n"
                        "equiv_make gold gate equiv\nprep -flatten -top equiv\nequiv_simple\n"
                        "equiv_simple -undef\nequiv_induct -undef\nequiv_status -assert\n",
                        block.top, block.name));
}

std::string SynthesisFlow::yosys_version() const {
  const std::string text = run_tool(folder_, "yosys.version", "yosys", {"-V"});
  return text.substr(0, text.find(" ("));
}

std::string SynthesisFlow::sta_version() const {
  const std::string text = run_tool(folder_, "sta.version", "sta", {"-version"});
  return "OpenSTA " + text.substr(0, text.find('\n'));
}

}  // namespace heddle::synthesis
