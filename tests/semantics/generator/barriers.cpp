#include <array>

#include "groups.h"
#include "table_writer.h"
#include "words.h"

namespace heddle::semantics {

namespace {

constexpr std::uint64_t kThreads = 96;

std::uint64_t value_of(std::uint64_t thread) { return 0x1000 + thread * thread; }

/// Adds an entry: three warps write to shared memory, wait at `barrier`, and read what another warp has
/// written.
void add_exchange(TableWriter& table, const std::string& name, const std::vector<std::string>& covered,
                  const std::vector<std::string>& barrier, std::uint64_t threads = kThreads,
                  std::uint64_t distance = 40) {
  FormWriter form(name);
  for (const std::string& spelled : covered) form.covers(spelled);
  form.in("value", "b32").in("from", "b32").out("d", "b32");
  form.declare(".shared .align 4 .b8 $_area[512];")
      .declare(".reg .b32 %base, %mine, %theirs;")
      .declare(".reg .pred %p;");
  form.body("mov.u32 %base, $_area;")
      .body("mad.lo.u32 %mine, %row, 4, %base;")
      .body("mad.lo.u32 %theirs, %from, 4, %base;");
  form.body("st.shared.b32 [%mine], %value;");
  for (const std::string& line : barrier) form.body(line);
  form.body("ld.shared.b32 %d, [%theirs];");
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    const std::uint64_t from = (thread + distance) % threads;
    form.row({value_of(thread), from}, {value_of(from)});
  }
  table.add(form);
}

void add_barriers(TableWriter& table) {
  add_exchange(table, "bar.sync", {"bar.sync"}, {"bar.sync 0;"});
  add_exchange(table, "bar.sync/other", {"bar.sync"}, {"bar.sync 7;", "bar.sync 15;"});
  add_exchange(table, "bar.sync/count", {"bar.sync"}, {"bar.sync 1, 96;"});
  add_exchange(table, "bar.cta.sync", {"bar.cta.sync"}, {"bar.cta.sync 0;"});
  add_exchange(table, "barrier.sync", {"barrier.sync"}, {"barrier.sync 0;"});
  add_exchange(table, "barrier.sync/count", {"barrier.sync"}, {"barrier.sync 2, 96;"});
  add_exchange(table, "barrier.sync.aligned", {"barrier.sync.aligned"}, {"barrier.sync.aligned 3;"});
  add_exchange(table, "barrier.cta.sync", {"barrier.cta.sync"}, {"barrier.cta.sync 0;"});
  add_exchange(table, "barrier.sync/register", {"barrier.sync"},
               {"mov.u32 %mine, 4;", "barrier.sync %mine;"});
  add_exchange(table, "bar.sync/two-places", {"bar.sync"},
               {"setp.lt.u32 %p, %row, 32;", "@%p bra $_first_{#};", "bar.sync 0;", "bra.uni $_join_{#};",
                "$_first_{#}:", "bar.sync 0;", "$_join_{#}:"});
  add_exchange(table, "bar.arrive", {"bar.arrive", "bar.sync"},
               {"setp.ge.u32 %p, %row, 64;", "@%p bra $_arrive_{#};", "bar.sync 5, 96;",
                "bra.uni $_join_{#};", "$_arrive_{#}:", "bar.arrive 5, 96;", "$_join_{#}:", "bar.sync 0;"});
  for (const std::string arrive : {"bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive"})
    add_exchange(table, arrive, {arrive, "barrier.sync"},
                 {"setp.ge.u32 %p, %row, 64;", "@%p bra $_arrive_{#};", "barrier.sync 5, 96;",
                  "bra.uni $_join_{#};", "$_arrive_{#}:", arrive + " 5, 96;", "$_join_{#}:", "bar.sync 0;"});
  add_exchange(table, "bar.warp.sync", {"bar.warp.sync"}, {"bar.warp.sync 0xffffffff;"}, 32, 5);
  add_exchange(
      table, "bar.warp.sync/divergent", {"bar.warp.sync"},
      {"setp.lt.u32 %p, %row, 11;", "@%p bra $_first_{#};", "add.u32 %mine, %mine, 4;", "bra.uni $_join_{#};",
       "$_first_{#}:", "add.u32 %mine, %mine, 8;", "$_join_{#}:", "bar.warp.sync -1;"},
      32, 9);
  for (const std::string fence :
       {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.cta", "fence.gpu", "fence.sys",
        "fence.sc.gpu", "fence.sc.sys", "fence.acq_rel.cta", "fence.acq_rel.gpu", "fence.acq_rel.sys"})
    add_exchange(table, fence, {fence}, {fence + ";", "bar.sync 0;", fence + ";"});
}

/// Adds an entry in which three warps execute bar.red in several rounds. Each round has its own pattern of
/// predicates.
void add_reductions(TableWriter& table) {
  FormWriter form("bar.red");
  form.in("p", "pred").in("q", "pred").in("r", "pred");
  std::vector<std::array<std::string, 2>> outputs;
  int number = 0;
  for (const std::string prefix : {"bar.red", "barrier.red", "bar.cta.red", "barrier.cta.red.aligned"}) {
    for (const std::string source : {"%p", "%q", "!%q", "%r"}) {
      for (const std::string operation : {"and.pred", "or.pred", "popc.u32"}) {
        const std::string name = "o" + std::to_string(number++);
        outputs.push_back({source, operation});
        form.out(name, operation == "popc.u32" ? "b32" : "pred");
        form.body(prefix + "." + operation + " %" + name + ", " + std::to_string(number % 16) + ", " +
                  source + ";");
        form.covers(prefix + "." + operation);
      }
    }
  }
  const auto flag = [](const std::string& source, std::uint64_t thread) {
    if (source == "%p") return true;
    if (source == "%q") return thread % 3 == 1;
    if (source == "!%q") return thread % 3 != 1;
    return thread == 77;
  };
  std::vector<Expected> expected;
  for (const auto& [source, operation] : outputs) {
    std::uint64_t count = 0;
    for (std::uint64_t thread = 0; thread < kThreads; ++thread) count += flag(source, thread) ? 1 : 0;
    if (operation == "popc.u32") expected.emplace_back(count);
    if (operation == "and.pred") expected.emplace_back(count == kThreads ? 1 : 0);
    if (operation == "or.pred") expected.emplace_back(count > 0 ? 1 : 0);
  }
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    const auto bit = [&](const std::string& source) { return flag(source, thread) ? 1ULL : 0ULL; };
    form.row({bit("%p"), bit("%q"), bit("%r")}, expected);
  }
  table.add(form);
}

/// Adds an entry in which one warp polls a flag that another warp sets. Both warps must make progress.
void add_message(TableWriter& table) {
  FormWriter form("message-between-warps");
  for (const char* covered : {"ld.acquire.cta.u32", "st.release.cta.u32", "nanosleep.u32"})
    form.covers(covered);
  form.in("value", "b32").out("d", "b32");
  form.module(".global .align 4 .u32 $_flag;").module(".global .align 4 .u32 $_data;");
  form.declare(".reg .b64 %flag, %data;").declare(".reg .b32 %seen;").declare(".reg .pred %p;");
  for (const char* line : {"mov.u64 %flag, $_flag;",
                           "mov.u64 %data, $_data;",
                           "cvta.global.u64 %flag, %flag;",
                           "cvta.global.u64 %data, %data;",
                           "setp.ge.u32 %p, %row, 32;",
                           "@%p bra $_send_{#};",
                           "$_wait_{#}:",
                           "nanosleep.u32 20;",
                           "ld.acquire.cta.u32 %seen, [%flag];",
                           "setp.eq.u32 %p, %seen, 0;",
                           "@%p bra $_wait_{#};",
                           "bra.uni $_read_{#};",
                           "$_send_{#}:",
                           "setp.eq.u32 %p, %row, 32;",
                           "@%p st.u32 [%data], %value;",
                           "mov.u32 %seen, 1;",
                           "@%p st.release.cta.u32 [%flag], %seen;",
                           "$_read_{#}:",
                           "bar.sync 0;",
                           "ld.u32 %d, [%data];"})
    form.body(line);
  for (std::uint64_t thread = 0; thread < 64; ++thread) form.row({value_of(thread)}, {value_of(32)});
  table.add(form);
}

}  // namespace

void write_barriers(const std::string& folder) {
  TableWriter table(folder, "barriers", "Barriers, fences, messages between warps");
  add_barriers(table);
  add_reductions(table);
  add_message(table);
}

}  // namespace heddle::semantics
