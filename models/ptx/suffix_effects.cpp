
#include <array>
#include <utility>

#include "models/core/error.h"
#include "models/ptx/declaration_parser.h"
#include "models/ptx/instruction_forms.h"

namespace heddle::ptx {
namespace {

using namespace isa;

template <class Enum, std::size_t n>
Enum lookup(const std::array<std::pair<std::string_view, Enum>, n>& table, std::string_view word) {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  throw InternalError("instruction table allows a suffix without meaning: " + std::string(word));
}

template <class Enum>
using Row = std::pair<std::string_view, Enum>;

constexpr std::array<Row<Rounding>, 9> kRoundings = {{{"rn", Rounding::rn},
                                                      {"rna", Rounding::rna},
                                                      {"rz", Rounding::rz},
                                                      {"rm", Rounding::rm},
                                                      {"rp", Rounding::rp},
                                                      {"rni", Rounding::rni},
                                                      {"rzi", Rounding::rzi},
                                                      {"rmi", Rounding::rmi},
                                                      {"rpi", Rounding::rpi}}};
constexpr std::array<Row<Compare>, 18> kCompares = {{{"eq", Compare::eq},
                                                     {"ne", Compare::ne},
                                                     {"lt", Compare::lt},
                                                     {"le", Compare::le},
                                                     {"gt", Compare::gt},
                                                     {"ge", Compare::ge},
                                                     {"lo", Compare::lo},
                                                     {"ls", Compare::ls},
                                                     {"hi", Compare::hi},
                                                     {"hs", Compare::hs},
                                                     {"equ", Compare::equ},
                                                     {"neu", Compare::neu},
                                                     {"ltu", Compare::ltu},
                                                     {"leu", Compare::leu},
                                                     {"gtu", Compare::gtu},
                                                     {"geu", Compare::geu},
                                                     {"num", Compare::num},
                                                     {"nan", Compare::nan}}};
constexpr std::array<Row<BoolOp>, 3> kBoolOps = {
    {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}}};
constexpr std::array<Row<Part>, 3> kParts = {{{"lo", Part::lo}, {"hi", Part::hi}, {"wide", Part::wide}}};
constexpr std::array<Row<ShuffleMode>, 4> kShuffles = {{{"up", ShuffleMode::up},
                                                        {"down", ShuffleMode::down},
                                                        {"bfly", ShuffleMode::bfly},
                                                        {"idx", ShuffleMode::idx}}};
constexpr std::array<Row<VoteMode>, 4> kVotes = {
    {{"all", VoteMode::all}, {"any", VoteMode::any}, {"uni", VoteMode::uni}, {"ballot", VoteMode::ballot}}};
constexpr std::array<Row<MatchMode>, 2> kMatches = {{{"any", MatchMode::any}, {"all", MatchMode::all}}};
constexpr std::array<Row<PermuteMode>, 6> kPermutes = {{{"f4e", PermuteMode::f4e},
                                                        {"b4e", PermuteMode::b4e},
                                                        {"rc8", PermuteMode::rc8},
                                                        {"ecl", PermuteMode::ecl},
                                                        {"ecr", PermuteMode::ecr},
                                                        {"rc16", PermuteMode::rc16}}};
constexpr std::array<Row<TestProperty>, 6> kProperties = {{{"finite", TestProperty::finite},
                                                           {"infinite", TestProperty::infinite},
                                                           {"number", TestProperty::number},
                                                           {"notanumber", TestProperty::notanumber},
                                                           {"normal", TestProperty::normal},
                                                           {"subnormal", TestProperty::subnormal}}};
constexpr std::array<Row<AtomicOp>, 10> kAtomics = {{{"add", AtomicOp::add},
                                                     {"and", AtomicOp::and_},
                                                     {"or", AtomicOp::or_},
                                                     {"xor", AtomicOp::xor_},
                                                     {"exch", AtomicOp::exch},
                                                     {"cas", AtomicOp::cas},
                                                     {"inc", AtomicOp::inc},
                                                     {"dec", AtomicOp::dec},
                                                     {"min", AtomicOp::min},
                                                     {"max", AtomicOp::max}}};
constexpr std::array<Row<CacheOp>, 7> kCacheOps = {{{"ca", CacheOp::ca},
                                                    {"cg", CacheOp::cg},
                                                    {"cs", CacheOp::cs},
                                                    {"lu", CacheOp::lu},
                                                    {"cv", CacheOp::cv},
                                                    {"wb", CacheOp::wb},
                                                    {"wt", CacheOp::wt}}};
constexpr std::array<Row<Ordering>, 7> kOrderings = {{{"weak", Ordering::weak},
                                                      {"volatile", Ordering::volatile_},
                                                      {"relaxed", Ordering::relaxed},
                                                      {"acquire", Ordering::acquire},
                                                      {"release", Ordering::release},
                                                      {"acq_rel", Ordering::acq_rel},
                                                      {"sc", Ordering::acq_rel}}};
constexpr std::array<Row<Scope>, 4> kScopes = {
    {{"cta", Scope::cta}, {"gpu", Scope::gpu}, {"gl", Scope::gpu}, {"sys", Scope::sys}}};
constexpr std::array<Row<Space>, 8> kSpaces = {{{"global", Space::global},
                                                {"shared", Space::shared},
                                                {"shared::cta", Space::shared},
                                                {"local", Space::local},
                                                {"const", Space::constant},
                                                {"param", Space::param},
                                                {"param::entry", Space::param},
                                                {"param::func", Space::param}}};
constexpr std::array<Row<BarrierKind>, 2> kBarriers = {
    {{"sync", BarrierKind::sync}, {"arrive", BarrierKind::arrive}}};
constexpr std::array<Row<BarrierKind>, 3> kReductions = {
    {{"popc", BarrierKind::red_popc}, {"and", BarrierKind::red_and}, {"or", BarrierKind::red_or}}};

void apply_plain(std::string_view word, Instruction& i, int& types) {
  if (const DataType type = data_type_of(word); type != DataType::none) {
    if (types == 0) i.type = type;
    if (types == 1) i.source_type = type;
    if (types == 2) i.matrix.b_type = type;
    if (types == 3) i.matrix.c_type = type;
    ++types;
  } else if (word == "ftz") {
    i.modifiers.ftz = true;
  } else if (word == "sat") {
    i.modifiers.sat = true;
  } else if (word == "approx") {
    i.modifiers.approx = true;
  } else if (word == "full") {
    i.modifiers.full = true;
  } else if (word == "sync") {
    i.modifiers.sync = true;
  } else if (word == "NaN") {
    i.modifiers.propagate_nan = true;
  } else if (word == "relu") {
    i.modifiers.relu = true;
  } else if (word == "satfinite") {
    i.modifiers.satfinite = true;
  } else if (word == "cc") {
    i.modifiers.carry_out = true;
  } else if (word == "shiftamt") {
    i.modifiers.shift_amount = true;
  } else if (word == "add") {
    i.modifiers.accumulate = true;
  } else if (word == "uni") {
    i.uniform = true;
  } else if (word == "nc") {
    i.memory.non_coherent = true;
  } else if (word == "trans") {
    i.matrix.a_by_columns = true;
  } else if (word != "to" && word != "mmio" && word != "noftz") {
    throw InternalError("instruction table allows a suffix without meaning: " + std::string(word));
  }
}

void apply_shape(std::string_view word, MatrixShape& matrix) {
  int numbers[3] = {};
  int at = -1;
  for (const char c : word) {
    if (c >= '0' && c <= '9')
      numbers[at] = 10 * numbers[at] + (c - '0');
    else
      ++at;
  }
  matrix.rows = static_cast<std::uint8_t>(numbers[0]);
  matrix.columns = static_cast<std::uint8_t>(numbers[1]);
  matrix.depth = static_cast<std::uint16_t>(numbers[2]);
}

void apply_edge(std::string_view word, Modifiers& m) {
  m.clamp = word == "clamp";
  if (m.clamp) return;
  if (m.funnel == FunnelMode::l_clamp) m.funnel = FunnelMode::l_wrap;
  if (m.funnel == FunnelMode::r_clamp) m.funnel = FunnelMode::r_wrap;
}

void apply(Effect effect, std::string_view word, Instruction& i, int& types) {
  Modifiers& m = i.modifiers;
  switch (effect) {
    case Effect::plain:
      return apply_plain(word, i, types);
    case Effect::rounding:
      m.rounding = lookup(kRoundings, word);
      return;
    case Effect::compare:
      m.compare = lookup(kCompares, word);
      return;
    case Effect::boolean:
      m.bool_op = lookup(kBoolOps, word);
      return;
    case Effect::part:
      m.part = lookup(kParts, word);
      return;
    case Effect::shuffle:
      m.shuffle = lookup(kShuffles, word);
      return;
    case Effect::vote:
      m.vote = lookup(kVotes, word);
      return;
    case Effect::match:
      m.match = lookup(kMatches, word);
      return;
    case Effect::direction:
      m.funnel = word == "l" ? FunnelMode::l_clamp : FunnelMode::r_clamp;
      return;
    case Effect::edge:
      return apply_edge(word, m);
    case Effect::permute:
      m.permute = lookup(kPermutes, word);
      return;
    case Effect::property:
      m.property = lookup(kProperties, word);
      return;
    case Effect::atomic:
      m.atomic = lookup(kAtomics, word);
      return;
    case Effect::cache:
      i.memory.cache = lookup(kCacheOps, word);
      return;
    case Effect::order:
      i.memory.ordering = lookup(kOrderings, word);
      return;
    case Effect::scope:
      i.memory.scope = lookup(kScopes, word);
      return;
    case Effect::space:
      i.memory.space = lookup(kSpaces, word);
      return;
    case Effect::vector:
      i.memory.elements = word == "v2" ? 2 : 4;
      return;
    case Effect::barrier:
      i.barrier = lookup(kBarriers, word);
      return;
    case Effect::reduction:
      i.barrier = lookup(kReductions, word);
      return;
    case Effect::matrix:
      return apply_shape(word, i.matrix);
    case Effect::layout_a:
      i.matrix.a_by_columns = word == "col";
      return;
    case Effect::layout_b:
      i.matrix.b_by_rows = word == "row";
      return;
    case Effect::bits:
      i.matrix.bits = word == "and" ? BitProduct::and_ : BitProduct::xor_;
      return;
    case Effect::hint:
    case Effect::ignore:
      return;
  }
}

}  // namespace

void apply_suffixes(const FormMatch& match, Instruction& instruction) {
  instruction.op = match.form->form->op;
  int types = 0;
  for (std::size_t g = 0; g < match.words.size(); ++g)
    if (!match.words[g].empty()) apply(match.form->groups[g].effect, match.words[g], instruction, types);
  if (types < 2) instruction.source_type = instruction.type;
  const std::string_view mnemonic = match.form->form->mnemonic;
  if (mnemonic == "addc" || mnemonic == "subc" || mnemonic == "madc") instruction.modifiers.carry_in = true;
  if (mnemonic == "ldu") instruction.memory.non_coherent = true;
  if (match.form->form->op == Opcode::membar && instruction.memory.ordering == Ordering::weak)
    instruction.memory.ordering = Ordering::acq_rel;
}

}  // namespace heddle::ptx
