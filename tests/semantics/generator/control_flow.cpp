#include "groups.h"
#include "samples.h"
#include "table_writer.h"

namespace heddle::semantics {

namespace {

/// value of an output if its thread never reaches the store
constexpr std::uint64_t kUntouched = 0xa5a5a5a5;

void add_lines(FormWriter& form, std::initializer_list<const char*> lines) {
  for (const char* line : lines) form.body(line);
}

void add_guards(TableWriter& table) {
  FormWriter form("guards");
  form.covers("add.s32")
      .covers("sub.s32")
      .covers("mul.wide.s32")
      .covers("st.global.u32")
      .covers("ld.global.u32")
      .covers("mov.u32");
  form.in("a", "b32").in("b", "b32").in("p", "pred").scratch(16);
  form.out("d", "b32")
      .out("e", "b32")
      .out("wide", "b64")
      .out("memory", "b32")
      .out("loaded", "b32")
      .out("q", "pred");
  add_lines(
      form,
      {"mov.u32 %d, 7;", "@%p add.s32 %d, %a, %b;", "mov.u32 %e, 9;", "@!%p sub.s32 %e, %a, %b;",
       "mov.u64 %wide, 5;", "@%p mul.wide.s32 %wide, %a, %b;", "@!%p st.global.u32 [%scratch], %a;",
       "@%p st.global.u32 [%scratch+4], %b;", "ld.global.u32 %memory, [%scratch];", "mov.u32 %loaded, 3;",
       "@%p ld.global.u32 %loaded, [%scratch+4];", "setp.eq.u32 %q, 0, 1;", "@%p setp.ne.s32 %q, %a, %b;"});
  std::uint64_t flag = 0;
  for (const Words& in : integer_pairs(32, 5)) {
    flag ^= 1;
    const auto product = static_cast<std::uint64_t>(sign_extend(in[0], 32) * sign_extend(in[1], 32));
    const bool p = flag != 0;
    form.row({in[0], in[1], flag},
             {p ? truncate(in[0] + in[1], 32) : 7, p ? 9 : truncate(in[0] - in[1], 32), p ? product : 5,
              p ? 0 : in[0], p ? in[1] : 3, p && in[0] != in[1] ? 1ULL : 0ULL});
  }
  table.add(form);
}

std::uint64_t collatz_steps(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : truncate(3 * n + 1, 32);
  return steps;
}

void add_divergent_loop(TableWriter& table) {
  FormWriter form("bra/loop");
  form.covers("bra").covers("bra.uni").in("n", "b32").out("steps", "b32");
  form.declare(".reg .b32 %x, %bit;").declare(".reg .pred %done, %odd;");
  add_lines(form, {"mov.u32 %x, %n;", "mov.u32 %steps, 0;", "$_head_{#}:", "setp.le.u32 %done, %x, 1;",
                   "@%done bra $_end_{#};", "add.u32 %steps, %steps, 1;", "and.b32 %bit, %x, 1;",
                   "setp.ne.u32 %odd, %bit, 0;", "@%odd bra $_odd_{#};", "shr.u32 %x, %x, 1;",
                   "bra.uni $_head_{#};", "$_odd_{#}:", "mad.lo.s32 %x, %x, 3, 1;", "bra.uni $_head_{#};",
                   "$_end_{#}:"});
  for (std::uint64_t n = 0; n < 40; ++n) form.row({n}, {collatz_steps(n)});
  table.add(form);
}

void add_nested_loops(TableWriter& table) {
  FormWriter form("bra/nested");
  form.covers("bra").covers("exit").in("n", "b32").in("stop", "b32").in("leave", "b32").out("sum", "b32");
  form.declare(".reg .b32 %i, %j;").declare(".reg .pred %p;");
  add_lines(form, {"mov.u32 %sum, 0;", "mov.u32 %i, 0;", "$_outer_{#}:", "mov.u32 %j, 0;",
                   "$_inner_{#}:", "mad.lo.u32 %sum, %i, %j, %sum;", "setp.eq.u32 %p, %sum, %stop;",
                   "@%p bra $_end_{#};", "setp.gt.u32 %p, %sum, %leave;", "@%p exit;", "add.u32 %j, %j, 1;",
                   "setp.lt.u32 %p, %j, %i;", "@%p bra $_inner_{#};", "add.u32 %i, %i, 1;",
                   "setp.lt.u32 %p, %i, %n;", "@%p bra $_outer_{#};", "$_end_{#}:"});
  for (std::uint64_t row = 0; row < 40; ++row) {
    const std::uint64_t n = row % 9;
    const std::uint64_t stop = row % 5 == 0 ? 6 : 99999;
    const std::uint64_t leave = row % 4 == 1 ? 20 : 100000;
    std::uint64_t sum = 0;
    bool stopped = false;
    bool left = false;
    std::uint64_t i = 0;
    do {
      std::uint64_t j = 0;
      do {
        sum += i * j;
        stopped = sum == stop;
        left = !stopped && sum > leave;
        ++j;
      } while (!stopped && !left && j < i);
      ++i;
    } while (!stopped && !left && i < n);
    form.row({n, stop, leave}, {left ? kUntouched : sum});
  }
  table.add(form);
}

void add_early_ends(TableWriter& table) {
  for (const std::string end : {"ret", "ret.uni", "exit"}) {
    const bool is_uniform = end == "ret.uni";
    for (const bool branches : {false, true}) {
      if (is_uniform && branches) continue;
      FormWriter form(end + (branches ? "/branch" : "/guard"));
      form.covers(end).in("a", "b32").in("p", "pred").out("d", "b32");
      if (branches) {
        form.body("@!%p bra $_on_{#};").body(end + ";").body("$_on_{#}:");
      } else {
        form.body("@%p " + end + ";");
      }
      form.body("xor.b32 %d, %a, 0x55;");
      for (std::uint64_t row = 0; row < 40; ++row) {
        const bool ends = !is_uniform && (row % 3 == 1 || row > 35);
        form.row({row * 77, ends ? 1ULL : 0ULL}, {ends ? kUntouched : (row * 77) ^ 0x55});
      }
      table.add(form);
    }
  }
}

void add_calls(TableWriter& table) {
  FormWriter form("call");
  form.covers("call")
      .covers("call.uni")
      .covers("ret")
      .covers("ld.param.b32")
      .covers("st.param.b32")
      .covers("ld.param.b64")
      .covers("st.param.b64");
  for (const char* line : {".func (.param .b32 result) $_power (.param .b32 base, .param .b32 exponent) {",
                           ".reg .b32 %b, %e, %r; .reg .pred %p;",
                           "ld.param.b32 %b, [base];",
                           "ld.param.b32 %e, [exponent];",
                           "mov.u32 %r, 1;",
                           "setp.eq.u32 %p, %e, 0;",
                           "@%p bra none;",
                           "again:",
                           "mul.lo.u32 %r, %r, %b;",
                           "sub.u32 %e, %e, 1;",
                           "setp.ne.u32 %p, %e, 0;",
                           "@%p bra again;",
                           "none:",
                           "st.param.b32 [result], %r;",
                           "ret; }",
                           ".func (.param .b64 result) $_chosen (.param .b64 first, .param .b32 which) {",
                           ".reg .b64 %x, %y; .reg .b32 %w, %z; .reg .pred %p;",
                           "ld.param.b64 %x, [first];",
                           "ld.param.b32 %w, [which];",
                           "setp.gt.u32 %p, %w, 3;",
                           "@%p bra large;",
                           "st.param.b64 [result], %x;",
                           "ret;",
                           "large:",
                           "cvt.u32.u64 %z, %x;",
                           "{ .param .b32 a; .param .b32 b; .param .b32 r;",
                           "st.param.b32 [a], %z;",
                           "st.param.b32 [b], %w;",
                           "call.uni (r), $_power, (a, b);",
                           "ld.param.b32 %z, [r]; }",
                           "cvt.u64.u32 %y, %z;",
                           "st.param.b64 [result], %y;",
                           "ret; }"})
    form.module(line);
  form.in("x", "b64").in("which", "b32").in("p", "pred").out("chosen", "b64").out("guarded", "b32");
  form.declare(".reg .b32 %low;");
  add_lines(form, {"{ .param .b64 a; .param .b32 w; .param .b64 r;", "st.param.b64 [a], %x;",
                   "st.param.b32 [w], %which;", "call.uni (r), $_chosen, (a, w);",
                   "ld.param.b64 %chosen, [r]; }", "mov.u32 %guarded, 11;", "cvt.u32.u64 %low, %x;",
                   "@!%p bra $_skip_{#};", "{ .param .b32 a; .param .b32 b; .param .b32 r;",
                   "st.param.b32 [a], %low;", "st.param.b32 [b], %which;", "call (r), $_power, (a, b);",
                   "ld.param.b32 %guarded, [r]; }", "$_skip_{#}:"});
  for (std::uint64_t row = 0; row < 40; ++row) {
    const std::uint64_t x = row * 0x100000003ULL + 2;
    const std::uint64_t which = row % 7;
    std::uint64_t power = 1;
    for (std::uint64_t i = 0; i < which; ++i) power = truncate(power * x, 32);
    form.row({x, which, row % 3 == 0 ? 1ULL : 0ULL}, {which > 3 ? power : x, row % 3 == 0 ? power : 11});
  }
  table.add(form);
}

void add_procedures(TableWriter& table) {
  FormWriter form("call/procedures");
  form.covers("call.uni").covers("exit").module(".global .align 4 .u32 $_count;");
  for (const char* line : {".func $_bump () {", ".reg .b64 %a; .reg .b32 %old;", "mov.u64 %a, $_count;",
                           "atom.global.add.u32 %old, [%a], 1;", "ret; }",
                           ".func $_leave (.param .b32 code) {", ".reg .b32 %c; .reg .pred %p;",
                           "ld.param.b32 %c, [code];", "setp.eq.u32 %p, %c, 3;", "@%p exit;", "ret; }"})
    form.module(line);
  form.in("code", "b32").out("count", "b32").declare(".reg .b64 %address;");
  add_lines(form, {"call.uni $_bump;", "bar.sync 0;", "mov.u64 %address, $_count;",
                   "ld.global.u32 %count, [%address];", "{ .param .b32 c;", "st.param.b32 [c], %code;",
                   "call.uni $_leave, (c); }"});
  for (std::uint64_t row = 0; row < 36; ++row) form.row({row % 5}, {row % 5 == 3 ? kUntouched : 36});
  table.add(form);
}

/// Adds an entry with a chain of comparisons, as compilers generate for a switch, with a case that falls
/// through.
void add_switch(TableWriter& table) {
  FormWriter form("bra/switch");
  form.covers("bra").in("n", "b32").out("d", "b32").declare(".reg .pred %p;");
  add_lines(form,
            {"mov.u32 %d, 1;", "setp.eq.s32 %p, %n, 0;", "@%p bra $_zero_{#};", "setp.eq.s32 %p, %n, 1;",
             "@%p bra $_one_{#};", "setp.gt.s32 %p, %n, 5;", "@%p bra $_large_{#};", "bra.uni $_end_{#};",
             "$_zero_{#}:", "add.u32 %d, %d, 10;", "$_one_{#}:", "add.u32 %d, %d, 100;", "bra $_end_{#};",
             "$_large_{#}:", "mul.lo.u32 %d, %n, 3;", "$_end_{#}:"});
  for (std::uint64_t row = 0; row < 36; ++row) {
    const std::uint64_t n = row % 9;
    form.row({n}, {n == 0 ? 111 : n == 1 ? 101 : n > 5 ? 3 * n : 1});
  }
  table.add(form);
}

/// Adds entries for brx.idx, a branch to a target from a list. Either several lanes take each target, or
/// all lanes take the same target (.uni).
void add_branch_tables(TableWriter& table) {
  for (const bool uniform : {false, true}) {
    const std::string spelled = uniform ? "brx.idx.uni" : "brx.idx";
    FormWriter form(spelled);
    form.covers(spelled).in("n", "b32").out("d", "b32");
    form.body("mov.u32 %d, 5;")
        .body("$_targets_{#}: .branchtargets $_zero_{#}, $_one_{#}, $_two_{#}, $_one_{#};");
    form.body(spelled + " %n, $_targets_{#};");
    add_lines(form, {"$_zero_{#}:", "add.u32 %d, %d, 10;", "bra.uni $_end_{#};", "$_one_{#}:",
                     "add.u32 %d, %d, 100;", "$_two_{#}:", "add.u32 %d, %d, 1000;", "$_end_{#}:"});
    for (std::uint64_t row = 0; row < 36; ++row) {
      const std::uint64_t n = uniform ? 3 : row * 5 % 4;
      form.row({n}, {n == 0 ? 15ULL : n == 2 ? 1005ULL : 1105ULL});
    }
    table.add(form);
  }
}

void add_pauses(TableWriter& table) {
  FormWriter form("pauses");
  form.covers("nanosleep.u32")
      .covers("membar.cta")
      .covers("membar.gl")
      .covers("trap")
      .in("a", "b32")
      .in("never", "pred")
      .out("d", "b32");
  add_lines(form, {"nanosleep.u32 20;", "nanosleep.u32 %a;", "membar.cta;", "membar.gl;", "@%never trap;",
                   "add.u32 %d, %a, 1;"});
  for (std::uint64_t row = 0; row < 14; ++row) form.row({row * 3, 0}, {row * 3 + 1});
  table.add(form);
}

}  // namespace

void write_control_flow(const std::string& folder) {
  TableWriter table(folder, "control_flow", "Branches, calls, ends of threads, guards");
  add_guards(table);
  add_divergent_loop(table);
  add_nested_loops(table);
  add_switch(table);
  add_branch_tables(table);
  add_early_ends(table);
  add_calls(table);
  add_procedures(table);
  add_pauses(table);
}

}  // namespace heddle::semantics
