// Compares rtl/window_match.v with the operand windows, which keep the registers of a warp's last
// instructions. Only the windows of the first four warps are compared.

#include "models/stages/storage_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::window_match_block {
namespace {

using View = WindowPoint::View;
using Answer = WindowPoint::Answer;
using Sources = std::array<std::uint8_t, WindowPoint::kSources>;
using Ways = std::array<std::uint32_t, WindowPoint::kSources>;

constexpr std::uint64_t kMostAge = (1u << 12) - 1;  // largest age of an entry: AGE_W is 12 bits

BlockFit fits(const WindowPoint::Owner& window) { return {{{"ENTRIES", window.entries}}, ""}; }

bool finds_sources(const View& v) { return v.what == View::announces || v.what == View::reads; }
template <class T>
std::optional<T> when(bool compared, const T& value) {
  return compared ? std::optional<T>{value} : std::nullopt;
}

void inputs(BlockTable<WindowPoint>& t, const WindowPoint::Owner& window) {
  const auto happens = [](View::What what) { return [what](const View& v) { return v.what == what; }; };
  t.setting("instructions", static_cast<std::uint64_t>(window.instructions));
  t.setting("reads_extend", window.extends);
  t.input("clear", happens(View::clears));
  t.input("advance", [](const View& v) { return v.advances; });
  t.input("pending", [](const View& v) { return v.pending; });
  t.input("oldest", [](const View& v) { return std::min(v.oldest, kMostAge); });
  t.input("sources", [](const View& v) -> Sources { return v.source; });
  t.input("look", [](const View& v) { return (1u << v.sources) - 1; });
  t.input("announce", happens(View::announces));
  t.input("result", [](const View& v) { return v.result; });
  t.input("lanes", [](const View& v) { return v.lanes; });
  t.input("way", [](const View& v) { return v.way; });
  t.input("take", happens(View::takes));
  t.input("await_result", happens(View::awaits));
  t.input("request", happens(View::requests));
  t.input("fill", happens(View::fills));
  t.input("write", [](const View& v) { return v.what == View::writes || v.what == View::passes; });
  t.input("through", happens(View::passes));
  t.input("hinted", [](const View& v) { return v.hinted; });
  t.input("clean", happens(View::cleans));
  t.input("give_up", happens(View::gives_up));
}

void look_ups(BlockTable<WindowPoint>& t) {
  const auto replace = [](auto member) {
    return [member](const View& v, Answer& a, const auto& by_rtl) {
      if (finds_sources(v)) a.*member = by_rtl;
    };
  };
  t.output(
      "found", [](const View& v, const Answer& a) { return when(finds_sources(v), a.found); },
      replace(&Answer::found));
  t.output(
      "hit", [](const View& v, const Answer& a) { return when(finds_sources(v), a.hit); },
      replace(&Answer::hit));
  t.output(
      "ways", [](const View& v, const Answer& a) { return when(finds_sources(v), a.ways); },
      replace(&Answer::ways));
  t.output(
      "result_found",
      [](const View& v, const Answer& a) { return when(v.what == View::finds, a.result_found); },
      [](const View& v, Answer& a, bool by_rtl) {
        if (v.what == View::finds) a.result_found = by_rtl;
      });
  t.output(
      "result_way", [](const View& v, const Answer& a) { return when(v.what == View::finds, a.result_way); },
      [](const View& v, Answer& a, std::uint32_t by_rtl) {
        if (v.what == View::finds) a.result_way = by_rtl;
      });
}

void choices(BlockTable<WindowPoint>& t) {
  t.output(
      "leave", [](const View& v, const Answer& a) { return when(v.what == View::slides, a.leaves); },
      [](const View& v, Answer& a, std::uint64_t by_rtl) {
        if (v.what == View::slides) a.leaves = by_rtl;
      });
  t.output(
      "back", [](const View& v, const Answer& a) { return when(v.what == View::slides, a.backs); },
      [](const View& v, Answer& a, std::uint64_t by_rtl) {
        if (v.what == View::slides) a.backs = by_rtl;
      });
  t.output(
      "can_take", [](const View& v, const Answer& a) { return when(v.what == View::chooses, a.can_take); },
      [](const View& v, Answer& a, bool by_rtl) {
        if (v.what == View::chooses) a.can_take = by_rtl;
      });
  t.output(
      "victim",
      [](const View& v, const Answer& a) { return when(v.what == View::chooses && a.can_take, a.victim); },
      [](const View& v, Answer& a, std::uint32_t by_rtl) {
        if (v.what == View::chooses && a.can_take) a.victim = by_rtl;
      });
}

void table(BlockTable<WindowPoint>& t, const WindowPoint::Owner& window) {
  inputs(t, window);
  look_ups(t);
  choices(t);
}

const Block<WindowPoint> block{
    {"window_match", "windows of the last instructions", Clocking::per_event, fits, table}};

const ReportRegistration report{
    "window_match",
    {{"window_match",
      "window_match",
      {{"ENTRIES", 12}},
      "twelve entries of one warp (Esfeden 2020, BOW): tags, ages, valid and dirty lanes, who leaves"},
     {"window_match_6", "window_match", {{"ENTRIES", 6}, {"WAY_W", 3}}, "six entries"}}};

}  // namespace
}  // namespace heddle::cosim::window_match_block
