// Tests faults of the renaming hardware (Jeon 2015) in whole runs. An observer at a probe point replaces a
// decision of the hardware, for example the result of a look-up in the renaming table. The outputs must
// differ, or the run must end with an error.

#include <gtest/gtest.h>

#include <map>

#include "models/core/error.h"
#include "models/frontend/release_flag_cache.h"
#include "models/gpu/gpu.h"
#include "models/stages/availability.h"
#include "models/stages/renaming_points.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/simulation.h"

namespace heddle::hierarchy {
namespace {

using Attach = std::function<void(ProbeList&)>;

template <class Point, class F>
void each(ProbeList& list, F&& f) {
  for (const ProbeList::Part& part : list.parts)
    for (ProbePoint* point : part.points)
      if (Probe<Point>* probe = point->as<Point>()) f(*probe);
}

/// Runs a kernel with half of the registers, as in Jeon 2015. attach(probes) adds a fault to the machine.
/// Returns true if the kernel's results equal those of the untimed reference.
bool runs_right(const std::string& kernel, const Attach& attach) try {
  const testing_support::Simulation simulation;
  run::ScenarioRequest request;
  request.gpu = "fermi-virtualization";
  request.launch = "testbench/kernels/" + kernel + "/small.json";
  request.with = {"virtualization", "gpu-shrink"};
  request.sets = {"gpu.sms=1", "watch.check=on", "power.technologies=[]", "watch.deadlock_cycles=20000"};
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) {
    ProbeList list;
    gpu.sm(0).probes(ProbeScope(list, "sm0"));
    attach(list);
  };
  run::RunSession session(run::read_scenario(request), hooks);
  return session.run().equal;
} catch (const std::exception&) {
  return false;
}

/// for each flag cache entry, the release flags last written into it and the address of their metadata word
struct Entries {
  struct Entry {
    std::uint64_t address = 0, flags = 0;
  };
  std::map<std::size_t, Entry> held;
  std::size_t size = 0;
  std::size_t index(std::uint64_t address) const { return address / isa::kInstructionBytes % size; }
};

/// Adds a fault to the release flag cache: f(entries, address, answer) may change the result (answer) of a
/// look-up.
template <class F>
Attach flag_cache(bool kept_by_kernels, F f) {
  const auto entries = std::make_shared<Entries>();
  return [=](ProbeList& list) {
    each<FlagCachePoint>(list, [=](Probe<FlagCachePoint>& probe) {
      entries->size = probe.owner().entries;
      probe.attach([=](const FlagCachePoint::View& view, FlagCachePoint::Answer* answer) {
        if (view.what == FlagCachePoint::View::clears && !kept_by_kernels) entries->held.clear();
        if (view.what == FlagCachePoint::View::replaces)
          entries->held[entries->index(view.address)] = {view.address, view.flags};
        if (answer) f(*entries, view.address, *answer);
      });
    });
  };
}

TEST(ProbeFaults, WithoutAWrongAnswerNothingIsReported) {
  for (const char* kernel : {"hotspot", "bfs", "lud"})
    EXPECT_TRUE(runs_right(kernel, flag_cache(false, [](const Entries&, std::uint64_t, auto&) {}))) << kernel;
}

TEST(ProbeFaults, ATagThatIsNotCompared) {
  EXPECT_FALSE(
      runs_right("hotspot", flag_cache(false, [](const Entries& e, std::uint64_t address, auto& answer) {
                   const auto at = e.held.find(e.index(address));
                   if (!answer && at != e.held.end()) answer = at->second.flags;
                 })));
}

TEST(ProbeFaults, TheEntryBeside) {
  EXPECT_FALSE(
      runs_right("hotspot", flag_cache(false, [](const Entries& e, std::uint64_t address, auto& answer) {
                   const auto at = e.held.find((e.index(address) + 1) % e.size);
                   if (answer && at != e.held.end()) answer = at->second.flags;
                 })));
}

// Fault: entries of the cache for release flags stay valid after their kernel has ended. In the next kernel,
// they return the release flags of other instructions.
TEST(ProbeFaults, FlagsOfAnEarlierKernel) {
  EXPECT_FALSE(runs_right("lud", flag_cache(true, [](const Entries& e, std::uint64_t address, auto& answer) {
                            const auto at = e.held.find(e.index(address));
                            if (!answer && at != e.held.end() && at->second.address == address)
                              answer = at->second.flags;
                          })));
}

/// Adds a fault to the renaming table: f(before, place) may change the bank and entry (place) that a look-up
/// returns. `before`: the register's place before its present one.
template <class F>
Attach table(F f) {
  struct Places {
    RegisterPlace now{}, before{};
  };
  const auto places = std::make_shared<std::map<std::pair<std::uint32_t, std::uint32_t>, Places>>();
  return [=](ProbeList& list) {
    each<TablePoint>(list, [=](Probe<TablePoint>& probe) {
      probe.attach([=](const TablePoint::View& view, RegisterPlace* place) {
        Places& at = (*places)[{view.warp.value, view.reg.value}];
        if (view.what == TablePoint::View::maps) at = {view.place, at.now};
        if (place && place->set) f(at.before, *place);
      });
    });
  };
}

TEST(ProbeFaults, APlaceThatWasTheRegistersOnce) {
  EXPECT_FALSE(runs_right("hotspot", table([](const RegisterPlace& before, RegisterPlace& place) {
                            if (before.set) place = before;
                          })));
}

TEST(ProbeFaults, TheBankBeside) {
  EXPECT_FALSE(runs_right("hotspot", table([](const RegisterPlace&, RegisterPlace& place) {
                            place.bank = BankId((place.bank.value + 1) % 4);
                          })));
}

// Fault: an entry is allocated again as soon as its release is accepted, although older reads of the entry
// may still wait at the bank.
TEST(ProbeFaults, AnEntryThatIsFreeTooEarly) {
  const auto places = std::make_shared<std::map<std::pair<std::uint32_t, std::uint32_t>, RegisterPlace>>();
  const auto released = std::make_shared<std::map<std::uint32_t, std::uint32_t>>();
  EXPECT_FALSE(runs_right("hotspot", [=](ProbeList& list) {
    each<TablePoint>(list, [=](Probe<TablePoint>& probe) {
      probe.attach([=](const TablePoint::View& view, RegisterPlace*) {
        RegisterPlace& at = (*places)[{view.warp.value, view.reg.value}];
        if (view.what == TablePoint::View::maps) at = view.place;
        if (view.what == TablePoint::View::unmaps) (*released)[at.bank.value] = at.entry;
      });
    });
    std::uint32_t number = 0;
    each<AllocatorPoint>(list, [=, &number](Probe<AllocatorPoint>& probe) {
      probe.attach([=, bank = number++](const AllocatorPoint::View& view, AllocatorPoint::Answer* answer) {
        const auto at = released->find(bank);
        if (at == released->end()) return;
        if (view.gives && view.given == at->second)
          released->erase(at);
        else if (answer && answer->entry != Availability::kNone)
          answer->entry = at->second;
      });
    });
  }));
}

}  // namespace
}  // namespace heddle::hierarchy
