// Microbenchmarks of matrix units. They measure the latency with one warp, in a chain in which each
// instruction reads the accumulator of the previous one, and the rate with 32 warps.

#include <fmt/format.h>

#include "testbench/run/technique_file.h"
#include "tests/microbench/measurements.h"
#include "tests/timing/timed_kernel.h"

namespace heddle::microbench {
namespace {

using timing::Machine;
using timing::measure;

// A matrix instruction, the types and numbers of its operand registers, and its number of multiply-adds.
struct Form {
  const char* name;  ///< types and shape, as published.json names them
  const char* instruction;
  char c_register;  ///< f: f32, r: 32-bit words, d: f64
  int a_words, b_words, c_words;
  int products;
};

const Form kForms[] = {
    {"f16 m16n8k8", "m16n8k8.row.col.f32.f16.f16.f32", 'f', 2, 1, 4, 16 * 8 * 8},
    {"f16 m16n8k16", "m16n8k16.row.col.f32.f16.f16.f32", 'f', 4, 2, 4, 16 * 8 * 16},
    {"f16 m16n8k16, sums in f16", "m16n8k16.row.col.f16.f16.f16.f16", 'r', 4, 2, 2, 16 * 8 * 16},
    {"f16 m8n8k4", "m8n8k4.row.col.f32.f16.f16.f32", 'f', 2, 2, 8, 4 * 8 * 8 * 4},
    {"bf16 m16n8k8", "m16n8k8.row.col.f32.bf16.bf16.f32", 'f', 2, 1, 4, 16 * 8 * 8},
    {"bf16 m16n8k16", "m16n8k16.row.col.f32.bf16.bf16.f32", 'f', 4, 2, 4, 16 * 8 * 16},
    {"tf32 m16n8k4", "m16n8k4.row.col.f32.tf32.tf32.f32", 'f', 2, 1, 4, 16 * 8 * 4},
    {"tf32 m16n8k8", "m16n8k8.row.col.f32.tf32.tf32.f32", 'f', 4, 2, 4, 16 * 8 * 8},
    {"e4m3 m16n8k32", "m16n8k32.row.col.f32.e4m3.e4m3.f32", 'f', 4, 2, 4, 16 * 8 * 32},
    {"s8 m8n8k16", "m8n8k16.row.col.s32.s8.s8.s32", 'r', 1, 1, 2, 8 * 8 * 16},
    {"s8 m16n8k16", "m16n8k16.row.col.s32.s8.s8.s32", 'r', 2, 1, 4, 16 * 8 * 16},
    {"s8 m16n8k32", "m16n8k32.row.col.s32.s8.s8.s32", 'r', 4, 2, 4, 16 * 8 * 32},
    {"s4 m8n8k32", "m8n8k32.row.col.s32.s4.s4.s32", 'r', 1, 1, 2, 8 * 8 * 32},
    {"s4 m16n8k32", "m16n8k32.row.col.s32.s4.s4.s32", 'r', 2, 1, 4, 16 * 8 * 32},
    {"s4 m16n8k64", "m16n8k64.row.col.s32.s4.s4.s32", 'r', 4, 2, 4, 16 * 8 * 64},
    {"b1 m8n8k128", "m8n8k128.row.col.s32.b1.b1.s32.and.popc", 'r', 1, 1, 2, 8 * 8 * 128},
    {"b1 m16n8k128", "m16n8k128.row.col.s32.b1.b1.s32.and.popc", 'r', 2, 1, 4, 16 * 8 * 128},
    {"b1 m16n8k256", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", 'r', 4, 2, 4, 16 * 8 * 256},
    {"f64 m8n8k4", "m8n8k4.row.col.f64.f64.f64.f64", 'd', 1, 1, 2, 8 * 8 * 4}};

// Appends to `to` the settings that a technique makes at `path`, as texts such as
// "sm.units.matrix.short.latency_cycles=14". If `value` is an object, each of its members is a setting.
void add_settings(const std::string& path, const ConfigNode& value, std::vector<std::string>& to) {
  const ConfigNode& plain = value.unwrapped();
  if (plain.is_object())
    for (const auto& [name, member] : plain.members) add_settings(path + "." + name, member, to);
  else
    to.push_back(path + "=" + (plain.is_string() ? plain.text : fmt::format("{}", plain.number)));
}

// Returns maxwell-gtx980 with the technique matrix-unit.
Machine machine(int threads) {
  Machine machine = timing::on("maxwell-gtx980", threads);
  std::vector<std::string> files;
  const std::string file = run::technique_file(ConfigNode::make_string("matrix-unit"));
  const std::size_t gpu = std::string("gpu.").size();
  for (const auto& [path, value] : run::read_technique(file, files).settings)
    add_settings(path.substr(gpu), value, machine.set);
  machine.set.push_back(
      "sm.units.matrix.generation=ada");  // ada also has 8-bit floats; times do not depend on the generation
  machine.clean_up = true;
  return machine;
}

std::string list(char bank, int first, int words) {
  std::string text;
  for (int i = 0; i < words; ++i) text += fmt::format("{}%{}{}", i ? ", " : "", bank, first + i);
  return "{" + text + "}";
}

// Returns the instruction with accumulator number n. All instructions have the same A and B.
std::string line(const Form& form, int n) {
  const std::string c =
      list(form.c_register, form.c_register == 'r' ? 16 + n * form.c_words : n * form.c_words, form.c_words);
  const char factors = form.c_register == 'd' ? 'd' : 'r';
  const int at = form.c_register == 'd' ? 14 : 0;
  return fmt::format("mma.sync.aligned.{} {}, {}, {}, {};\n", form.instruction, c,
                     list(factors, at, form.a_words), list(factors, at + form.a_words, form.b_words), c);
}

// Returns a program that loads factors and accumulators, executes `body`, and stores the accumulators.
// Because of the loads, the compiler does not know the values.
std::string around(const Form& form, int accumulators, const std::string& body) {
  std::string loads = "ld.param.u64 %rd0, [buffer];\n", stores;
  const auto load = [&loads](char bank, int number) {
    loads += fmt::format("ld.global.{} %{}{}, [%rd0];\n",
                         bank == 'd'   ? "f64"
                         : bank == 'f' ? "f32"
                                       : "u32",
                         bank, number);
  };
  for (int i = 0; i < form.a_words + form.b_words; ++i)
    load(form.c_register == 'd' ? 'd' : 'r', (form.c_register == 'd' ? 14 : 0) + i);
  for (int i = 0; i < accumulators * form.c_words; ++i) {
    const int number = (form.c_register == 'r' ? 16 : 0) + i;
    load(form.c_register, number);
    stores += fmt::format("st.global.{} [%rd0], %{}{};\n",
                          form.c_register == 'd'   ? "f64"
                          : form.c_register == 'f' ? "f32"
                                                   : "u32",
                          form.c_register, number);
  }
  return loads + body + stores;
}

// Returns the cycles from one instruction of a chain to the next.
double chain(const Form& form) {
  const auto at = measure(machine(32), around(form, 1, timing::repeated(20, line(form, 0)))).of_warp(0);
  const std::size_t last = at.size() - static_cast<std::size_t>(form.c_words) - 2;  // before stores and exit
  return static_cast<double>(at[last] - at[last - 15]) / 15;
}

// Returns the number of multiply-adds per cycle, from two runs of different length with 32 warps. Each warp
// has as many accumulators as fit into its registers.
double rate(const Form& form) {
  const int accumulators = form.c_register == 'd' ? 7 : form.c_words == 8 ? 4 : 8;
  const auto cycles = [&](int rounds) {
    std::string body;
    for (int i = 0; i < rounds; ++i)
      for (int n = 0; n < accumulators; ++n) body += line(form, n);
    Machine m = machine(512);
    m.ctas = 2;
    m.observe = false;
    return static_cast<double>(measure(m, around(form, accumulators, body)).cycles);
  };
  return 32.0 * accumulators * 12 * form.products / (cycles(24) - cycles(12));
}

}  // namespace

std::vector<Measurement> measure_matrix_unit() {
  std::vector<Measurement> rows;
  for (const Form& form : kForms)
    rows.push_back({std::string("latency.") + form.name, form.name, "cycles", chain(form)});
  for (const Form& form : kForms)
    rows.push_back({std::string("rate.") + form.name, form.name, "products per cycle and SM", rate(form)});
  return rows;
}

}  // namespace heddle::microbench
