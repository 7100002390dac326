#include "groups.h"
#include "memory_access.h"
#include "samples.h"
#include "soft_float.h"

namespace heddle::semantics {

namespace {

struct Operation {
  std::string name;
  std::string type;

  int width() const { return std::stoi(type.substr(1)); }
  std::string column() const { return (type[0] == 'f' ? "f" : "b") + std::to_string(width()); }
  bool is_float() const { return type[0] == 'f'; }
  const Format& format() const { return width() == 32 ? f32 : f64; }
};

/// Returns the memory word after an atomic on the old word `old` with operand b (and c, for cas).
std::uint64_t after(const Operation& operation, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  const int width = operation.width();
  const bool is_signed = operation.type[0] == 's';
  const bool below = integer_of(old, width, is_signed) < integer_of(b, width, is_signed);
  // The f32 samples for sums contain no subnormals, so it does not matter whether an atomic flushes them.
  if (operation.is_float()) return add(operation.format(), old, b, Round::nearest);
  if (operation.name == "add") return truncate(old + b, width);
  if (operation.name == "min") return below ? old : b;
  if (operation.name == "max") return below ? b : old;
  if (operation.name == "inc") return old >= b ? 0 : old + 1;
  if (operation.name == "dec") return old == 0 || old > b ? b : old - 1;
  if (operation.name == "and") return old & b;
  if (operation.name == "or") return old | b;
  if (operation.name == "xor") return old ^ b;
  if (operation.name == "exch") return b;
  return old == b ? c : old;
}

std::vector<Words> rows_for(const Operation& operation, std::size_t count) {
  std::vector<Words> rows;
  if (operation.is_float()) {
    for (const Words& pair : float_pairs(operation.format(), 12)) {
      const bool subnormal = operation.format().is_subnormal(pair[0]) ||
                             operation.format().is_subnormal(pair[1]) ||
                             operation.format().is_subnormal(after(operation, pair[0], pair[1], 0));
      if (!subnormal) rows.push_back(pair);
    }
  } else {
    rows = integer_pairs(operation.width(), 12);
    for (const std::uint64_t word : {5, 6, 7}) rows.push_back({6, word});
  }
  // Choose from all parts of the list, so that a short table has all kinds of operands.
  std::vector<Words> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(rows[i * 7 % rows.size()]);
  if (operation.name == "cas") {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::uint64_t old = chosen[i][0];
      if (i % 2 == 0) chosen[i][1] = old;
      chosen[i].push_back(truncate(~old * 3 + i, operation.width()));
    }
  }
  return chosen;
}

std::vector<Operation> operations() {
  std::vector<Operation> list;
  for (const char* type : {"u32", "s32", "u64", "f32", "f64"}) list.push_back({"add", type});
  for (const char* name : {"min", "max"}) {
    for (const char* type : {"u32", "s32", "u64", "s64"}) list.push_back({name, type});
  }
  for (const char* name : {"inc", "dec"}) list.push_back({name, "u32"});
  for (const char* name : {"and", "or", "xor", "exch", "cas"}) {
    for (const char* type : {"b32", "b64"}) list.push_back({name, type});
  }
  return list;
}

bool has_reduction(const Operation& operation) { return operation.name != "exch" && operation.name != "cas"; }

/// Adds an entry for one spelling of an atomic. The kernel sets a memory word of its row, executes the
/// operation, and reads the word. `red` returns no old value.
void add_atomic(TableWriter& table, const Operation& operation, const std::string& spelled,
                const Place& place, std::size_t rows) {
  const bool returns = spelled.starts_with("atom");
  const bool swaps = operation.name == "cas";
  const std::string column = operation.column();
  const std::string space = place.space.empty() ? "" : "." + place.space;
  FormWriter form(spelled + (place.space.empty() && place.memory != "global" ? "/" + place.memory : ""));
  form.covers(spelled).in("initial", column).in("b", column);
  if (swaps) form.in("c", column);
  add_base(form, place);
  form.body("st" + space + "." + column + " [%base], %initial;");
  form.body(spelled + (returns ? " %old, [%base], %b" : " [%base], %b") + (swaps ? ", %c;" : ";"));
  form.body("ld" + space + "." + column + " %after, [%base];");
  if (returns) form.out("old", column);
  form.out("after", column);
  for (const Words& in : rows_for(operation, rows)) {
    const std::uint64_t result = after(operation, in[0], in[1], swaps ? in[2] : 0);
    if (returns) {
      form.row(in, {in[0], result});
    } else {
      form.row(in, {result});
    }
  }
  table.add(form);
}

void add_plain(TableWriter& table) {
  for (const Operation& operation : operations()) {
    const std::string tail = "." + operation.name + "." + operation.type;
    add_atomic(table, operation, "atom.global" + tail, {"", "global", "global"}, 20);
    add_atomic(table, operation, "atom.shared" + tail, {"", "shared", "shared"}, 14);
    add_atomic(table, operation, "atom" + tail, {"", "", "global"}, 14);
    add_atomic(table, operation, "atom" + tail, {"", "", "shared"}, 12);
    if (!has_reduction(operation)) continue;
    add_atomic(table, operation, "red.global" + tail, {"", "global", "global"}, 12);
    add_atomic(table, operation, "red.shared" + tail, {"", "shared", "shared"}, 12);
    add_atomic(table, operation, "red" + tail, {"", "", "global"}, 12);
  }
}

void add_ordered(TableWriter& table) {
  const std::vector<Operation> list = operations();
  for (const Operation& operation : list) {
    const std::string tail = "." + operation.name + "." + operation.type;
    if (operation.type.substr(1) == "64" && operation.name != "add" && operation.name != "cas") continue;
    add_atomic(table, operation, "atom.sys" + tail, {"", "", "global"}, 12);
    add_atomic(table, operation, "atom.global.sys" + tail, {"", "global", "global"}, 12);
  }
  std::size_t turn = 0;
  for (const Operation& operation : list) {
    const std::string tail = "." + operation.name + "." + operation.type;
    for (const std::string order : {"relaxed", "acquire", "release", "acq_rel"}) {
      const std::string scope = std::vector<std::string>{"cta", "gpu", "sys"}[turn++ % 3];
      add_atomic(table, operation, "atom." + order + "." + scope + ".global" + tail, {"", "global", "global"},
                 12);
    }
  }
  struct Spelling {
    Operation operation;
    std::string text;
  };
  // spellings in which the operation stands before the memory order, as in some libraries
  for (const Spelling& spelling : {Spelling{{"or", "b32"}, "atom.or.acq_rel.cta.b32"},
                                   Spelling{{"add", "u32"}, "atom.add.release.gpu.u32"},
                                   Spelling{{"add", "u64"}, "atom.add.acq_rel.cta.u64"},
                                   Spelling{{"add", "u64"}, "atom.add.relaxed.cta.u64"},
                                   Spelling{{"add", "u32"}, "atom.add.relaxed.cta.u32"},
                                   Spelling{{"add", "u32"}, "atom.add.acquire.cta.u32"},
                                   Spelling{{"and", "b32"}, "red.and.release.cta.b32"},
                                   Spelling{{"add", "u32"}, "red.release.gpu.global.add.u32"},
                                   Spelling{{"or", "b32"}, "atom.acq_rel.cta.or.b32"},
                                   Spelling{{"and", "b32"}, "red.release.cta.and.b32"},
                                   Spelling{{"add", "u32"}, "atom.release.gpu.add.u32"},
                                   Spelling{{"add", "u64"}, "atom.relaxed.cta.add.u64"},
                                   Spelling{{"cas", "b32"}, "atom.acquire.gpu.cas.b32"},
                                   Spelling{{"exch", "b32"}, "atom.release.gpu.exch.b32"}}) {
    const bool global = spelling.text.find(".global") != std::string::npos;
    add_atomic(table, spelling.operation, spelling.text, {"", global ? "global" : "", "global"}, 12);
  }
}

/// Adds entries in which all lanes of two warps change the same word. The final value does not depend on
/// their order.
void add_contended(TableWriter& table) {
  struct Case {
    Operation operation;
    std::uint64_t initial;
    std::function<std::uint64_t(std::uint64_t lane)> operand;
  };
  for (const Case& item :
       {Case{{"add", "u32"}, 5, [](auto t) { return t + 1; }},
        Case{{"max", "s32"}, 0x80000000, [](auto t) { return truncate(t * 7 - 300, 32); }},
        Case{{"min", "u32"}, 0xffffffff, [](auto t) { return 1000 - t; }},
        Case{{"xor", "b32"}, 0x1234, [](auto t) { return t * t; }},
        Case{{"or", "b32"}, 0, [](auto t) { return t < 32 ? 1ULL << t : 0; }},
        Case{{"inc", "u32"}, 0, [](auto) { return 40; }}, Case{{"dec", "u32"}, 3, [](auto) { return 25; }},
        Case{{"and", "b32"}, 0xffffffff, [](auto t) { return ~(1ULL << (t % 20)) & 0xffffffff; }},
        Case{{"add", "u64"}, 0xfffffff0, [](auto t) { return t << 32 | 1; }}}) {
    const std::string column = item.operation.column();
    const std::string tail = "." + item.operation.name + "." + item.operation.type;
    FormWriter form("atom.shared" + tail + "/contended");
    form.covers("atom.shared" + tail).in("initial", column).in("b", column).out("last", column);
    form.declare(".shared .align 8 .b8 $_word[8];")
        .declare(".reg ." + column + " %old;")
        .declare(".reg .pred %first;");
    form.body("setp.eq.u32 %first, %row, 0;")
        .body("@%first st.shared." + column + " [$_word], %initial;")
        .body("bar.sync 0;");
    form.body("atom.shared" + tail + " %old, [$_word], %b;")
        .body("bar.sync 0;")
        .body("ld.shared." + column + " %last, [$_word];");
    std::uint64_t last = item.initial;
    for (std::uint64_t t = 0; t < 64; ++t) last = after(item.operation, last, item.operand(t), 0);
    for (std::uint64_t t = 0; t < 64; ++t) form.row({item.initial, item.operand(t)}, {last});
    table.add(form);
  }
}

/// Adds an entry for a divergent loop with compare-and-swap, which adds 1 for every thread. It must end, and
/// no addition may be lost.
void add_swap_loop(TableWriter& table) {
  FormWriter form("atom.shared.cas.b32/loop");
  form.covers("atom.shared.cas.b32").in("amount", "b32").out("total", "b32");
  form.declare(".shared .align 4 .b32 $_total;")
      .declare(".reg .b32 %seen, %wanted, %found;")
      .declare(".reg .pred %p;");
  for (const char* line :
       {"setp.eq.u32 %p, %row, 0;", "@%p st.shared.b32 [$_total], 0;", "bar.sync 0;",
        "ld.shared.b32 %seen, [$_total];", "$_again_{#}:", "add.u32 %wanted, %seen, %amount;",
        "atom.shared.cas.b32 %found, [$_total], %seen, %wanted;", "setp.ne.u32 %p, %found, %seen;",
        "mov.b32 %seen, %found;", "@%p bra $_again_{#};", "bar.sync 0;", "ld.shared.b32 %total, [$_total];"})
    form.body(line);
  for (std::uint64_t t = 0; t < 48; ++t) form.row({t + 3}, {47 * 48 / 2 + 3 * 48});
  table.add(form);
}

}  // namespace

void write_atomics(const std::string& folder) {
  TableWriter plain(folder, "atomics", "Atomic operations and reductions");
  add_plain(plain);
  add_contended(plain);
  add_swap_loop(plain);
  TableWriter ordered(folder, "atomics_ordered", "Atomic operations with scopes and memory orders");
  add_ordered(ordered);
}

}  // namespace heddle::semantics
