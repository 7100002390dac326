#include "testbench/synthesis/netlist_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/synthesis/tool.h"

namespace heddle::synthesis {
namespace {

struct Port {
  int width = 1;
  bool output = false;
};

std::map<std::string, Port> ports_of(const std::string& netlist, const std::string& module) {
  const std::size_t begin = netlist.find("module " + module + "(");
  if (begin == std::string::npos) throw Error("netlist", fmt::format("there is no module {}", module));
  const std::string body = netlist.substr(begin, netlist.find("endmodule", begin) - begin);
  const std::regex declaration(R"(\n  (input|output) (?:\[(\d+):0\] )?(\w+);)");
  std::map<std::string, Port> ports;
  for (std::sregex_iterator it(body.begin(), body.end(), declaration), end; it != end; ++it)
    ports[(*it)[3]] = {(*it)[2].matched ? std::stoi((*it)[2]) + 1 : 1, (*it)[1] == "output"};
  return ports;
}

/// A port of the block, and the columns of the recording that hold its values. If the port is an array, there
/// is a column for each element, the element with the lowest index first.
struct Bound {
  std::string port;
  std::vector<std::size_t> columns;
  int width = 1;
  bool output = false;
  int element_width() const { return width / static_cast<int>(columns.size()); }
  std::string name(std::size_t column) const { return fmt::format("column{}", column); }
  /// Returns a Verilog expression for the recorded value of a port, such as {column2[5:0], column1[5:0]}.
  std::string value() const {
    std::string text;
    for (const std::size_t column : columns)
      text = fmt::format("{}[{}:0]{}{}", name(column), element_width() - 1, text.empty() ? "" : ", ", text);
    return "{" + text + "}";
  }
  /// Returns a Verilog condition: true if a recorded value has a bit that is not 0 above the width of its
  /// element.
  std::string rest() const {
    std::string text;
    for (const std::size_t column : columns)
      text += fmt::format("{}({} >> {}) != 0", text.empty() ? "" : " || ", name(column), element_width());
    return text;
  }
};

std::vector<Bound> bind(const Stimuli& stimuli, const std::map<std::string, Port>& ports) {
  std::vector<Bound> bound;
  for (std::size_t c = 0; c < stimuli.columns.size(); ++c) {
    const auto& [name, output] = stimuli.columns[c];
    const std::string port = name.substr(0, name.find('.'));
    const auto known = ports.find(port);
    if (known == ports.end() || known->second.output != output)
      throw Error(stimuli.file,
                  fmt::format("\"{}\" is no {} of {}", port, output ? "output" : "input", stimuli.module));
    if (bound.empty() || bound.back().port != port) bound.push_back({port, {}, known->second.width, output});
    bound.back().columns.push_back(c);
  }
  return bound;
}

// Returns the Verilog test bench. A block without a clock receives one event per cycle.
std::string test_bench(const Stimuli& s, const std::vector<Bound>& bound,
                       const std::map<std::string, Port>& ports) {
  std::string declarations, connections, checks, overflows, formats, arguments;
  const auto connect = [&connections](const std::string& one) {
    connections += (connections.empty() ? "" : ", ") + one;
  };
  for (const char* port : {"clk", "rst"})
    if (ports.contains(port)) connect(fmt::format(".{0}({0})", port));
  for (std::size_t c = 0; c < s.columns.size(); ++c) {
    declarations += fmt::format("  reg [63:0] column{} = 0;\n", c);
    formats += c ? " %h" : "%h";
    arguments += fmt::format(", column{}", c);
  }
  for (const auto& [port, value] : s.settings) connect(fmt::format(".{}({})", port, value));
  for (const Bound& b : bound) {
    overflows += fmt::format("        if ({}) overflow(\"{}\");\n", b.rest(), b.port);
    if (!b.output) {
      connect(fmt::format(".{}({})", b.port, b.value()));
      continue;
    }
    declarations += fmt::format("  wire [{}:0] {};\n", b.width - 1, b.port);
    connect(fmt::format(".{0}({0})", b.port));
    checks += fmt::format(
        "        if ({0} !== {1}) begin\n          differences = differences + 1;\n          if "
        "(differences == 1)\n"
        "            $display(\"FIRST {0} is %h in the netlist and %h in the model, in recorded cycle "
        "%0d\", {0}, {1}, lines);\n        end\n",
        b.port, b.value());
  }
  return fmt::format(
      "`timescale 1ns / 1ps\nmodule replay;\n  reg clk = 0, rst = 1;\n{}  reg [8*4096:1] heading;\n"
      "  integer file, got, lines = 0, differences = 0;\n"
      "  {} block ({});\n"
      "  task overflow(input [8*64:1] name);\n    begin\n      $display(\"OVERFLOW %0s\", name);\n      "
      "$finish;\n"
      "    end\n  endtask\n"
      "  initial begin\n    file = $fopen(\"{}\", \"r\");\n    got = $fgets(heading, file);\n"
      "    #5 clk = 1;\n    #5 clk = 0;\n    rst = 0;\n    got = {};\n    while (got == {}) begin\n"
      "      got = $fscanf(file, \"{}\\n\"{});\n      if (got == {}) begin\n{}        #5;\n{}"
      "        lines = lines + 1;\n        clk = 1;\n        #5 clk = 0;\n      end\n    end\n"
      "    $display(\"CYCLES %0d\", lines);\n    $display(\"DIFFERENCES %0d\", differences);\n    $finish;\n "
      " end\n"
      "endmodule\n",
      declarations, s.module, connections, std::filesystem::absolute(s.file).string(), s.columns.size(),
      s.columns.size(), formats, arguments, s.columns.size(), overflows, checks);
}

Stimuli read_heading(const std::string& file) {
  require_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string heading, word;
  std::getline(in, heading);
  std::istringstream words(heading);
  Stimuli stimuli;
  stimuli.file = file;
  const std::filesystem::path path = std::filesystem::absolute(file);
  stimuli.instance = path.parent_path().filename().string() + "/" + path.stem().string();
  words >> stimuli.module;
  while (words >> word && word != ":") {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw Error(file + ":1", "not a recording of a co-simulation");
    const long value = std::strtol(word.c_str() + equals + 1, nullptr, 10);
    const std::string name = word.substr(0, equals);
    if (std::isupper(static_cast<unsigned char>(name[0])))
      stimuli.parameters.emplace_back(name, static_cast<int>(value));
    else
      stimuli.settings.emplace_back(name, value);
  }
  while (words >> word) stimuli.columns.emplace_back(word.substr(word[0] == '='), word[0] == '=');
  if (stimuli.columns.empty()) throw Error(file + ":1", "not a recording of a co-simulation");
  return stimuli;
}

}  // namespace

bool Stimuli::fits(const Block& block) const {
  if (module != block.top) return false;
  for (const auto& [name, value] : parameters)
    if (std::find(block.parameters.begin(), block.parameters.end(), std::pair{name, value}) ==
        block.parameters.end())
      return false;
  return true;
}

std::vector<Stimuli> read_stimuli(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".stimuli") files.push_back(entry.path());
  if (files.empty())
    throw Error(folder, "holds no recording of a co-simulation",
                "a folder that heddle run --cosim lockstep --set cosim.record=FOLDER has filled");
  std::sort(files.begin(), files.end());
  std::vector<Stimuli> all;
  all.reserve(files.size());
  for (const std::string& file : files) all.push_back(read_heading(file));
  return all;
}

ReplayResult replay(const SynthesisFlow& flow, const Block& block, const Stimuli& stimuli) {
  const std::map<std::string, Port> ports = ports_of(read_text(flow.netlist(block)), block.top);
  const std::vector<Bound> bound = bind(stimuli, ports);
  std::string name = "replay." + stimuli.instance;
  std::replace(name.begin(), name.end(), '/', '.');
  write_text(flow.folder() + "/" + name + ".v", test_bench(stimuli, bound, ports));
  ReplayResult result;
  result.instance = stimuli.instance;
  for (const int begins : {0, 1}) {
    run_tool(flow.folder(), name + ".compile.log", "iverilog",
             {"-g2005", "-s", "replay", "-o", name + ".vvp", name + ".v", flow.netlist(block),
              flow.cells_view(begins)});
    const std::string text = run_tool(flow.folder(), name + ".log", "vvp", {"-n", name + ".vvp"});
    if (const std::size_t at = text.find("OVERFLOW "); at != std::string::npos)
      throw Error(stimuli.file, fmt::format("values of {} do not fit the netlist's port",
                                            text.substr(at + 9, text.find('\n', at) - at - 9)));
    result.cycles = static_cast<long>(number_after(text, "CYCLES ", name + ".log"));
    result.differences =
        std::max(result.differences, static_cast<long>(number_after(text, "DIFFERENCES ", name + ".log")));
    if (const std::size_t at = text.find("FIRST "); at != std::string::npos && result.first.empty())
      result.first = text.substr(at + 6, text.find('\n', at) - at - 6);
  }
  return result;
}

}  // namespace heddle::synthesis
