// The forms of instructions that Heddle executes (PTX ISA 9.0, chapter 9.7), and the names of what it does
// not.

#include "models/ptx/instruction_forms.h"

namespace heddle::ptx {

using O = isa::Opcode;

const std::vector<NamedGroup>& named_groups() {
  static const std::vector<NamedGroup> groups = {
      {"rnd", "rounding:rn|rz|rm|rp"},
      {"irnd", "rounding:rni|rzi|rmi|rpi"},
      {"cmpb", "compare:eq|ne"},
      {"cmps", "compare:eq|ne|lt|le|gt|ge"},
      {"cmpu", "compare:eq|ne|lt|le|gt|ge|lo|ls|hi|hs"},
      {"cmpf", "compare:eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
      {"bool", "boolean:and|or|xor"},
      {"int", "u16|u32|u64|s16|s32|s64"},
      {"int8", "u8|u16|u32|u64|s8|s16|s32|s64"},
      {"word", "u32|u64|s32|s64"},
      {"bits", "b16|b32|b64"},
      {"datum", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
      {"value", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"},
      {"vec", "vector:v2|v4"},
      {"scope", "scope:cta|gpu|sys"},
      {"space", "space:global|shared|shared::cta|local|const|param|param::entry|param::func"},
      {"aspace", "space:global|shared|shared::cta"},
      {"cspace", "space:global|shared|shared::cta|local|const|param|param::entry"},
      {"ldcop", "cache:ca|cg|cs|lu|cv"},
      {"stcop", "cache:wb|cg|cs|wt"},
      {"asem", "order:relaxed|acquire|release|acq_rel"},
      {"l1", "ignore:L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
      {"l2", "ignore:L2::evict_normal|L2::evict_first|L2::evict_last"},
      {"l2p", "ignore:L2::64B|L2::128B|L2::256B"},
      {"hint", "hint:L2::cache_hint"},
  };
  return groups;
}

const std::vector<Form>& form_table() {
  static const std::vector<Form> table = {
      // Integer arithmetic.
      {"add", O::add, "$int", "=T T T"},
      {"add", O::add, "sat s32", "=T T T"},
      {"add", O::add, "cc $word", "=T T T"},
      {"addc", O::add, "cc? $word", "=T T T"},
      {"sub", O::sub, "$int", "=T T T"},
      {"sub", O::sub, "sat s32", "=T T T"},
      {"sub", O::sub, "cc $word", "=T T T"},
      {"subc", O::sub, "cc? $word", "=T T T"},
      {"mul", O::mul, "part:lo|hi $int", "=T T T"},
      {"mul", O::mul, "part:wide u16|u32|s16|s32", "=W T T"},
      {"mad", O::mad, "part:lo|hi $int", "=T T T T"},
      {"mad", O::mad, "part:wide u16|u32|s16|s32", "=W T T W"},
      {"mad", O::mad, "part:hi sat s32", "=T T T T"},
      {"mad", O::mad, "part:lo|hi cc $word", "=T T T T"},
      {"madc", O::mad, "part:lo|hi cc? $word", "=T T T T"},
      {"mul24", O::mul24, "part:lo|hi u32|s32", "=T T T"},
      {"mad24", O::mad24, "part:lo|hi u32|s32", "=T T T T"},
      {"mad24", O::mad24, "part:hi sat s32", "=T T T T"},
      {"sad", O::sad, "$int", "=T T T T"},
      {"div", O::div, "$int", "=T T T"},
      {"rem", O::rem, "$int", "=T T T"},
      {"abs", O::abs, "s16|s32|s64", "=T T"},
      {"neg", O::neg, "s16|s32|s64", "=T T"},
      {"min", O::min, "$int", "=T T T"},
      {"max", O::max, "$int", "=T T T"},
      {"popc", O::popc, "b32|b64", "=u32 T"},
      {"clz", O::clz, "b32|b64", "=u32 T"},
      {"bfind", O::bfind, "shiftamt? $word", "=u32 T"},
      {"fns", O::fns, "b32", "=T T u32 u32"},
      {"brev", O::brev, "b32|b64", "=T T"},
      {"bfe", O::bfe, "$word", "=T T u32 u32"},
      {"bfi", O::bfi, "b32|b64", "=T T T u32 u32"},
      {"bmsk", O::bmsk, "edge:clamp|wrap b32", "=T T u32"},
      {"szext", O::szext, "edge:clamp|wrap u32|s32", "=T T u32"},
      {"dp4a", O::dp4a, "u32|s32 u32|s32", "=T T S T"},
      {"dp2a", O::dp2a, "part:lo|hi u32|s32 u32|s32", "=T T S T"},
      {"vabsdiff4", O::vabsdiff4, "u32|s32 u32 u32 sat? add?", "=T S S T"},
      {"vabsdiff4", O::vabsdiff4, "u32|s32 s32 s32 sat? add?", "=T S S T"},

      // Floating point.
      {"add", O::add, "$rnd? ftz? sat? f32", "=T T T"},
      {"add", O::add, "$rnd? f64", "=T T T"},
      {"sub", O::sub, "$rnd? ftz? sat? f32", "=T T T"},
      {"sub", O::sub, "$rnd? f64", "=T T T"},
      {"mul", O::mul, "$rnd? ftz? sat? f32", "=T T T"},
      {"mul", O::mul, "$rnd? f64", "=T T T"},
      {"fma", O::fma, "$rnd ftz? sat? f32", "=T T T T"},
      {"fma", O::fma, "$rnd f64", "=T T T T"},
      {"mad", O::fma, "$rnd ftz? sat? f32", "=T T T T"},
      {"mad", O::fma, "$rnd f64", "=T T T T"},
      {"div", O::div, "approx ftz? f32", "=T T T"},
      {"div", O::div, "full ftz? f32", "=T T T"},
      {"div", O::div, "$rnd ftz? f32", "=T T T"},
      {"div", O::div, "$rnd f64", "=T T T"},
      {"abs", O::abs, "ftz? f32", "=T T"},
      {"abs", O::abs, "f64", "=T T"},
      {"neg", O::neg, "ftz? f32", "=T T"},
      {"neg", O::neg, "f64", "=T T"},
      {"min", O::min, "ftz? NaN? f32", "=T T T"},
      {"min", O::min, "f64", "=T T T"},
      {"max", O::max, "ftz? NaN? f32", "=T T T"},
      {"max", O::max, "f64", "=T T T"},
      {"rcp", O::rcp, "approx ftz? f32", "=T T"},
      {"rcp", O::rcp, "$rnd ftz? f32", "=T T"},
      {"rcp", O::rcp, "$rnd f64", "=T T"},
      {"rcp", O::rcp, "approx ftz f64", "=T T"},
      {"sqrt", O::sqrt, "approx ftz? f32", "=T T"},
      {"sqrt", O::sqrt, "$rnd ftz? f32", "=T T"},
      {"sqrt", O::sqrt, "$rnd f64", "=T T"},
      {"rsqrt", O::rsqrt, "approx ftz? f32", "=T T"},
      {"rsqrt", O::rsqrt, "approx ftz? f64", "=T T"},
      {"sin", O::sin, "approx ftz? f32", "=T T"},
      {"cos", O::cos, "approx ftz? f32", "=T T"},
      {"lg2", O::lg2, "approx ftz? f32", "=T T"},
      {"ex2", O::ex2, "approx ftz? f32", "=T T"},
      {"tanh", O::tanh, "approx f32", "=T T"},
      {"testp", O::testp, "property:finite|infinite|number|notanumber|normal|subnormal f32|f64", "=p T"},
      {"copysign", O::copysign, "f32|f64", "=T T T"},

      // Comparison and selection.
      {"setp", O::setp, "$cmpb $bool? $bits", "=p|p? T T pb"},
      {"setp", O::setp, "$cmpu $bool? u16|u32|u64", "=p|p? T T pb"},
      {"setp", O::setp, "$cmps $bool? s16|s32|s64", "=p|p? T T pb"},
      {"setp", O::setp, "$cmpf $bool? ftz? f32", "=p|p? T T pb"},
      {"setp", O::setp, "$cmpf $bool? f64", "=p|p? T T pb"},
      {"set", O::set, "$cmpb $bool? u32|s32|f32 $bits", "=T S S pb"},
      {"set", O::set, "$cmpu $bool? u32|s32|f32 u16|u32|u64", "=T S S pb"},
      {"set", O::set, "$cmps $bool? u32|s32|f32 s16|s32|s64", "=T S S pb"},
      {"set", O::set, "$cmpf $bool? ftz? u32|s32|f32 f32", "=T S S pb"},
      {"set", O::set, "$cmpf $bool? u32|s32|f32 f64", "=T S S pb"},
      {"selp", O::selp, "$value", "=T T T p"},
      {"slct", O::slct, "$value s32", "=T T T S"},
      {"slct", O::slct, "ftz? $value f32", "=T T T S"},

      // Logic and shifts.
      {"and", O::and_, "pred|b16|b32|b64", "=T T T"},
      {"or", O::or_, "pred|b16|b32|b64", "=T T T"},
      {"xor", O::xor_, "pred|b16|b32|b64", "=T T T"},
      {"not", O::not_, "pred|b16|b32|b64", "=T T"},
      {"cnot", O::cnot, "$bits", "=T T"},
      {"lop3", O::lop3, "b32", "=T T T T lut"},
      {"shl", O::shl, "$bits", "=T T u32"},
      {"shr", O::shr, "b16|b32|b64|u16|u32|u64|s16|s32|s64", "=T T u32"},
      {"shf", O::shf, "direction:l|r edge:clamp|wrap b32", "=T T T u32"},

      // Moves and conversions.
      {"mov", O::mov, "pred|b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "custom"},
      {"prmt", O::prmt, "b32 permute:f4e|b4e|rc8|ecl|ecr|rc16?", "=T T T u32"},
      {"cvt", O::cvt, "sat? $int8 $int8", "=T> S>"},
      {"cvt", O::cvt, "$irnd ftz? sat? $int8 f32", "=T> S"},
      {"cvt", O::cvt, "$irnd sat? $int8 f64", "=T> S"},
      {"cvt", O::cvt, "$rnd ftz? sat? f32 $int8", "=T S>"},
      {"cvt", O::cvt, "$rnd sat? f64 $int8", "=T S>"},
      {"cvt", O::cvt, "$irnd? ftz? sat? f32 f32", "=T S"},
      {"cvt", O::cvt, "$irnd? sat? f64 f64", "=T S"},
      {"cvt", O::cvt, "$rnd ftz? sat? f32 f64", "=T S"},
      {"cvt", O::cvt, "ftz? sat? f64 f32", "=T S"},
      {"cvta", O::cvta, "to? $cspace u32|u64", "custom"},
      {"isspacep", O::isspacep, "$cspace", "=p u64"},

      // Across lanes.
      {"shfl", O::shfl, "shuffle:up|down|bfly|idx b32", "=T|p? T u32 u32"},
      {"shfl", O::shfl, "sync shuffle:up|down|bfly|idx b32", "=T|p? T u32 u32 u32"},
      {"vote", O::vote, "vote:all|any|uni pred", "=p p"},
      {"vote", O::vote, "vote:ballot b32", "=T p"},
      {"vote", O::vote, "sync vote:all|any|uni pred", "=p p u32"},
      {"vote", O::vote, "sync vote:ballot b32", "=T p u32"},
      {"match", O::match, "match:any sync b32|b64", "=u32 T u32"},
      {"match", O::match, "match:all sync b32|b64", "=u32|p? T u32"},
      {"activemask", O::activemask, "b32", "=T"},
      {"redux", O::redux, "sync atomic:add|min|max u32|s32", "=T T u32"},
      {"redux", O::redux, "sync atomic:and|or|xor b32", "=T T u32"},

      // Memory.
      {"ld", O::ld, "order:weak|volatile? $space? $ldcop? $l1? $l2? $hint? $l2p? $vec? $datum", "=V A hint"},
      {"ld", O::ld, "mmio? order:relaxed|acquire $scope $space? $l1? $l2? $hint? $l2p? $vec? $datum",
       "=V A hint"},
      {"ld", O::ld, "order:weak? space:global $ldcop? nc $l1? $l2? $hint? $l2p? $vec? $datum", "=V A hint"},
      {"ldu", O::ld, "space:global? $vec? $datum", "=V A"},
      {"st", O::st, "order:weak|volatile? $space? $stcop? $l1? $l2? $hint? $vec? $datum", "A V hint"},
      {"st", O::st, "mmio? order:relaxed|release $scope $space? $l1? $l2? $hint? $vec? $datum", "A V hint"},
      {"atom", O::atom, "$asem? $scope? $aspace? atomic:and|or|xor|exch $hint? b32|b64", "=T A T hint"},
      {"atom", O::atom, "$asem? $scope? $aspace? atomic:cas $hint? b32|b64", "=T A T T hint"},
      {"atom", O::atom, "$asem? $scope? $aspace? atomic:add $hint? u32|s32|u64|s64|f32|f64", "=T A T hint"},
      {"atom", O::atom, "$asem? $scope? $aspace? atomic:inc|dec $hint? u32", "=T A T hint"},
      {"atom", O::atom, "$asem? $scope? $aspace? atomic:min|max $hint? $word", "=T A T hint"},
      {"red", O::red, "$asem? $scope? $aspace? atomic:and|or|xor $hint? b32|b64", "A T hint"},
      {"red", O::red, "$asem? $scope? $aspace? atomic:add $hint? u32|s32|u64|s64|f32|f64", "A T hint"},
      {"red", O::red, "$asem? $scope? $aspace? atomic:inc|dec $hint? u32", "A T hint"},
      {"red", O::red, "$asem? $scope? $aspace? atomic:min|max $hint? $word", "A T hint"},
      {"membar", O::membar, "scope:cta|gl|sys", ""},
      {"fence", O::membar, "order:sc|acq_rel|acquire|release? $scope", ""},
      {"prefetch", O::prefetch, "space:global|local? ignore:L1|L2", "A"},
      {"prefetch", O::prefetch, "space:global ignore:L2::evict_last|L2::evict_normal", "A"},
      {"prefetchu", O::prefetch, "ignore:L1", "A"},
      {"applypriority", O::nop, "space:global? ignore:L2::evict_normal", "A I"},
      {"discard", O::nop, "space:global? ignore:L2", "A I"},

      // Control.
      {"bra", O::bra, "uni?", "custom"},
      {"brx", O::bra, "ignore:idx uni?", "custom"},
      {"call", O::bra, "uni?", "custom"},
      {"ret", O::exit, "uni?", ""},
      {"exit", O::exit, "", ""},
      {"trap", O::trap, "", ""},
      {"brkpt", O::nop, "", ""},
      {"pmevent", O::nop, "ignore:mask?", "I"},
      {"griddepcontrol", O::nop, "ignore:wait|launch_dependents", ""},
      {"nanosleep", O::nanosleep, "u32", "u32"},
      {"bar", O::bar_warp, "ignore:warp sync", "u32"},
      {"bar", O::bar, "ignore:cta? barrier:sync", "u32 u32?"},
      {"bar", O::bar, "ignore:cta? barrier:arrive", "u32 u32"},
      {"bar", O::bar, "ignore:cta? ignore:red reduction:and|or pred", "=p u32 u32? p"},
      {"bar", O::bar, "ignore:cta? ignore:red reduction:popc u32", "=T u32 u32? p"},
      {"barrier", O::bar, "ignore:cta? barrier:sync ignore:aligned?", "u32 u32?"},
      {"barrier", O::bar, "ignore:cta? barrier:arrive ignore:aligned?", "u32 u32"},
      {"barrier", O::bar, "ignore:cta? ignore:red ignore:aligned? reduction:and|or pred", "=p u32 u32? p"},
      {"barrier", O::bar, "ignore:cta? ignore:red ignore:aligned? reduction:popc u32", "=T u32 u32? p"},
  };
  return table;
}

namespace {

struct RefusedWord {
  std::string_view word;  ///< with a "*" at the end: a prefix
  const char* name;
};

const char* find_refused(const std::vector<RefusedWord>& table, std::string_view word) {
  for (const RefusedWord& row : table) {
    const bool prefix = row.word.back() == '*';
    const std::string_view text = row.word.substr(0, row.word.size() - (prefix ? 1 : 0));
    if (prefix ? word.starts_with(text) : word == text) return row.name;
  }
  return nullptr;
}

}  // namespace

const char* refused_mnemonic(std::string_view mnemonic) {
  static const std::vector<RefusedWord> table = {
      {"tex", "textures and surfaces"},
      {"tld4", "textures and surfaces"},
      {"txq", "textures and surfaces"},
      {"istypep", "textures and surfaces"},
      {"suld", "textures and surfaces"},
      {"sust", "textures and surfaces"},
      {"sured", "textures and surfaces"},
      {"suq", "textures and surfaces"},
      {"wmma", "matrix instructions"},
      {"mma", "matrix instructions"},
      {"wgmma", "matrix instructions"},
      {"ldmatrix", "matrix instructions"},
      {"stmatrix", "matrix instructions"},
      {"movmatrix", "matrix instructions"},
      {"tcgen05", "matrix instructions"},
      {"cp", "asynchronous copies (cp.async)"},
      {"mbarrier", "mbarrier objects"},
      {"tensormap", "tensor maps"},
      {"mapa", "clusters"},
      {"getctarank", "clusters"},
      {"clusterlaunchcontrol", "clusters"},
      {"elect", "elect.sync"},
      {"multimem", "multimem"},
      {"createpolicy", "cache policies (createpolicy)"},
      {"alloca", "stack allocation (alloca)"},
      {"stacksave", "stack allocation (stacksave)"},
      {"stackrestore", "stack allocation (stackrestore)"},
      {"setmaxnreg", "setmaxnreg"},
      {"vadd*", "video instructions"},
      {"vsub*", "video instructions"},
      {"vabsdiff*", "video instructions"},
      {"vmin*", "video instructions"},
      {"vmax*", "video instructions"},
      {"vavrg*", "video instructions"},
      {"vset*", "video instructions"},
      {"vshl", "video instructions"},
      {"vshr", "video instructions"},
      {"vmad", "video instructions"},
  };
  return find_refused(table, mnemonic);
}

const char* refused_suffix(std::string_view suffix) {
  static const std::vector<RefusedWord> table = {
      {"f16*", "half precision"},
      {"bf16*", "half precision"},
      {"tf32*", "matrix instructions"},
      {"e4m3*", "8-bit floats"},
      {"e5m2*", "8-bit floats"},
      {"e2m1*", "4-bit floats"},
      {"e2m3*", "6-bit floats"},
      {"e3m2*", "6-bit floats"},
      {"ue8m0*", "8-bit floats"},
      {"b128", "128-bit operands"},
      {"u16x2", "packed integers"},
      {"s16x2", "packed integers"},
      {"f32x2", "packed floats"},
      {"v8", "vectors of 8"},
      {"v16", "vectors of 16"},
      {"cluster", "clusters"},
      {"shared::cluster", "clusters"},
      {"proxy*", "proxy fences"},
      {"mbarrier_init", "mbarrier objects"},
      {"async", "asynchronous operations"},
      {"bulk", "asynchronous operations"},
      {"xorsign", "minimum and maximum with .xorsign"},
      {"relu", ".relu"},
      {"tensormap", "tensor maps"},
      {"pack", "cvt.pack"},
      {"sreg", "special registers by number"},
  };
  return find_refused(table, suffix);
}

}  // namespace heddle::ptx
