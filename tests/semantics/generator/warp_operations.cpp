#include <array>

#include "groups.h"
#include "samples.h"
#include "table_writer.h"

// Writes table entries for instructions across lanes. Row 32 * w + i is lane i of warp w.

namespace heddle::semantics {

namespace {

constexpr std::uint64_t kLanes = 32;
constexpr std::uint64_t kAll = 0xffffffff;

std::uint64_t lane_value(std::uint64_t row) {
  RandomWords random(1000 + row);
  return truncate(random.next(), 32);
}

struct Shuffled {
  std::uint64_t source;
  bool inside;
};

/// Returns the lane from which shfl reads for `lane`. A lane out of bounds reads its own value.
Shuffled shuffle(const std::string& mode, std::uint64_t lane, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t segment = (c >> 8) & 31;
  const std::uint64_t clamp = c & 31;
  const auto least = static_cast<std::int64_t>(lane & segment);
  const auto greatest = static_cast<std::int64_t>((lane & segment) | (clamp & ~segment & 31));
  const auto distance = static_cast<std::int64_t>(b & 31);
  auto source = static_cast<std::int64_t>(lane);
  bool inside = true;
  if (mode == "up") {
    source -= distance;
    inside = source >= greatest;
  } else {
    if (mode == "down") source += distance;
    if (mode == "bfly") source ^= distance;
    if (mode == "idx") source = least | (distance & static_cast<std::int64_t>(~segment & 31));
    inside = source <= greatest;
  }
  return {inside ? static_cast<std::uint64_t>(source) : lane, inside};
}

/// Adds entries for shuffles with widths 32, 16, 8 and 4. Distances are below, at and above the width, or
/// differ between lanes.
void add_shuffles(TableWriter& table) {
  for (const std::string mode : {"up", "down", "bfly", "idx"}) {
    for (const bool synchronous : {true, false}) {
      const std::string spelled = std::string(synchronous ? "shfl.sync." : "shfl.") + mode + ".b32";
      FormWriter form(spelled);
      form.covers(spelled)
          .in("a", "b32")
          .in("b", "b32")
          .in("c", "b32")
          .out("d", "b32")
          .out("inside", "pred")
          .out("alone", "b32");
      if (!synchronous) form.ptx("6.3", "sm_50");
      const std::string mask = synchronous ? ", -1;" : ";";
      form.body(spelled + " %d|%inside, %a, %b, %c" + mask).body(spelled + " %alone, %a, %b, %c" + mask);
      const std::array<std::array<std::uint64_t, 2>, 6> warps{
          {{1, 32}, {5, 16}, {8, 8}, {3, 4}, {99, 32}, {40, 16}}};
      for (std::uint64_t warp = 0; warp < (synchronous ? warps.size() : 3); ++warp) {
        const auto [amount, width] = warps[warp];
        const std::uint64_t c = ((32 - width) << 8) | (mode == "up" ? 0 : 31);
        const auto b_of = [&](std::uint64_t lane) { return amount == 99 ? lane * 7 % 37 : amount; };
        for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
          const Shuffled from = shuffle(mode, lane, b_of(lane), c);
          const std::uint64_t value = lane_value(warp * kLanes + from.source);
          form.row({lane_value(warp * kLanes + lane), b_of(lane), c},
                   {value, from.inside ? 1ULL : 0ULL, value});
        }
      }
      table.add(form);
    }
  }
}

void add_divergent_shuffle(TableWriter& table) {
  FormWriter form("shfl.sync.idx.b32/divergent");
  form.covers("shfl.sync.idx.b32")
      .in("a", "b32")
      .in("left", "pred")
      .in("mask", "b32")
      .in("from", "b32")
      .out("d", "b32");
  form.declare(".reg .b32 %rest;");
  for (const char* line :
       {"not.b32 %rest, %mask;", "@%left bra $_left_{#};", "shfl.sync.idx.b32 %d, %a, %from, 31, %rest;",
        "bra.uni $_join_{#};", "$_left_{#}:", "shfl.sync.idx.b32 %d, %a, %from, 31, %mask;", "$_join_{#}:"})
    form.body(line);
  const std::array<std::uint64_t, 2> masks{0x0ff03c5a, 0x55555555};
  for (std::uint64_t warp = 0; warp < masks.size(); ++warp) {
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
      const bool left = ((masks[warp] >> lane) & 1) != 0;
      // each lane reads from the next lane on the same side of the branch, and the last lane of the side from
      // the first
      std::uint64_t from = (lane + 1) % kLanes;
      while ((((masks[warp] >> from) & 1) != 0) != left) from = (from + 1) % kLanes;
      form.row({lane_value(warp * 32 + lane), left ? 1ULL : 0ULL, masks[warp], from},
               {lane_value(warp * 32 + from)});
    }
  }
  table.add(form);
}

/// Returns the lanes whose predicate is true in warp number `warp` of five warps: no lane, all lanes, one
/// lane, every other lane, a mixed pattern.
std::uint64_t flags_of(std::uint64_t warp) {
  return std::array<std::uint64_t, 5>{0, kAll, 1ULL << 17, 0xaaaaaaaa, 0x80c3f001}[warp];
}

struct Votes {
  std::uint64_t all, any, uniform, ballot;
};

Votes votes(std::uint64_t flags, std::uint64_t mask) {
  const std::uint64_t set = flags & mask;
  return {set == mask ? 1ULL : 0ULL, set != 0 ? 1ULL : 0ULL, set == mask || set == 0 ? 1ULL : 0ULL, set};
}

void add_votes(TableWriter& table) {
  FormWriter synchronous("vote.sync");
  FormWriter plain("vote");
  plain.ptx("6.3", "sm_50");
  for (FormWriter* form : {&synchronous, &plain}) {
    const bool sync = form == &synchronous;
    form->in("p", "pred");
    for (const std::string mode : {"all", "any", "uni"}) {
      const std::string spelled = std::string(sync ? "vote.sync." : "vote.") + mode + ".pred";
      form->covers(spelled).out(mode, "pred").body(spelled + " %" + mode + (sync ? ", %p, -1;" : ", %p;"));
      form->out("not_" + mode, "pred").body(spelled + " %not_" + mode + (sync ? ", !%p, -1;" : ", !%p;"));
    }
    const std::string ballot = sync ? "vote.sync.ballot.b32" : "vote.ballot.b32";
    form->covers(ballot)
        .out("ballot", "b32")
        .body(ballot + (sync ? " %ballot, %p, 0xffffffff;" : " %ballot, %p;"));
    if (sync)
      form->covers("vote.ballot.sync.b32")
          .out("swapped", "b32")
          .body("vote.ballot.sync.b32 %swapped, %p, -1;");
    for (std::uint64_t row = 0; row < 5 * kLanes; ++row) {
      const std::uint64_t flags = flags_of(row / kLanes);
      const Votes yes = votes(flags, kAll);
      const Votes no = votes(~flags & kAll, kAll);
      std::vector<Expected> outputs{yes.all, no.all, yes.any, no.any, yes.uniform, no.uniform, yes.ballot};
      if (sync) outputs.emplace_back(yes.ballot);
      form->row({(flags >> (row % kLanes)) & 1}, outputs);
    }
    table.add(*form);
  }
}

void add_divergent_votes(TableWriter& table) {
  FormWriter form("vote.sync/divergent");
  for (const char* covered :
       {"vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.ballot.b32", "activemask.b32"})
    form.covers(covered);
  form.in("p", "pred")
      .in("left", "pred")
      .in("mask", "b32")
      .out("all", "pred")
      .out("any", "pred")
      .out("ballot", "b32")
      .out("active", "b32");
  form.declare(".reg .b32 %rest;").body("not.b32 %rest, %mask;").body("@%left bra $_left_{#};");
  for (const std::string side : {"%rest", "%mask"}) {
    if (side == "%mask") form.body("bra.uni $_join_{#};").body("$_left_{#}:");
    form.body("vote.sync.all.pred %all, %p, " + side + ";")
        .body("vote.sync.any.pred %any, %p, " + side + ";");
    form.body("vote.sync.ballot.b32 %ballot, %p, " + side + ";").body("activemask.b32 %active;");
  }
  form.body("$_join_{#}:");
  const std::array<std::uint64_t, 3> masks{0x0000ffff, 0x13579bdf, 0x80000000};
  for (std::uint64_t row = 0; row < masks.size() * kLanes; ++row) {
    const std::uint64_t mask = masks[row / kLanes];
    const std::uint64_t flags = flags_of(row / kLanes + 2);
    const bool left = ((mask >> (row % kLanes)) & 1) != 0;
    const std::uint64_t side = left ? mask : ~mask & kAll;
    const Votes result = votes(flags, side);
    form.row({(flags >> (row % kLanes)) & 1, left ? 1ULL : 0ULL, mask},
             {result.all, result.any, result.ballot, side});
  }
  table.add(form);
}

void add_active_masks(TableWriter& table) {
  FormWriter form("activemask.b32");
  form.covers("activemask.b32").out("active", "b32").body("activemask.b32 %active;");
  for (std::uint64_t row = 0; row < 32 + 13; ++row) form.row({}, {row < 32 ? kAll : mask_of(13)});
  table.add(form);
}

std::uint64_t matched(const std::vector<std::uint64_t>& values, std::uint64_t lane) {
  std::uint64_t mask = 0;
  for (std::uint64_t other = 0; other < kLanes; ++other)
    mask |= (values[other] == values[lane] ? 1ULL : 0ULL) << other;
  return mask;
}

void add_matches(TableWriter& table) {
  for (const int width : {32, 64}) {
    const std::string column = "b" + std::to_string(width);
    FormWriter form("match." + column);
    form.covers("match.any.sync." + column).covers("match.all.sync." + column);
    form.in("a", column).out("any", "b32").out("all", "b32").out("equal", "pred");
    form.body("match.any.sync." + column + " %any, %a, -1;")
        .body("match.all.sync." + column + " %all|%equal, %a, -1;");
    for (std::uint64_t warp = 0; warp < 5; ++warp) {
      std::vector<std::uint64_t> values;
      for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
        // values of the five warps: equal in all lanes; different in all lanes; up to five values in a warp;
        // different only in the top bit; different in one lane
        const std::uint64_t top = 1ULL << (width - 1);
        values.push_back(std::array<std::uint64_t, 5>{top | 42, lane, lane * lane % 5, (lane & 1) * top,
                                                      lane == 31 ? 1ULL : 0ULL}[warp]);
      }
      for (std::uint64_t lane = 0; lane < kLanes; ++lane)
        form.row({values[lane]}, {matched(values, lane), warp == 0 ? kAll : 0, warp == 0 ? 1ULL : 0ULL});
    }
    table.add(form);
  }
}

std::uint64_t reduced(const std::string& operation, std::uint64_t a, std::uint64_t b, bool is_signed) {
  const bool below = integer_of(a, 32, is_signed) < integer_of(b, 32, is_signed);
  if (operation == "add") return truncate(a + b, 32);
  if (operation == "min") return below ? a : b;
  if (operation == "max") return below ? b : a;
  if (operation == "and") return a & b;
  return operation == "or" ? a | b : a ^ b;
}

void add_reductions(TableWriter& table) {
  FormWriter form("redux.sync");
  form.ptx("7.8", "sm_80").in("a", "b32");
  std::vector<std::array<std::string, 2>> variants;
  for (const std::string operation : {"add", "min", "max"}) {
    for (const std::string type : {"u32", "s32"}) variants.push_back({operation, type});
  }
  for (const std::string operation : {"and", "or", "xor"}) variants.push_back({operation, "b32"});
  for (const auto& [operation, type] : variants) {
    const std::string spelled = "redux.sync." + operation + "." + type;
    form.covers(spelled)
        .out(operation + "_" + type, "b32")
        .body(spelled + " %" + operation + "_" + type + ", %a, -1;");
  }
  for (std::uint64_t warp = 0; warp < 2; ++warp) {
    const auto value = [&](std::uint64_t lane) {
      return warp == 0 ? lane_value(lane) : lane_value(lane) | 0xf0f00000;
    };
    std::vector<Expected> outputs;
    for (const auto& [operation, type] : variants) {
      std::uint64_t result = value(0);
      for (std::uint64_t lane = 1; lane < kLanes; ++lane)
        result = reduced(operation, result, value(lane), type == "s32");
      outputs.emplace_back(result);
    }
    for (std::uint64_t lane = 0; lane < kLanes; ++lane) form.row({value(lane)}, outputs);
  }
  table.add(form);
}

}  // namespace

void write_warp_operations(const std::string& folder) {
  TableWriter table(folder, "warp_operations", "Operations between the lanes of a warp");
  add_shuffles(table);
  add_divergent_shuffle(table);
  add_votes(table);
  add_divergent_votes(table);
  add_active_masks(table);
  add_matches(table);
  add_reductions(table);
}

}  // namespace heddle::semantics
