#include "tests/fuzz/body_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tests/fuzz/form_catalog.h"

namespace heddle::fuzz {
namespace {

constexpr std::string_view kKinds = "hwdfgp";

std::size_t index_of(char kind) { return kKinds.find(kind); }

}  // namespace

BodyGenerator::BodyGenerator(Dice& dice, Setting setting)
    : dice_(dice), setting_(std::move(setting)), calls_(0xca11 + setting_.call_seed) {
  const bool wide =
      // the kernel has more values than a small number of registers can hold
      setting_.kernel && dice_.chance(35);
  pools_ = {dice_.between(2, 5),
            dice_.between(5, wide ? 24 : 10),
            dice_.between(3, wide ? 9 : 5),
            dice_.between(2, wide ? 9 : 5),
            dice_.between(2, 4),
            dice_.between(3, wide ? 11 : 6)};
  if (!setting_.kernel) pools_ = {2, 5, 3, 2, 2, 3};
}

int BodyGenerator::pool(char kind) const { return pools_[index_of(kind)]; }

std::string with_pointers_of(int bits, const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '~') {
      out += text[at];
    } else if (text.compare(at, 3, "~64") == 0) {
      out += std::to_string(bits);
      at += 2;
    } else if (text.compare(at, 5, "~wide") == 0) {
      out += bits == 64 ? "wide" : "lo";
      at += 4;
    }
  }
  return out;
}

void BodyGenerator::line(const std::string& text) {
  text_ += with_pointers_of(setting_.address_bits, text) + "\n";
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  notes_.insert(notes_.end(), static_cast<std::size_t>(lines), note_);
  cost_ += repetition_ * static_cast<double>(lines);
}

std::string BodyGenerator::variable(char kind) { return fmt::format("%{}{}", kind, dice_.pick(pool(kind))); }

std::string BodyGenerator::constant(char kind) {
  switch (kind) {
    case 'h':
      return std::to_string(dice_.choose({0, 1, 2, 3, 7, 100, 255, 4096, 32767}));
    case 'w':
      return dice_.chance(70)
                 ? std::to_string(dice_.pick(70))
                 : dice_.choose({"0x80000000", "0xffffffff", "0x7fffffff", "-1", "-7", "65535", "0x1f0"});
    case 'd':
      return dice_.chance(60)
                 ? std::to_string(dice_.pick(300))
                 : dice_.choose({"0x8000000000000000", "-1", "0x7fffffffffffffff", "4294967296", "-3"});
    case 'f':
      return dice_.choose({"0f3f800000", "0f00000000", "0f80000000", "0f40490fdb", "0fbf000000", "0f7f800000",
                           "0f7fc00000", "0f00000123", "0f4b000001", "0f7f7fffff"});
    case 'g':
      return dice_.choose({"0d3ff0000000000000", "0d0000000000000000", "0dbfe0000000000000",
                           "0d7ff0000000000000", "0d7ff8000000000000", "0d0000000000000123",
                           "0d400921fb54442d18"});
    default:
      return dice_.choose({"0", "1"});
  }
}

std::string BodyGenerator::operand(char kind) { return dice_.chance(25) ? constant(kind) : variable(kind); }

std::string BodyGenerator::guard(int percent) {
  if (!dice_.chance(percent)) return {};
  return fmt::format("@{}{} ", dice_.chance(50) ? "!" : "", predicate());
}

std::string BodyGenerator::run_of(char kind, int count) {
  const int first = dice_.pick(std::max(pool(kind) - count + 1, 1));
  std::string text;
  for (int i = 0; i < count; ++i)
    text += fmt::format("{}%{}{}", i ? ", " : "", kind, (first + i) % pool(kind));
  return "{" + text + "}";
}

std::string BodyGenerator::expand(const char* alternatives) {
  std::string text;
  for (std::string_view rest = alternatives; !rest.empty();) {
    if (rest.front() != '(') {
      text += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t close = rest.find(')');
    std::vector<std::string> members{""};
    for (const char c : rest.substr(1, close - 1)) {
      if (c == '|')
        members.emplace_back();
      else
        members.back() += c;
    }
    text += dice_.choose(members);
    rest.remove_prefix(close + 1);
  }
  return text;
}

int BodyGenerator::slot_offset() { return (slots_++ % kSlots) * 16 * setting_.threads; }

std::string BodyGenerator::declarations() const {
  std::string text = fmt::format(
      ".reg .b16 %h<{}>;\n.reg .b32 %w<{}>;\n.reg .b64 %d<{}>;\n.reg .f32 %f<{}>;\n.reg .f64 %g<{}>;\n"
      ".reg .pred %p<{}>;\n",
      pools_[0], pools_[1], pools_[2], pools_[3], pools_[4], pools_[5]);
  text +=
      ".reg .b32 %hash, %t<8>;\n.reg .b~64 %a<4>;\n.reg .b64 %e<4>;\n.reg .b16 %u<4>;\n.reg .pred %q<4>;\n";
  text += fmt::format(".reg .b32 %c<{}>;\n", counters_ + 1);
  text += fmt::format(".local .align 16 .b8 loc[{}];\n", kLocalBytes);
  if (!setting_.kernel) return with_pointers_of(setting_.address_bits, text);
  text += ".reg .b32 %thread, %global_thread, %shared_own;\n.reg .b~64 %in, %out, %own, %common;\n";
  text += fmt::format(".shared .align 16 .b8 private_slots[{}];\n.shared .align 8 .b8 histogram_[{}];\n",
                      16 * setting_.threads_per_cta, kHistogramBytes);
  if (!setting_.dynamic_shared)
    text += fmt::format(".shared .align 16 .b8 exchanged[{}];\n", 16 * setting_.threads_per_cta);
  return with_pointers_of(setting_.address_bits, text);
}

void BodyGenerator::write_kernel() {
  set_up_addresses();
  start_values_from_input();
  const int statements = dice_.between(8, 22);
  const int last_barrier = dice_.chance(60) ? statements / 2 + dice_.pick(statements) : 0;
  for (int i = 0; i < statements && cost_ < setting_.budget; ++i) {
    may_exit_ = i > last_barrier;
    if (i < last_barrier && dice_.chance(35))
      top_level();
    else
      statement(0);
    if (may_exit_ && dice_.chance(8)) leave_early();
  }
  store_everything();
  line("ret;");
}

void BodyGenerator::write_function() {
  line("ld.param.u32 %t0, [a];");
  line("ld.param.u64 %e0, [b];");
  start_values_from("%t0", "%e0");
  if (dice_.chance(70)) line("ld.param.u32 %w1, [s+4];");
  if (dice_.chance(70)) line("ld.param.v2.f32 {%f0, %f1}, [s+8];");
  const int statements = dice_.between(3, 8);
  for (int i = 0; i < statements && cost_ < setting_.budget; ++i) {
    statement(dice_.chance(30) ? 0 : 3);
    if (dice_.chance(12)) {
      line(fmt::format("st.param.b32 [r], {};", variable('w')));
      line(fmt::format("@{} ret;", predicate()));
    }
  }
  line("xor.b32 %t0, %w0, %w1;");
  line("mov.b64 {%t1, %t2}, %d0;");
  line("xor.b32 %t0, %t0, %t2;");
  line("mov.b32 %t1, %f0;");
  line("add.u32 %t0, %t0, %t1;\nadd.u32 %t0, %t0, %hash;");
  if (calls_.chance(30)) call_itself();
  line("st.param.b32 [r+0], %t0;");
  line("ret;");
}

void BodyGenerator::set_up_addresses() {
  line("mov.u32 %t0, %tid.x;\nmov.u32 %t1, %tid.y;\nmov.u32 %t2, %tid.z;");
  line("mov.u32 %t3, %ntid.x;\nmov.u32 %t4, %ntid.y;");
  line("mad.lo.u32 %t1, %t2, %t4, %t1;\nmad.lo.u32 %thread, %t1, %t3, %t0;");
  line("mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ctaid.y;\nmov.u32 %t2, %ctaid.z;");
  line("mov.u32 %t3, %nctaid.x;\nmov.u32 %t4, %nctaid.y;");
  line("mad.lo.u32 %t1, %t2, %t4, %t1;\nmad.lo.u32 %t0, %t1, %t3, %t0;");
  line(fmt::format("mad.lo.u32 %global_thread, %t0, {}, %thread;", setting_.threads_per_cta));
  line("ld.param.u~64 %in, [p_in];\nld.param.u~64 %out, [p_out];");
  line("ld.param.u~64 %own, [p_own];\nld.param.u~64 %common, [p_common];");
  if (dice_.chance(50))
    line("cvta.to.global.u~64 %in, %in;\ncvta.to.global.u~64 %out, %out;\ncvta.to.global.u~64 %own, %own;");
  line("mad.~wide.u32 %out, %global_thread, 16, %out;");
  line(fmt::format("mad.~wide.u32 %own, %global_thread, {}, %own;", kOwnBytes));
  line("mov.u32 %t0, private_slots;\nmad.lo.u32 %shared_own, %thread, 16, %t0;");
}

void BodyGenerator::start_values_from_input() {
  line("and.b32 %t0, %global_thread, 127;\nmul.~wide.u32 %a0, %t0, 4;\nadd.s~64 %a0, %a0, %in;");
  line("ld.global.u32 %t0, [%a0];\nld.global.u32 %t1, [%a0+512];\nmov.b64 %e1, {%t0, %t1};");
  start_values_from("%global_thread", "%e1");
  for (int w = 1; w < pool('w'); w += 2) line(fmt::format("ld.global.u32 %w{}, [%a0+{}];", w, 512 + 4 * w));
  line("st.shared.v4.b32 [%shared_own], {%w0, %w1, %t0, %t1};");
  line("mov.u32 %t0, 0;\nst.global.v4.u32 [%own], {%t0, %t1, %w0, %w1};");
}

void BodyGenerator::start_values_from(const std::string& word, const std::string& pair) {
  for (int w = 0; w < pool('w'); ++w)
    line(fmt::format("mad.lo.u32 %w{}, {}, {}, {};", w, word, 3 * w + 1, 7 * w));
  for (int d = 0; d < pool('d'); ++d) line(fmt::format("add.u64 %d{}, {}, {};", d, pair, 1000 * d));
  for (int h = 0; h < pool('h'); ++h) line(fmt::format("cvt.u16.u32 %h{}, %w{};", h, h % pool('w')));
  for (int f = 0; f < pool('f'); ++f) {
    if (f % 2)
      line(fmt::format("mov.b32 %f{}, %w{};", f, f % pool('w')));
    else
      line(fmt::format("cvt.rn.f32.s32 %f{}, %w{};", f, f % pool('w')));
  }
  for (int g = 0; g < pool('g'); ++g) {
    if (g % 2)
      line(fmt::format("mov.b64 %g{}, %d{};", g, g % pool('d')));
    else
      line(fmt::format("cvt.rn.f64.s32 %g{}, %w{};", g, (g + 1) % pool('w')));
  }
  line("mov.u32 %hash, 0;");
  for (int p = 0; p < pool('p'); ++p)
    line(fmt::format("setp.lt.s32 %p{}, %w{}, %w{};", p, p % pool('w'), (p + 1) % pool('w')));
  line(fmt::format("add.cc.u32 %t2, %w0, %w1;\nst.local.v4.b32 [loc], {{%w0, %w1, %w2, %w3}};"));
  line("st.local.v2.b64 [loc+16], {%d0, %d1};\nst.local.v2.f32 [loc+32], {%f0, %f1};");
  line("st.local.f64 [loc+40], %g0;\nst.local.v4.b32 [loc+48], {%w3, %w2, %w1, %w0};");
}

void BodyGenerator::store_everything() {
  const auto store = [this](const std::string& type, const std::string& value) {
    line(fmt::format("st.global.{} [%out+{}], {};", type, slot_offset(), value));
  };
  slots_ = 0;
  for (int w = 0; w < pool('w'); w += 4) {
    if (w + 4 <= pool('w'))
      store("v4.u32", fmt::format("{{%w{}, %w{}, %w{}, %w{}}}", w, w + 1, w + 2, w + 3));
    else
      for (int i = w; i < pool('w'); ++i) store("u32", fmt::format("%w{}", i));
  }
  for (int d = 0; d < pool('d'); ++d) store("u64", fmt::format("%d{}", d));
  for (int h = 0; h < pool('h'); ++h) store("u16", fmt::format("%h{}", h));
  for (int f = 0; f < pool('f'); ++f) store("f32", fmt::format("%f{}", f));
  for (int g = 0; g < pool('g'); ++g) store("f64", fmt::format("%g{}", g));
  line("mov.u32 %t0, 0;");
  for (int p = 0; p < pool('p'); ++p)
    line(fmt::format("selp.u32 %t1, {}, 0, %p{};\nor.b32 %t0, %t0, %t1;", 1 << p, p));
  store("v2.u32", "{%t0, %hash}");
  line("ld.local.v4.b32 {%t0, %t1, %t2, %t3}, [loc];");
  store("v4.u32", "{%t0, %t1, %t2, %t3}");
  line("ld.local.v4.b32 {%t0, %t1, %t2, %t3}, [loc+48];");
  store("v4.b32", "{%t0, %t1, %t2, %t3}");
  line("ld.shared.v4.u32 {%t0, %t1, %t2, %t3}, [%shared_own];");
  store("v4.b32", "{%t0, %t1, %t2, %t3}");
}

}  // namespace heddle::fuzz
