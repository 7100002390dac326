#include "models/ptx/dialect.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "models/ptx/source.h"

namespace heddle::ptx {
namespace {

/// Modifiers that PTX implies for a mnemonic and type if an instruction gives no rounding or approximation
/// modifier.
struct Default {
  std::string_view mnemonic;
  std::string_view type;
  /// True: targets sm_1x imply these modifiers, in all PTX versions. False: all targets imply these
  /// modifiers, in PTX versions before 1.4.
  bool legacy_target;
  std::array<std::string_view, 2> words;
};

// Implied modifiers by instruction. mad.f32 of sm_1x means fma.rn.ftz.f32 on later targets (PTX ISA 2.0, mad:
// "when JIT-compiled").
constexpr std::array<Default, 14> kDefaults = {{{"mad", "f32", true, {"rn", "ftz"}},
                                                {"mad", "f64", true, {"rn", {}}},
                                                {"div", "f32", false, {"approx", "ftz"}},
                                                {"div", "f64", false, {"rn", {}}},
                                                {"rcp", "f32", false, {"approx", "ftz"}},
                                                {"rcp", "f64", false, {"rn", {}}},
                                                {"sqrt", "f32", false, {"approx", "ftz"}},
                                                {"sqrt", "f64", false, {"rn", {}}},
                                                {"rsqrt", "f32", false, {"approx", "ftz"}},
                                                {"rsqrt", "f64", false, {"approx", {}}},
                                                {"sin", "f32", false, {"approx", "ftz"}},
                                                {"cos", "f32", false, {"approx", "ftz"}},
                                                {"lg2", "f32", false, {"approx", "ftz"}},
                                                {"ex2", "f32", false, {"approx", "ftz"}}}};

bool has_suffix(const Statement& s, std::string_view word) {
  return std::any_of(s.suffixes.begin(), s.suffixes.end(), [word](const Word& w) { return w.text == word; });
}

bool names_precision(const Statement& s) {
  return std::any_of(s.suffixes.begin(), s.suffixes.end(), [](const Word& w) {
    return w.text == "rn" || w.text == "rz" || w.text == "rm" || w.text == "rp" || w.text == "approx" ||
           w.text == "full";
  });
}

}  // namespace

void Dialect::set_version(std::string_view text) {
  const std::size_t point = text.find('.');
  std::from_chars(text.data(), text.data() + std::min(point, text.size()), major_);
  minor_ = 0;
  if (point != std::string_view::npos)
    std::from_chars(text.data() + point + 1, text.data() + text.size(), minor_);
}

void Dialect::set_target(std::string_view text) {
  is_sm_1x_ = text.starts_with("sm_1") && text.size() >= 5 && (text.size() == 5 || text[5] == ',');
  maps_doubles_ = text.find("map_f64_to_f32") != std::string_view::npos;
}

void Dialect::complete(Statement& s) const {
  if (!is_sm_1x_ && !is_before(1, 4)) return;
  if (s.suffixes.empty() || names_precision(s)) return;
  const std::string_view type = s.suffixes.back().text;
  for (const Default& d : kDefaults) {
    if (d.mnemonic != s.name || d.type != type) continue;
    if (d.legacy_target ? !is_sm_1x_ : !is_before(1, 4)) continue;
    for (const std::string_view word : d.words)
      if (!word.empty() && !has_suffix(s, word)) s.suffixes.insert(s.suffixes.begin(), {word, s.position});
  }
}

void Dialect::flush_subnormals(FormMatch& match) const {
  if (!is_sm_1x_ || !has_word(match, "f32")) return;
  const auto& groups = match.form->groups;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (groups[g].optional && groups[g].words.size() == 1 && groups[g].words.front() == "ftz")
      match.words[g] = groups[g].words.front();
}

void Dialect::require_doubles(const Source& source, const Statement& s) const {
  if (maps_doubles_ && has_suffix(s, "f64") && s.name != "ld" && s.name != "st")
    source.refuse(s.position, "doubles computed as floats (.target map_f64_to_f32)", std::string(s.name));
}

}  // namespace heddle::ptx
