#include "groups.h"
#include "memory_access.h"
#include "samples.h"
#include "table_writer.h"

// Writes table entries for all kinds of operands and for rarer PTX spellings. Other tables test the results
// of these operations.

namespace heddle::semantics {

namespace {

void add_lines(FormWriter& form, std::initializer_list<const char*> lines) {
  for (const char* line : lines) form.body(line);
}

/// Adds an entry for each kind of address: register with offsets of both signs, 32-bit register, symbol,
/// symbol with offset.
void add_addresses(TableWriter& table) {
  FormWriter form("addresses");
  form.covers("ld.global.u32")
      .covers("st.global.u32")
      .covers("ld.shared.u32")
      .covers("st.shared.u32")
      .covers("ld.local.u32")
      .covers("ld.const.u32");
  form.in("value", "b32").scratch(32);
  form.module(".const .align 4 .u32 $_table[4] = {11, 22, 33, 44};");
  form.declare(".shared .align 4 .b8 $_area[1024];").declare(".local .align 8 .b8 $_depot[32];");
  form.declare(".reg .b64 %high, %local;").declare(".reg .b32 %narrow, %more;");
  add_lines(form, {"add.s64 %high, %scratch, 16;", "st.global.u32 [%high+-12], %value;",
                   "st.global.u32 [%scratch+20], %value;", "ld.global.u32 %minus, [%high+-12];",
                   "ld.global.u32 %plus, [%high+4];", "mov.u32 %narrow, $_area;",
                   "mad.lo.u32 %narrow, %row, 8, %narrow;", "st.shared.u32 [%narrow+4], %value;",
                   "ld.shared.u32 %shared, [%narrow+4];", "shl.b32 %more, %row, 1;",
                   "st.local.u32 [$_depot+8], %value;", "st.local.u32 [$_depot], %more;",
                   "mov.u64 %local, $_depot;", "ld.local.u32 %by_symbol, [%local+8];",
                   "ld.local.u32 %by_register, [$_depot];", "ld.const.u32 %constant, [$_table+8];"});
  for (const char* name : {"minus", "plus", "shared", "by_symbol", "by_register", "constant"})
    form.out(name, "b32");
  const Words samples = integer_samples(32, 4);
  for (std::size_t i = 0; i < samples.size(); ++i)
    form.row({samples[i]}, {samples[i], samples[i], samples[i], samples[i], 2 * i, 33});
  table.add(form);
}

void add_operands(TableWriter& table) {
  FormWriter form("operands");
  for (const char* covered : {"mul.wide.s16", "add.f32", "add.s64", "mov.b64", "setp.lt.and.s32",
                              "atom.global.add.u32", "selp.b32", "fma.rn.f32"})
    form.covers(covered);
  form.in("a", "b32").in("half", "b16").in("real", "f32").in("wide", "b64").in("p", "pred").scratch(16);
  form.declare(".reg .b32 %high;").declare(".reg .pred %q;");
  add_lines(form, {"mul.wide.s16 %product, %half, -3;", "add.f32 %sum, %real, 0f3FC00000;",
                   "fma.rn.f32 %fused, %real, 2.0, -1.0;", "add.s64 %lower, %wide, -8;",
                   "mov.b64 {_, %high}, %wide;", "mov.b64 {%low, _}, %wide;",
                   "setp.lt.and.s32 %below|_, %a, 5, !%p;", "setp.lt.and.s32 _|%above, %a, 5, %p;",
                   "st.global.u32 [%scratch], %a;", "atom.global.add.u32 _, [%scratch], 7;",
                   "ld.global.u32 %counted, [%scratch];", "selp.b32 %picked, 1, -1, %p;"});
  form.out("product", "b32").out("sum", "f32").out("fused", "f32").out("lower", "b64").out("low", "b32");
  form.out("below", "pred").out("above", "pred").out("counted", "b32").out("picked", "b32");
  const Words samples = integer_samples(64, 4);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::uint64_t wide = samples[i];
    const std::uint64_t a = truncate(wide >> 3, 32);
    const std::uint64_t real = f32.one() + i * 0x123456;
    const bool p = i % 3 == 0;
    const bool below = sign_extend(a, 32) < 5;
    const std::uint64_t two = 0x40000000;
    const std::uint64_t minus_one = 0xbf800000;
    form.row(
        {a, truncate(wide, 16), real, wide, p ? 1ULL : 0ULL},
        {truncate(static_cast<std::uint64_t>(sign_extend(wide, 16) * -3), 32),
         add(f32, real, 0x3fc00000, Round::nearest), multiply_add(f32, real, two, minus_one, Round::nearest),
         wide - 8, truncate(wide, 32), below && !p ? 1ULL : 0ULL, !below && p ? 1ULL : 0ULL,
         truncate(a + 7, 32), p ? 1ULL : 0xffffffffULL});
  }
  table.add(form);
}

void add_hints(TableWriter& table) {
  FormWriter form("hints");
  form.ptx("8.3", "sm_80").in("low", "b64").in("high", "b64").scratch(16);
  form.declare(".shared .align 16 .b8 $_area[1024];")
      .declare(".reg .b64 %base, %offset, %generic;")
      .declare(".reg .pred %always;");
  add_lines(form,
            {"mov.u64 %base, $_area;", "mul.wide.u32 %offset, %row, 16;", "add.s64 %base, %base, %offset;"});
  add_lines(form, {"st.shared::cta.b64 [%base], %low;", "st.weak.global.b64 [%scratch], %low;",
                   "st.global.L1::evict_last.b64 [%scratch+8], %high;"});
  for (const char* covered : {"st.shared::cta.b64", "st.weak.global.b64", "st.global.L1::evict_last.b64"})
    form.covers(covered);
  int number = 0;
  for (const std::string load : {"ld.shared::cta.b64", "ld.weak.shared.b64", "ld.volatile.shared::cta.b64"}) {
    const std::string name = "shared" + std::to_string(number++);
    form.covers(load).out(name, "b64").body(load + " %" + name + ", [%base];");
  }
  for (const std::string load :
       {"ld.weak.global.b64", "ld.global.L1::evict_last.b64", "ld.global.L1::no_allocate.b64",
        "ld.global.L1::evict_first.L2::128B.b64", "ld.global.L2::64B.b64", "ld.mmio.relaxed.sys.global.b64",
        "ld.global.cg.L2::256B.b64"}) {
    const std::string name = "global" + std::to_string(number++);
    form.covers(load).out(name, "b64").body(load + " %" + name + ", [%scratch];");
  }
  for (const std::string load : {"ld.global.nc.L1::no_allocate.b64", "ld.global.ca.nc.b64",
                                 "ld.global.nc.L1::no_allocate.L2::256B.b64"}) {
    const std::string name = "input" + std::to_string(number++);
    form.covers(load).out(name, "b64").body(load + " %" + name + ", [%in+8];");
  }
  form.covers("atom.shared::cta.exch.b64")
      .out("exchanged", "b64")
      .body("atom.shared::cta.exch.b64 %exchanged, [%base], %high;");
  add_lines(form, {"prefetch.global.L1 [%scratch];", "prefetch.global.L2 [%in];", "prefetch.L1 [%in];",
                   "prefetchu.L1 [%in];", "prefetch.global.L2::evict_last [%scratch];",
                   "applypriority.global.L2::evict_normal [%in], 128;", "pmevent 3;", "fence.acq_rel.cta;"});
  for (const char* covered :
       {"prefetch.global.L1", "prefetch.global.L2", "prefetch.L1", "prefetchu.L1",
        "prefetch.global.L2::evict_last", "applypriority.global.L2::evict_normal", "pmevent"})
    form.covers(covered);
  add_lines(form, {"cvta.shared::cta.u64 %generic, %base;", "isspacep.shared::cta %inside, %generic;",
                   "ld.b64 %after, [%generic];"});
  form.covers("cvta.shared::cta.u64")
      .covers("isspacep.shared::cta")
      .out("inside", "pred")
      .out("after", "b64");
  for (const Block& block : sample_blocks()) {
    std::vector<Expected> outputs(10, low_of(block));
    outputs.insert(outputs.end(), 3, high_of(block));
    outputs.insert(outputs.end(), {low_of(block), 1, high_of(block)});
    form.row({low_of(block), high_of(block)}, outputs);
  }
  table.add(form);
}

void add_parameters(TableWriter& table) {
  FormWriter form("parameters");
  form.ptx("8.3", "sm_80")
      .in("n", "imm")
      .out("named", "b32")
      .out("generic", "b32")
      .out("inside", "pred")
      .out("global", "pred");
  form.covers("ld.param::entry.u32").covers("cvta.param.u64").covers("isspacep.param");
  form.declare(".reg .b64 %base;");
  std::string bytes;
  for (int i = 0; i < 12; ++i) bytes += hex(static_cast<std::uint64_t>(0x10 + i), "b16").substr(2) + "0000c0";
  form.param(bytes, ".param .align 4 .b8 $_words[48]");
  add_lines(form, {"ld.param::entry.u32 %named, [$_words+{n}];", "mov.b64 %base, $_words;",
                   "cvta.param.u64 %base, %base;", "ld.u32 %generic, [%base+{n}];",
                   "isspacep.param %inside, %base;", "isspacep.global %global, %base;"});
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::uint64_t word = 0xc0000010 + i;
    form.row_text({std::to_string(4 * i)}, {word, word, 1, 1});
  }
  table.add(form);
}

}  // namespace

void write_spellings(const std::string& folder) {
  TableWriter table(folder, "spellings", "Kinds of operands, hints, rarer names");
  add_addresses(table);
  add_operands(table);
  add_hints(table);
  add_parameters(table);
}

}  // namespace heddle::semantics
