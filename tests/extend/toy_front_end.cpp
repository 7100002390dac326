// A plug-in front-end stage: stores the last metadata words, skips metadata that it has stored, and attaches
// a metadata word to the instructions after it.

#include <optional>
#include <vector>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "models/frontend/i_front_end_stage.h"
#include "tests/extend/toy_points.h"

namespace heddle {
namespace {

struct EchoParameters {
  int entries = 4;
  void fields(FieldVisitor& v) { v.field("entries", entries, {0, 64}, "words that are remembered"); }
};

class ToyEcho : public FrontEndStage {
 public:
  ToyEcho(const EchoParameters& p, Context& context)
      : owner_{p.entries},
        entries_(static_cast<std::size_t>(p.entries)),
        heard_(context.stats.add("heard", "instructions", "metadata decoded")),
        held_(context.stats.add("held", "instructions", "metadata passed over")),
        others_(context.stats.add("others", "instructions", "instructions decoded that are issued")) {}

  Cycle allow(const Fetch& fetch) override { return fetch.now; }
  void on_kernel_begin() override { entries_.assign(entries_.size(), {}); }
  FrontEndWants wants() const override {
    return front_end_wants::fetches | front_end_wants::metadata | front_end_wants::instructions;
  }
  void probes(const ProbeScope& scope) override { scope.add(probe_); }

  bool holds(const DecodePlace& place, std::uint64_t& latch) override {
    if (entries_.empty()) return false;
    const std::optional<Entry>& entry = entries_[place.pc % entries_.size()];
    bool held = entry && entry->pc == place.pc;
    if (probe_.attached()) probe_.answered({place.now, place.warp, place.pc}, held);
    if (!held) return false;
    latch = entry->word;
    ++held_;
    return true;
  }
  void decoded(const DecodePlace& place, std::uint64_t& latch) override {
    if (!place.instruction().metadata) {
      ++others_;
      return;
    }
    ++heard_;
    latch = place.instruction().payload;
    if (latch >> 48 != 0xa5a5) throw InternalError("toy-echo received a word that toy-scatter has not sent");
    if (!entries_.empty()) entries_[place.pc % entries_.size()] = Entry{place.pc, latch};
  }

 private:
  struct Entry {
    std::uint32_t pc;
    std::uint64_t word;
  };
  EchoPoint::Owner owner_;
  Probe<EchoPoint> probe_{owner_};
  std::vector<std::optional<Entry>> entries_;
  Counter &heard_, &held_, &others_;
};

const Registration<FrontEndStage, ToyEcho, EchoParameters> toy_front_end_entry{"toy-echo",
                                                                               "remembers metadata"};

}  // namespace
}  // namespace heddle
