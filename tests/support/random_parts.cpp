#include "tests/support/random_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::fuzz {
namespace {

void register_cache(PartDraw& p) {
  Dice& dice = p.dice;
  const bool shared = dice.chance(40);
  const int ways = dice.choose({0, 0, 1, 2});
  p.option("entries",
           std::max(1, ways) * dice.choose({1, 2, 3, 4, 6}) * (shared ? dice.choose({1, 2, 4}) : 1));
  p.option("capacity", shared ? "shared" : "private");
  p.option("ways", ways);
  p.option("replacement", dice.choose({"fifo", "lru"}));
  p.option("allocate", dice.choose({"results", "results-and-sources"}));
  p.option("bypass_long_latency", dice.chance(70));
  p.option("liveness_hints", dice.chance(70));
  p.option("flush_on_deschedule", dice.chance(60));
  p.option("shared_units", dice.choose({"open", "open", "closed"}));
  p.option("tag_check_cycles", dice.choose({0, 0, 1, 3}));
  p.option("miss_cycles", dice.choose({0, 1, 2}));
  p.option("read_ports", dice.choose({0, 1, 3, 6}));
  p.option("write_ports", dice.choose({0, 1, 2}));
  p.option("banks", dice.choose({1, 1, 2, 4}));
  p.option("queue_entries", dice.choose({1, 2, 16}));
  p.option("per_scheduler", dice.chance(60));
}

const char* text(bool b) { return b ? "true" : "false"; }

void operand_file(PartDraw& p) {
  Dice& dice = p.dice;
  const int entries = dice.choose({1, 2, 3, 4, 6, 8});
  const bool scratchpad = dice.chance(50), shared = dice.chance(25);
  const bool kept =
      // with some probability, operand file entries survive descheduling of the warp (limit study, Gebhart
      // 2012, 8.3)
      dice.chance(10);
  const std::string last = scratchpad ? "none" : dice.choose({"none", "unified", "split"});
  p.option("entries", entries + dice.choose({0, 0, 1}));
  p.option("last_result", last);
  p.option("last_result_shared", shared);
  p.option("transfers", dice.choose({"through-caches", "through-caches", "past-caches"}));
  p.option("flush_on_deschedule", scratchpad || !kept);
  p.option("read_ports", dice.choose({0, 1, 3, 6}));
  p.option("write_ports", dice.choose({0, 1, 2}));
  p.option("queue_entries", dice.choose({1, 2, 16}));
  p.option("per_scheduler", dice.chance(50));
  if (dice.chance(4)) return;  // leave out the compiler pass: no instruction uses the operand file
  const std::string pairs = dice.choose({"neighbours", "anywhere"});
  if (scratchpad) {
    p.pass(R"({"type":"strands","rule":"bailey"})");
    return p.pass(fmt::format(
        R"({{"type":"scratchpad","entries":{},"live_out":{},"read_allocations":{},"reduce_ranges":{},"pairs":"{}"}})",
        entries, text(dice.chance(75)), text(dice.chance(75)), text(dice.chance(75)), pairs));
  }
  p.pass(fmt::format(R"({{"type":"strands","rule":"{}","backward_branches":{},"long_latency":{}}})",
                     dice.choose({"gebhart", "gebhart", "bailey"}), text(dice.chance(85)), text(!kept)));
  p.pass(fmt::format(
      R"({{"type":"operand-file","entries":{},"partial_range":{},"read_operands":{},"forward_branches":{},)"
      R"("last_result":"{}","last_result_shared":{},"writes":"{}","pairs":"{}"}})",
      entries, text(dice.chance(70)), text(dice.chance(70)), text(dice.chance(80)), last, text(shared),
      dice.choose({"any", "any", "one-level", "last-result-and-main"}), pairs));
}

// If the operand window uses compiler hints, the compiler pass must assume a window of the same size.
void operand_window(PartDraw& p) {
  Dice& dice = p.dice;
  const int instructions = dice.choose({1, 2, 3, 5, 9});
  const bool extends = dice.chance(70), hints = dice.chance(60);
  p.option("instructions", instructions);
  p.option("entries", dice.choose({4, 6, 12}));
  p.option("write_back", dice.chance(80));
  p.option("extends", extends);
  p.option("hints", hints ? "window" : "none");
  p.option("flush_on_deschedule", dice.chance(30));
  if (hints)
    p.pass(fmt::format(R"({{"type":"window-hints","instructions":{},"extends":{}}})", instructions,
                       text(extends)));
}

void interval_file(PartDraw& p) {
  const int registers = p.dice.choose({24, 24, 32, 60});
  p.option("registers", registers + p.dice.choose({0, 0, 4}));
  p.option("flush_on_deschedule", p.dice.chance(60));
  p.pass(fmt::format(R"({{"type":"register-intervals","registers":{}}})", registers));
}

void two_level(PartDraw& p) {
  p.option("active_warps", p.dice.choose({1, 2, 4, 8}));
  p.option("inner", p.dice.choose({"round-robin", "greedy", "greedy-oldest"}));
  p.option("pair_issue", p.dice.chance(50));
}

void gates(PartDraw& p) {
  two_level(p);
  p.option("switch_on_blackout", p.dice.chance(70));
  p.option("max_switch_cycles", p.dice.choose({0, 0, 10, 300}));
  p.option("switch_when_empty", p.dice.choose({"active", "ready"}));
}

void fetch_group(PartDraw& p) { p.option("group_warps", p.dice.choose({1, 2, 4, 8})); }

void instruction_cache(PartDraw& p) {
  p.option("bytes", p.dice.choose({256, 1024, 4096}));
  p.option("line_bytes", 64);
  p.option("ways", 2);
  p.option("miss_cycles", p.dice.choose({1, 20, 100}));
}

void release_flag_cache(PartDraw& p) { p.option("entries", p.dice.choose({0, 1, 5, 10})); }

void adaptive(PartDraw& p) {
  p.option("base", p.dice.choose({"conventional", "naive-blackout", "coordinated-blackout"}));
  p.option("epoch_cycles", p.dice.choose({20, 100, 1000}));
}

void eager(PartDraw& p) { p.option("base", p.dice.choose({"conventional", "naive-blackout"})); }

void origami(PartDraw& p) {
  two_level(p);
  p.option("max_switch_cycles", p.dice.choose({0, 0, 10, 300}));
  p.option("phase_cycles", p.dice.choose({10, 100, 300}));
  p.option("max_group_phases", p.dice.choose({1, 2}));
}

// Chooses the phases of the fold policy `phased`: short enough that many begin and end within a program, but
// long enough that gated lanes can wake.
void phased(PartDraw& p) {
  const bool plain = p.has("gpu.sm.gating.int.policy", "none") && p.has("gpu.sm.gating.fp.policy", "none");
  p.option("phase_cycles", p.dice.choose({plain ? 20 : 60, plain ? 40 : 90, 150}));
  p.option("aggressive_percent", p.dice.choose({30, 70, 100}));
  p.option("conservative_percent", p.dice.choose({0, 40, 80}));
  p.option("adaptive", p.dice.chance(50));
  p.option("busy_percent", p.dice.choose({10, 90}));
}

// Chooses the address of the first buffer, which determines whether pointers need 32 or 64 bits.
void buffer_base(PartDraw& p) { p.option("buffer_base", p.dice.choose({0, 0, 0x4000'0000, 0x7000'0000})); }

void fixed_latency(PartDraw& p) {
  p.option("latency_cycles", p.dice.choose({50, 100, 400, 1000}));
  p.option("bytes_per_cycle_per_sm", p.dice.choose({0, 4, 32}));
  p.option("bytes_per_cycle", p.dice.choose({0, 8, 64}));
  buffer_base(p);
}

void cached(PartDraw& p) {
  Dice& dice = p.dice;
  const int slices = dice.choose({1, 2, 4});
  const int ways = dice.choose({1, 2, 8});
  p.option("l2.slices", slices);
  p.option("l2.bytes", slices * ways * 128 * dice.choose({1, 4, 64}));
  p.option("l2.ways", ways);
  p.option("l2.interleave_bytes", dice.choose({128, 256, 1024}));
  p.option("l2.latency_cycles", dice.choose({90, 200}));
  p.option("l2.bytes_per_cycle", dice.choose({0, 8, 64}));
  p.option("l2.queue_requests", dice.choose({2, 8}));
  p.option("l2.mshrs", dice.choose({1, 2, 32}));
  p.option("l2.mshr_merges", dice.choose({1, 2, 16}));
  p.option("dram.channels", 1);
  p.option("dram.latency_cycles", dice.choose({1, 100, 300}));
  p.option("dram.bytes_per_cycle", dice.choose({0, 8, 64}));
  p.option("dram.queue_requests", dice.choose({1, 2, 32}));
  buffer_base(p);
}

void coalescing(PartDraw& p) {
  if (p.dice.chance(25)) p.option_json("kinds", R"(["read-read"])");
  p.option("instructions", p.dice.choose({"any", "any", "same"}));
  p.option("rows", p.dice.choose({"any", "any", "same"}));
  p.option("fit", p.dice.choose({"sub-banks", "sub-banks", "any", "widths", "sides"}));
  p.option("window", p.dice.choose({0, 0, 1, 3}));
}

void sub_banked(PartDraw& p) {
  p.option("width", p.dice.choose({"uniform", "signed"}));
  p.option("alignment", p.dice.choose({"entry", "entry", "register", "right", "compiler", "compiler"}));
  p.option("partial_writes", p.dice.choose({"widen", "full"}));
  p.option("detect_cycles", p.dice.choose({0, 0, 1, 2}));
  p.option("expand_cycles", p.dice.choose({0, 0, 1, 2}));
  p.pass(R"("register-sides")");
}

void base_delta(PartDraw& p) {
  Dice& dice = p.dice;
  p.option("sub_banks", dice.choose({4, 8}));
  p.option("partial_writes", dice.choose({"whole", "again"}));
  p.option("compress_cycles", dice.choose({0, 2, 3}));
  p.option("decompress_cycles", dice.choose({0, 1, 2}));
  p.option("raw_reads_skip", dice.chance(50));
  if (!dice.chance(60)) return;
  p.option("gating.policy", dice.choose({"conventional", "conventional", "naive-blackout"}));
  p.option("gating.wake_up_cycles", dice.choose({1, 3, 10}));
  p.option("gating.idle_detect_cycles", dice.choose({0, 5}));
}

// Chooses parameters of the entry format "packed", in which two registers share a row. The pass
// register-pairs chooses these pairs. Both registers must be in one bank. The layout is often `wid`, which
// places all registers of a warp in one bank.
void packed(PartDraw& p) {
  p.option("width", p.dice.choose({"uniform", "signed"}));
  p.option("partial_writes", p.dice.choose({"widen", "widen", "full"}));
  p.option("detect_cycles", p.dice.choose({0, 0, 1, 2}));
  p.option("expand_cycles", p.dice.choose({0, 0, 1, 2}));
  p.pass(R"("register-pairs")");
  if (p.dice.chance(80) && !p.has("gpu.sm.register_file.stages", "renaming"))
    p.set("gpu.sm.register_file.banks.layout", "wid");
}

// Chooses parameters of the stage renaming. With the register throttle, banks are often so small that CTAs
// wait for each other's registers, or that warps of one CTA are spilled. The largest CTA of a random program
// has seven warps and needs 35 entries of a bank.
void renaming(PartDraw& p) {
  Dice& dice = p.dice;
  const bool guarded = p.has("gpu.sm.constraints", "register-throttle");
  p.option("release", guarded ? dice.choose({"flags", "flags", "flags", "redefinition"})
                              : dice.choose({"flags", "flags", "redefinition", "warp-end"}));
  p.option("allocate",
           guarded ? dice.choose({"prepare", "write"}) : dice.choose({"prepare", "write", "placement"}));
  p.option("packing", dice.choose({"subarrays", "subarrays", "round-robin"}));
  const std::string full = guarded ? dice.choose({"wait", "wait", "next-bank"}) : "next-bank";
  p.option("bank_full", full);
  const int subarrays = dice.choose({1, 2, 4, 8});
  p.option("subarrays", subarrays);
  p.option("table_banks", dice.choose({1, 2, 4}));
  p.option("latency_cycles", dice.choose({0, 1, 3}));
  if (dice.chance(60)) {
    p.option("gating.policy", dice.choose({"conventional", "conventional", "naive-blackout"}));
    p.option("gating.wake_up_cycles", dice.choose({1, 3, 10}));
    p.option("gating.idle_detect_cycles", dice.choose({0, 5}));
  }
  if (!guarded) return;
  const bool small = dice.chance(85), shifted = !small || dice.chance(60);
  p.set("gpu.sm.register_file.banks.layout", shifted ? "wshift" : "wid");
  if (!small) return;
  p.set("gpu.sm.register_file.banks.count", "4");
  p.set("gpu.sm.register_file.banks.uneven_entries", "[]");
  const int entries = shifted || full == "next-bank" ? dice.choose({6, 6, 8, 8, 9, 12, 20, 36, 64})
                                                     : dice.choose({20, 24, 45, 70, 140, 160});
  p.set("gpu.sm.register_file.banks.entries", fmt::format("{}", std::max(entries, subarrays)));
  p.set("gpu.sm.register_file.architected_entries", "1024");
  p.set("compiler.max_registers", "20");
}

// Chooses parameters of the constraint register-throttle. Leaves out the rule that Jeon 2015 prints, because
// it can cause deadlocks (tests/scheduler/register_throttle_test.cpp). Not `refuse` with renaming: the register
// file may then be too small for a CTA, which `refuse` does not admit.
void register_throttle(PartDraw& p) {
  p.option("scope", p.dice.choose({"cta", "need"}));
  p.option("on_shortage",
           p.has("gpu.sm.register_file.stages", "renaming") ? "spill" : p.dice.choose({"spill", "refuse"}));
}

void tri_modal(PartDraw& p) {
  p.option("wake_up_cycles", p.dice.choose({0, 1, 2, 3, 7}));
  p.option("look_ahead_cycles", p.dice.choose({0, 0, 1, 3}));
  p.option("outputs", p.dice.choose({"from-collector", "from-collector", "at-write"}));
  p.option("unallocated", p.dice.choose({"off", "off", "drowsy"}));
}

// Sometimes gives the stage few access counters, or counters of few bits, which saturate. Registers without a
// counter keep their rows.
void swapping(PartDraw& p) {
  const std::string profile =
      p.dice.choose({"pilot", "pilot", "none", "static", "static-then-pilot", "static-then-pilot"});
  p.option("profile", profile);
  p.option("remap", p.dice.choose({"new-warps", "migrate", "migrate"}));
  p.option("counters", p.dice.choose({63, 63, 8}));
  p.option("counter_bits", p.dice.choose({16, 16, 3}));
  p.option("table", p.dice.choose({"cam", "indexed"}));
  p.option("lookup_cycles", p.dice.choose({0, 0, 1, 2}));
  if (profile != "pilot" || p.dice.chance(20)) p.pass(R"("register-ranks")");
}

void bare(PartDraw&) {}

// Chooses the rule for lanes that exit early: always `leave`, as in the untimed reference. With `end-of-all`,
// lanes reconverge at other points, and operations across lanes give other results.
void reconvergence(PartDraw& p) { p.option("exits", "leave"); }

struct Rule {
  void (*draw)(PartDraw&);
  bool on_request = false;
};

// Rules for parts whose parameters cannot be chosen independently: parameters that depend on each other or
// need other passes or parameters, and sizes that must be small to have an effect.
const std::map<std::string, Rule> kRules = {
    {"compiler.passes: allocate-registers", {bare}},
    {"compiler.passes: operand-file", {bare, true}},
    {"compiler.passes: reconvergence", {reconvergence}},
    {"compiler.passes: register-intervals", {bare, true}},
    {"compiler.passes: register-ranks", {bare, true}},
    {"compiler.passes: scratchpad", {bare, true}},
    {"compiler.passes: strands", {bare, true}},
    {"compiler.passes: window-hints", {bare, true}},
    {"gpu.memory: cached", {cached}},
    {"gpu.memory: fixed-latency", {fixed_latency}},
    {"gpu.sm.constraints: register-throttle", {register_throttle}},
    {"gpu.sm.front_end.stages: instruction-cache", {instruction_cache}},
    {"gpu.sm.front_end.stages: release-flag-cache", {release_flag_cache}},
    {"gpu.sm.folding.policy: phased", {phased}},
    {"gpu.sm.gating: adaptive", {adaptive}},
    {"gpu.sm.gating: eager", {eager}},
    {"gpu.sm.register_file.banks.arbiter: coalescing", {coalescing}},
    {"gpu.sm.register_file.banks.format: base-delta", {base_delta}},
    {"gpu.sm.register_file.banks.format: packed", {packed}},
    {"gpu.sm.register_file.banks.format: sub-banked", {sub_banked}},
    {"gpu.sm.register_file.banks.power: tri-modal", {tri_modal}},
    {"gpu.sm.register_file.stages: interval-file", {interval_file}},
    {"gpu.sm.register_file.stages: operand-file", {operand_file}},
    {"gpu.sm.register_file.stages: operand-window", {operand_window}},
    {"gpu.sm.register_file.stages: register-cache", {register_cache}},
    {"gpu.sm.register_file.stages: renaming", {renaming}},
    {"gpu.sm.register_file.stages: swapping", {swapping}},
    {"gpu.sm.scheduler: fetch-group", {fetch_group}},
    {"gpu.sm.scheduler: gates", {gates}},
    {"gpu.sm.scheduler: origami", {origami}},
    {"gpu.sm.scheduler: two-level", {two_level}},
};

void draw_field(PartDraw& p, const FieldInfo& field) {
  if (field.type == "boolean") return p.option(field.path, p.dice.chance(50));
  if (field.type == "string" && field.range.find(" | ") != std::string::npos) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < field.range.size();) {
      const std::size_t end = std::min(field.range.find(" | ", begin), field.range.size());
      words.push_back(field.range.substr(begin, end - begin));
      begin = end + 3;
    }
    return p.option(field.path, p.dice.choose(words));
  }
  const std::size_t dots = field.range.find("..");
  if (field.type != "integer" || dots == std::string::npos) return;
  const std::int64_t value = std::stoll(field.default_value), low = std::stoll(field.range),
                     high = std::stoll(field.range.substr(dots + 2));
  const std::int64_t values[] = {value, value, std::max(low, value / 2), std::min(high, value * 2)};
  p.option(field.path, values[p.dice.pick(4)]);
}

}  // namespace

PartDraw::PartDraw(Dice& the_dice, std::string name, const std::vector<std::string>& chosen)
    : dice(the_dice), part_(ConfigNode::make_object()), chosen_(chosen) {
  part_.members.emplace_back("type", ConfigNode::make_string(std::move(name)));
}

void PartDraw::option_json(const std::string& key, const std::string& json) {
  set_config(part_, key + "=" + json);
}

bool PartDraw::has(const std::string& place, const std::string& part) const {
  return std::find(chosen_.begin(), chosen_.end(), place + ": " + part) != chosen_.end();
}

void draw_part(PartDraw& draw, const Family& family, const PartInfo& part) {
  const auto rule = kRules.find(family.place() + ": " + part.name);
  if (rule != kRules.end()) return rule->second.draw(draw);
  for (const FieldInfo& field : part.parameters) draw_field(draw, field);
}

bool on_request(const std::string& place, const std::string& part) {
  const auto rule = kRules.find(place + ": " + part);
  return rule != kRules.end() && rule->second.on_request;
}

}  // namespace heddle::fuzz
