#include "groups.h"
#include "table_writer.h"
#include "words.h"

// Writes table entries for recursive functions and for calls through registers.

namespace heddle::semantics {

namespace {

std::uint64_t word(std::uint64_t v) { return truncate(v, 32); }

Words small_numbers(int first, int count) {
  Words words;
  for (int i = 0; i < count; ++i) words.push_back(static_cast<std::uint64_t>(first + i * 7 % count));
  return words;
}

FormWriter with_module(const std::string& name, const std::vector<std::string>& lines) {
  FormWriter form(name);
  for (const std::string& line : lines) form.module(line);
  return form;
}
FormWriter& with_body(FormWriter& form, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) form.body(line);
  return form;
}

const std::vector<std::string> kFactorial{".func (.param .b32 $_out) $_factorial(.param .b32 $_n)",
                                          "{",
                                          ".reg .b32 %n, %r, %m; .reg .pred %p;",
                                          "ld.param.u32 %n, [$_n];",
                                          "setp.le.u32 %p, %n, 1;",
                                          "@%p bra $_one;",
                                          "sub.u32 %m, %n, 1;",
                                          "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %m; call.uni "
                                          "(b), $_factorial, (a); ld.param.u32 %r, [b]; }",
                                          "mul.lo.u32 %r, %r, %n;",
                                          "st.param.b32 [$_out], %r;",
                                          "ret;",
                                          "$_one:",
                                          "st.param.b32 [$_out], 1;",
                                          "ret;",
                                          "}"};
const std::vector<std::string> kCallFactorial{
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %a; call.uni (b), $_factorial, (a); ld.param.u32 %d, "
    "[b]; }"};

void add_factorial(TableWriter& table) {
  FormWriter form = with_module("call/factorial", kFactorial);
  form.covers("call.uni").in("a", "b32").out("d", "b32");
  with_body(form, kCallFactorial);
  for (const std::uint64_t n : small_numbers(0, 16)) {
    std::uint64_t product = 1;
    for (std::uint64_t k = 2; k <= n; ++k) product *= k;
    form.row({n}, {word(product)});
  }
  table.add(form);
}

/// Adds an entry in which values of every width and a predicate are used after two recursive calls. The
/// second call overwrites the registers of the first.
void add_fibonacci(TableWriter& table) {
  FormWriter form =
      with_module("call/fibonacci",
                  {".func (.param .b64 $_out) $_fibonacci(.param .b32 $_n, .param .b64 $_step)",
                   "{",
                   ".reg .b32 %n, %m; .reg .b64 %s, %x, %y; .reg .b16 %h; .reg .pred %p, %odd; .reg .f64 %f;",
                   "ld.param.u32 %n, [$_n];",
                   "ld.param.u64 %s, [$_step];",
                   "cvt.u16.u32 %h, %n;",
                   "cvt.rn.f64.u32 %f, %n;",
                   "and.b32 %m, %n, 1;",
                   "setp.ne.b32 %odd, %m, 0;",
                   "cvt.u64.u32 %x, %n;",
                   "setp.lt.u32 %p, %n, 2;",
                   "@%p bra $_end;",
                   "sub.u32 %m, %n, 1;",
                   "call (%x), $_fibonacci, (%m, %s);",
                   "cvt.u32.u16 %m, %h;",
                   "sub.u32 %m, %m, 2;",
                   "call (%y), $_fibonacci, (%m, %s);",
                   "add.u64 %x, %x, %y;",
                   "@%odd add.u64 %x, %x, %s;",
                   "cvt.rzi.u64.f64 %y, %f;",
                   "add.u64 %x, %x, %y;",
                   "$_end:",
                   "st.param.b64 [$_out], %x;",
                   "ret;",
                   "}"});
  form.covers("call").in("a", "b32").in("s", "b64").out("d", "b64");
  with_body(form, {"call (%d), $_fibonacci, (%a, %s);"});
  for (const std::uint64_t n : small_numbers(0, 12)) {
    const std::uint64_t step = 1000000007ULL * n;
    std::vector<std::uint64_t> f{0, 1};
    for (std::uint64_t k = 2; k <= n; ++k) f.push_back(f[k - 1] + f[k - 2] + (k % 2 ? step : 0) + k);
    form.row({n, step}, {f[n]});
  }
  table.add(form);
}

void add_mutual(TableWriter& table) {
  FormWriter form = with_module("call/mutual", {".func (.reg .b32 $_out) $_odd(.reg .b32 $_n);",
                                                ".func (.reg .b32 $_out) $_even(.reg .b32 $_n)",
                                                "{",
                                                ".reg .b32 %m; .reg .pred %p;",
                                                "mov.u32 $_out, 2;",
                                                "setp.ne.u32 %p, $_n, 0;",
                                                "sub.u32 %m, $_n, 1;",
                                                "@%p call ($_out), $_odd, (%m);",
                                                "add.u32 $_out, $_out, $_n;",
                                                "ret;",
                                                "}",
                                                ".func (.reg .b32 $_out) $_odd(.reg .b32 $_n)",
                                                "{",
                                                ".reg .b32 %m; .reg .pred %p;",
                                                "mov.u32 $_out, 1;",
                                                "setp.eq.u32 %p, $_n, 0;",
                                                "@%p bra $_done;",
                                                "sub.u32 %m, $_n, 1;",
                                                "call ($_out), $_even, (%m);",
                                                "shl.b32 $_out, $_out, 1;",
                                                "$_done:",
                                                "ret;",
                                                "}"});
  form.covers("call").in("a", "b32").out("d", "b32");
  with_body(form, {"call (%d), $_even, (%a);"});
  for (const std::uint64_t n : small_numbers(0, 14)) {
    const auto even = [](auto self, std::uint64_t k, bool is_odd) -> std::uint64_t {
      if (is_odd) return k == 0 ? 1 : word(self(self, k - 1, false) << 1);
      return word((k == 0 ? 2 : self(self, k - 1, true)) + k);
    };
    form.row({n}, {even(even, n, false)});
  }
  table.add(form);
}

void add_frames(TableWriter& table) {
  FormWriter form =
      with_module("call/frames",
                  {".func (.param .align 16 .b8 $_out[16]) $_fill(.param .b32 $_n, .param .b64 $_at, "
                   ".param .align 16 .b8 $_pair[16])",
                   "{",
                   ".local .align 4 .b8 $_room[12];",
                   ".reg .b32 %n, %m, %v; .reg .b64 %from, %room, %x, %y; .reg .pred %p;",
                   "ld.param.u32 %n, [$_n];",
                   "ld.param.u64 %from, [$_at];",
                   "ld.param.v2.u64 {%x, %y}, [$_pair];",
                   "mov.u64 %room, $_room;",
                   "cvta.local.u64 %room, %room;",
                   "st.u32 [%room], %n;",
                   "ld.u32 %v, [%from];",
                   "add.u32 %v, %v, %n;",
                   "st.local.u32 [$_room+4], %v;",
                   "st.local.u32 [$_room+8], %n;",
                   "setp.eq.u32 %p, %n, 0;",
                   "@%p bra $_end;",
                   "sub.u32 %m, %n, 1;",
                   "add.u64 %x, %x, 1;",
                   "{ .param .b32 a; .param .b64 b; .param .align 16 .b8 c[16]; .param .align 16 .b8 d[16];",
                   "st.param.b32 [a], %m; add.u64 %room, %room, 4; st.param.b64 [b], %room;",
                   "st.param.b64 [c], %x; st.param.b64 [c+8], %y;",
                   "call (d), $_fill, (a, b, c);",
                   "ld.param.v2.u64 {%x, %y}, [d]; }",
                   "$_end:",
                   "ld.local.u32 %v, [$_room+8];",
                   "cvt.u64.u32 %room, %v;",
                   "mad.lo.u64 %y, %y, 3, %room;",
                   "ld.local.u32 %v, [$_room+4];",
                   "cvt.u64.u32 %room, %v;",
                   "add.u64 %x, %x, %room;",
                   "st.param.b64 [$_out], %x;",
                   "st.param.b64 [$_out+8], %y;",
                   "ret;",
                   "}"});
  form.covers("call").in("a", "b32").in("x", "b64").out("d", "b64").out("e", "b64");
  form.declare(".local .align 4 .b32 $_start;").declare(".reg .b64 %at;");
  with_body(form,
            {"st.local.b32 [$_start], 5;", "mov.u64 %at, $_start;", "cvta.local.u64 %at, %at;",
             "{ .param .b32 p0; .param .b64 p1; .param .align 16 .b8 p2[16]; .param .align 16 .b8 r[16];",
             "st.param.b32 [p0], %a; st.param.b64 [p1], %at; st.param.v2.b64 [p2], {%x, %x};",
             "call (r), $_fill, (p0, p1, p2);", "ld.param.b64 %d, [r]; ld.param.b64 %e, [r+8]; }"});
  for (const std::uint64_t n : small_numbers(0, 8)) {
    const std::uint64_t start = 0x100000000ULL * n + 3;
    std::uint64_t x = start, y = start, seen = 5;
    std::vector<std::uint64_t> values;
    for (std::uint64_t k = n + 1; k-- > 0;) {
      values.push_back(seen += k);
      if (k) ++x;
    }
    for (std::uint64_t k = 0; k <= n; ++k) {
      y = y * 3 + k;
      x += values[values.size() - 1 - k];
    }
    form.row({n, start}, {x, y});
  }
  table.add(form);
}

const std::vector<std::string> kShapes{
    ".func (.param .b32 $_out) $_double(.param .b32 $_v)",
    "{ .reg .b32 %r; ld.param.u32 %r, [$_v]; shl.b32 %r, %r, 1; st.param.b32 [$_out], %r; ret; }",
    ".func (.param .b32 $_out) $_square(.param .b32 $_v)",
    "{ .reg .b32 %r; ld.param.u32 %r, [$_v]; mul.lo.u32 %r, %r, %r; st.param.b32 [$_out], %r; ret; }",
    ".func (.param .b32 $_out) $_negate(.param .b32 $_v)",
    "{ .reg .b32 %r; ld.param.u32 %r, [$_v]; neg.s32 %r, %r; st.param.b32 [$_out], %r; ret; }"};

std::uint64_t shape(std::uint64_t which, std::uint64_t v) {
  return which == 0 ? word(v * 2) : which == 1 ? word(v * v) : word(0 - v);
}

void add_pointers(TableWriter& table) {
  for (const bool prototype : {false, true}) {
    FormWriter form = with_module(prototype ? "call/prototype" : "call/targets", kShapes);
    form.module(".global .align 8 .u64 $_table[3] = {$_double, $_square, $_negate};");
    form.covers("call").in("a", "b32").in("v", "b32").out("d", "b32");
    form.declare(".reg .b64 %at, %function;");
    with_body(form,
              {"mov.u64 %at, $_table;", "mad.wide.u32 %at, %a, 8, %at;", "ld.global.u64 %function, [%at];",
               prototype ? "$_list: .callprototype (.param .b32 _) _ (.param .b32 _);"
                         : "$_list: .calltargets $_double, $_square, $_negate;",
               "{ .param .b32 p; .param .b32 r; st.param.b32 [p], %v; call (r), %function, (p), $_list; "
               "ld.param.b32 %d, [r]; }"});
    for (std::uint64_t i = 0; i < 40; ++i) {
      const std::uint64_t which = i * i % 3, v = i * 77 + 1;
      form.row({which, v}, {shape(which, v)});
    }
    table.add(form);
  }
}

void add_pointed_recursion(TableWriter& table) {
  FormWriter form = with_module(
      "call/pointed-recursion",
      {".func (.param .b32 $_out) $_leaf(.param .b32 $_n, .param .b64 $_f)",
       "{ .reg .b32 %r; ld.param.u32 %r, [$_n]; add.u32 %r, %r, 100; st.param.b32 [$_out], %r; ret; }",
       ".func (.param .b32 $_out) $_walk(.param .b32 $_n, .param .b64 $_f)", "{",
       ".reg .b32 %n, %m, %r; .reg .b64 %f; .reg .pred %p;", "ld.param.u32 %n, [$_n];",
       "ld.param.u64 %f, [$_f];", "sub.u32 %m, %n, 1;", "setp.eq.u32 %p, %m, 0;", "@%p mov.u64 %f, $_leaf;",
       "$_kind: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);",
       "call (%r), %f, (%m, %f), $_kind;", "mad.lo.u32 %r, %r, 2, %n;", "st.param.b32 [$_out], %r;", "ret;",
       "}"});
  form.covers("call").in("a", "b32").out("d", "b32");
  form.declare(".reg .b64 %function;");
  with_body(form, {"mov.u64 %function, $_walk;", "call (%d), $_walk, (%a, %function);"});
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::uint64_t n = 1 + i * 5 % 12;
    std::uint64_t value = 100;
    for (std::uint64_t k = 1; k <= n; ++k) value = word(value * 2 + k);
    form.row({n}, {value});
  }
  table.add(form);
}

void add_failures(TableWriter& table) {
  FormWriter deep = with_module("call/too-deep", kFactorial);
  deep.covers("call.uni").in("a", "b32").out("d", "b32").error("stack");
  with_body(deep, kCallFactorial);
  for (const std::uint64_t n : {500, 100000}) deep.row({n}, {Expected::any()});
  table.add(deep);
  FormWriter wrong = with_module("call/no-function", kShapes);
  wrong.covers("call").in("f", "b64").in("v", "b32").out("d", "b32").error("pointer");
  with_body(wrong, {"$_list: .calltargets $_double, $_square;",
                    "{ .param .b32 p; .param .b32 r; st.param.b32 [p], %v; call (r), %f, (p), $_list; "
                    "ld.param.b32 %d, [r]; }"});
  for (const std::uint64_t f : {0, 12345}) wrong.row({f, 1}, {Expected::any()});
  table.add(wrong);
}

}  // namespace

void write_calls(const std::string& folder) {
  TableWriter table(folder, "calls", "Functions that call themselves, and calls through registers");
  add_factorial(table);
  add_fibonacci(table);
  add_mutual(table);
  add_frames(table);
  add_pointers(table);
  add_pointed_recursion(table);
  add_failures(table);
}

}  // namespace heddle::semantics
