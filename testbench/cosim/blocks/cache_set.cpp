// Compares rtl/cache_set.v with the sets of the model's register caches. Only the first four sets of a cache
// are compared.

#include "models/stages/storage_points.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::cache_set_block {
namespace {

using View = CacheSetPoint::View;
using Answer = CacheSetPoint::Answer;

BlockFit fits(const CacheSetPoint::Owner& set) { return {{{"WAYS", set.ways}}, ""}; }

std::optional<std::uint32_t> if_hit(const View& v, const Answer& answer, std::uint32_t value) {
  return v.what == View::finds && answer.hit ? std::optional<std::uint32_t>{value} : std::nullopt;
}

void table(BlockTable<CacheSetPoint>& t, const CacheSetPoint::Owner& set) {
  const auto happens = [](View::What what) { return [what](const View& v) { return v.what == what; }; };
  t.setting("lru", set.lru);
  t.input("key", [](const View& v) { return v.key; });
  t.input("way", [](const View& v) { return v.way; });
  t.input("take", happens(View::takes));
  t.input("give_up", happens(View::gives_up));
  t.input("touch", happens(View::touches));
  t.input("write", happens(View::writes));
  t.input("dead", [](const View& v) { return v.dead; });
  t.input("fill", happens(View::fills));
  t.input("drop", happens(View::drops));
  t.input("lanes", [](const View& v) { return v.lanes; });
  t.output(
      "hit",
      [](const View& v, const Answer& answer) {
        return v.what == View::finds ? std::optional<bool>{answer.hit} : std::nullopt;
      },
      [](const View& v, Answer& answer, bool by_rtl) {
        if (v.what == View::finds) answer.hit = by_rtl;
      });
  t.output(
      "hit_way", [](const View& v, const Answer& answer) { return if_hit(v, answer, answer.way); },
      [](const View& v, Answer& answer, std::uint32_t by_rtl) {
        if (v.what == View::finds && answer.hit) answer.way = by_rtl;
      });
  t.output("valid", [](const View& v, const Answer& answer) { return if_hit(v, answer, answer.valid); });
  t.output("dirty", [](const View& v, const Answer& answer) { return if_hit(v, answer, answer.dirty); });
  t.output(
      "victim",
      [](const View& v, const Answer& answer) {
        return v.what == View::chooses ? std::optional<std::uint32_t>{answer.way} : std::nullopt;
      },
      [](const View& v, Answer& answer, std::uint32_t by_rtl) {
        if (v.what == View::chooses) answer.way = by_rtl;
      });
}

const Block<CacheSetPoint> block{{"cache_set", "sets of register caches", Clocking::per_event, fits, table}};

const ReportRegistration report{"cache_set",
                                {{"cache_set",
                                  "cache_set",
                                  {},
                                  "a set of two lines (Bailey 2018): tags, valid and dirty lanes, LRU; eight "
                                  "sets are Bailey 2018's cache of a scheduler"},
                                 {"cache_set_6",
                                  "cache_set",
                                  {{"WAYS", 6}},
                                  "six lines, fully associative, of one warp (Gebhart 2012)"}}};

}  // namespace
}  // namespace heddle::cosim::cache_set_block
