#include "tests/fuzz/form_catalog.h"

namespace heddle::fuzz {

#define HEDDLE_COMPARE_INT "(eq|ne|lt|le|gt|ge)"
#define HEDDLE_COMPARE_UNSIGNED "(eq|ne|lt|le|gt|ge|lo|ls|hi|hs)"
#define HEDDLE_COMPARE_FLOAT "(eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan)"
#define HEDDLE_BOOLEAN "(and|or|xor)"

const std::vector<CatalogForm>& form_catalog() {
  static const std::vector<CatalogForm> catalog = {
      // Integer arithmetic.
      {"(add|sub|min|max).(u16|s16)", "hhH"},
      {"(add|sub|min|max).(u32|s32)", "wwW"},
      {"(add|sub).(u32|s32)", "wwW"},
      {"(add|sub|min|max).(u64|s64)", "ddD"},
      {"(add|sub).sat.s32", "wwW"},
      {"mul.(lo|hi).(u16|s16)", "hhH"},
      {"mul.(lo|hi).(u32|s32)", "wwW"},
      {"mul.(lo|hi).(u64|s64)", "ddD"},
      {"mul.wide.(u16|s16)", "whH"},
      {"mul.wide.(u32|s32)", "dwW"},
      {"mad.(lo|hi).(u16|s16)", "hhHh"},
      {"mad.(lo|hi).(u32|s32)", "wwWw"},
      {"mad.(lo|hi).(u64|s64)", "ddDd"},
      {"mad.hi.sat.s32", "wwww"},
      {"mad.wide.(u16|s16)", "whhw"},
      {"mad.wide.(u32|s32)", "dwWd"},
      {"mul24.(lo|hi).(u32|s32)", "wwW"},
      {"mad24.(lo|hi).(u32|s32)", "wwww"},
      {"mad24.hi.sat.s32", "wwww"},
      {"sad.(u16|s16)", "hhhh"},
      {"sad.(u32|s32)", "wwWw"},
      {"sad.(u64|s64)", "dddd"},
      {"(div|rem).(u16|s16)", "hhH"},
      {"(div|rem).(u32|s32)", "wwW"},
      {"(div|rem).(u64|s64)", "ddD"},
      {"(abs|neg).s16", "hh"},
      {"(abs|neg).s32", "ww"},
      {"(abs|neg).s64", "dd"},
      {"(popc|clz).b32", "ww"},
      {"(popc|clz).b64", "wd"},
      {"bfind(.shiftamt|).(u32|s32)", "ww"},
      {"bfind(.shiftamt|).(u64|s64)", "wd"},
      {"fns.b32", "wwWW"},
      {"brev.b32", "ww"},
      {"brev.b64", "dd"},
      {"bfe.(u32|s32)", "wwWW"},
      {"bfe.(u64|s64)", "ddWW"},
      {"bfi.b32", "wwwWW"},
      {"bfi.b64", "dddWW"},
      {"bmsk.(clamp|wrap).b32", "wwW"},
      {"szext.(clamp|wrap).(u32|s32)", "wwW"},
      {"dp4a.(u32|s32).(u32|s32)", "wwww"},
      {"dp2a.(lo|hi).(u32|s32).(u32|s32)", "wwww"},
      {"vabsdiff4.(u32|s32).(u32.u32|s32.s32)(.sat|.add|)", "wwww"},

      // Single precision.
      {"(add|sub|mul)(.rn|.rz|.rm|.rp|)(.ftz|)(.sat|).f32", "ffF"},
      {"(add|sub|mul)(.rn|).f32", "ffF"},
      {"(fma|mad)(.rn|.rz|.rm|.rp)(.ftz|)(.sat|).f32", "ffFf"},
      {"div(.approx|.full|.rn|.rz|.rm|.rp)(.ftz|).f32", "ffF"},
      {"(abs|neg)(.ftz|).f32", "ff"},
      {"(min|max)(.ftz|)(.NaN|).f32", "ffF"},
      {"(rcp|sqrt)(.approx|.rn|.rz|.rm|.rp)(.ftz|).f32", "ff"},
      {"(rsqrt|sin|cos|lg2|ex2).approx(.ftz|).f32", "ff"},
      {"tanh.approx.f32", "ff"},
      {"testp.(finite|infinite|number|notanumber|normal|subnormal).f32", "pf"},
      {"copysign.f32", "fff"},

      // Double precision.
      {"(add|sub|mul)(.rn|.rz|.rm|.rp|).f64", "ggG"},
      {"(fma|mad)(.rn|.rz|.rm|.rp).f64", "gggg"},
      {"div(.rn|.rz|.rm|.rp).f64", "ggG"},
      {"(abs|neg).f64", "gg"},
      {"(min|max).f64", "ggG"},
      {"(rcp|sqrt)(.rn|.rz|.rm|.rp).f64", "gg"},
      {"rcp.approx.ftz.f64", "gg"},
      {"rsqrt.approx(.ftz|).f64", "gg"},
      {"testp.(finite|infinite|number|notanumber|normal|subnormal).f64", "pg"},
      {"copysign.f64", "ggg"},

      // Half precision.
      {"(add|sub|mul)(.rn|)(.ftz|)(.sat|).f16", "hhh"},
      {"(add|sub|mul)(.rn|).bf16", "hhh"},
      {"(add|sub|mul)(.rn|)(.ftz|)(.sat|).f16x2", "www"},
      {"(add|sub|mul)(.rn|).bf16x2", "www"},
      {"fma.rn(.ftz|)(.sat|.relu|).f16", "hhhh"},
      {"fma.rn(.relu|).bf16", "hhhh"},
      {"fma.rn(.ftz|)(.sat|.relu|).f16x2", "wwww"},
      {"fma.rn(.relu|).bf16x2", "wwww"},
      {"(min|max)(.ftz|)(.NaN|).f16", "hhh"},
      {"(min|max)(.NaN|).bf16x2", "www"},
      {"(abs|neg)(.ftz|).f16", "hh"},
      {"(abs|neg).bf16x2", "ww"},
      {"(ex2|tanh).approx.f16", "hh"},
      {"(ex2.approx.ftz|tanh.approx).bf16x2", "ww"},
      {"cvt(.rn|.rz|.rm|.rp)(.ftz|)(.sat|).f16.f32", "hf"},
      {"cvt(.rn|.rz|.rm|.rp)(.ftz|).bf16.f32", "hf"},
      {"cvt(.rn|.rz)(.relu|)(.satfinite|).(f16x2|bf16x2).f32", "wff"},
      {"cvt(.rn|.rz|.rm|.rp)(.sat|).f16.f64", "hg"},
      {"cvt(.rn|.rz|.rm|.rp).(f16|bf16).(u32|s32)", "hw"},
      {"cvt(.rn|.rz|.rm|.rp).(f16|bf16).(u64|s64)", "hd"},
      {"cvt(.rni|.rzi|.rmi|.rpi).(u32|s32).(f16|bf16)", "wh"},
      {"cvt(.ftz|).f32.(f16|bf16)", "fh"},
      {"cvt.f64.(f16|bf16)", "gh"},

      // Pairs of 16-bit integers.
      {"add.(u16x2|s16x2)", "wwW"},
      {"(min|max).(u16x2|s16x2)", "wwW"},
      {"(min|max).relu.(s16x2|s32)", "wwW"},

      // Comparison and selection.
      {"setp." HEDDLE_COMPARE_INT ".s32", "p|wW"},
      {"setp.(eq|ne).(b32|u32)", "p|wW"},
      {"setp." HEDDLE_COMPARE_UNSIGNED ".u32", "p|wW"},
      {"setp.(eq|ne).b16", "p|hH"},
      {"setp." HEDDLE_COMPARE_INT ".(s16|u16)", "p|hH"},
      {"setp." HEDDLE_COMPARE_INT ".(s64|u64)", "p|dD"},
      {"setp." HEDDLE_COMPARE_FLOAT "(.ftz|).f32", "p|fF"},
      {"setp." HEDDLE_COMPARE_FLOAT ".f64", "p|gG"},
      {"setp." HEDDLE_COMPARE_INT "." HEDDLE_BOOLEAN ".s32", "p|wW!"},
      {"setp." HEDDLE_COMPARE_UNSIGNED "." HEDDLE_BOOLEAN ".u64", "p|dD!"},
      {"setp." HEDDLE_COMPARE_FLOAT "." HEDDLE_BOOLEAN ".f32", "p|fF!"},
      {"setp." HEDDLE_COMPARE_FLOAT "." HEDDLE_BOOLEAN ".f64", "p|gG!"},
      {"setp." HEDDLE_COMPARE_FLOAT "(.ftz|).f16", "p|hh"},
      {"setp." HEDDLE_COMPARE_FLOAT "." HEDDLE_BOOLEAN ".bf16x2", "p|ww!"},
      {"set." HEDDLE_COMPARE_FLOAT "(.ftz|).(u32|s32|f16x2).f16x2", "www"},
      {"set." HEDDLE_COMPARE_FLOAT ".(u16|bf16).bf16", "hhh"},
      {"set." HEDDLE_COMPARE_INT ".(u32|s32).(s32|s32)", "wwW"},
      {"set." HEDDLE_COMPARE_INT "." HEDDLE_BOOLEAN ".u32.s64", "wdD!"},
      {"set." HEDDLE_COMPARE_FLOAT ".f32.f32", "ffF"},
      {"set." HEDDLE_COMPARE_FLOAT "(.ftz|).(u32|s32).f32", "wfF"},
      {"set." HEDDLE_COMPARE_FLOAT "." HEDDLE_BOOLEAN ".u32.f64", "wgG!"},
      {"selp.(b16|u16|s16)", "hhHp"},
      {"selp.(b32|u32|s32)", "wwWp"},
      {"selp.(b64|u64|s64)", "ddDp"},
      {"selp.f32", "ffFp"},
      {"selp.f64", "ggGp"},
      {"slct.(b32|u32|s32).s32", "wwWw"},
      {"slct.(u64|b64).s32", "dddw"},
      {"slct(.ftz|).(u32|s32).f32", "wwwf"},
      {"slct.f64.s32", "gggw"},

      // Logic and shifts.
      {"(and|or|xor).pred", "ppP"},
      {"not.pred", "pp"},
      {"(and|or|xor).b16", "hhH"},
      {"(and|or|xor).b32", "wwW"},
      {"(and|or|xor).b64", "ddD"},
      {"(not|cnot).b16", "hh"},
      {"(not|cnot).b32", "ww"},
      {"(not|cnot).b64", "dd"},
      {"lop3.b32", "wwwWL"},
      {"shl.b16", "hhW"},
      {"shl.b32", "wwW"},
      {"shl.b64", "ddW"},
      {"shr.(u16|s16|b16)", "hhW"},
      {"shr.(u32|s32|b32)", "wwW"},
      {"shr.(u64|s64|b64)", "ddW"},
      {"shf.(l|r).(clamp|wrap).b32", "wwwW"},

      // Moves.
      {"mov.(b16|u16|s16)", "hH"},
      {"mov.(b32|u32|s32)", "wW"},
      {"mov.(b64|u64|s64)", "dD"},
      {"mov.f32", "fF"},
      {"mov.f64", "gG"},
      {"mov.pred", "pP"},
      {"mov.b32", "wf"},
      {"mov.b32", "fw"},
      {"mov.b64", "dg"},
      {"mov.b64", "gd"},
      {"prmt.b32(.f4e|.b4e|.rc8|.ecl|.ecr|.rc16|)", "wwwW"},
  };
  return catalog;
}

#undef HEDDLE_COMPARE_INT
#undef HEDDLE_COMPARE_UNSIGNED
#undef HEDDLE_COMPARE_FLOAT
#undef HEDDLE_BOOLEAN

}  // namespace heddle::fuzz
