#include "power/storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/core/wildcard.h"

namespace heddle::power {
namespace {

constexpr const char* kSwitched = "on_cycles wake_up_cycles uncompensated_cycles compensated_cycles sleeps";
constexpr const char* kPipelineCounters = "lane_operations multiply_lanes double_lanes";
constexpr const char* kProducts =
    "double_products half_products byte_products four_bit_products bit_products";
constexpr const char* kCacheReads = "private_reads shared_reads writebacks flush_writebacks";
constexpr const char* kCacheWrites = "private_writes shared_writes upper_writes fills";

// Energy events that Heddle itself declares; technology files may declare further ones. Accesses to the main
// register file can be counted by rows, sub-banks, idle lanes, or speed of rows. Its leakage can be counted
// by banks, states of rows, or states of subarrays. An event is measured by several counters (`counters`) of
// several units (`owners`). Both members are lists of names, separated by blanks.
struct OwnEvent {
  const char *structure, *kind, *owners, *counters;
};
constexpr OwnEvent kEvents[] = {
    {"register_file.mrf", "read", "sm*.partition*.banks",
     "reads read_sub_banks idle_lanes_read fast_high_reads fast_low_reads slow_reads"},
    {"register_file.mrf", "write", "sm*.partition*.banks",
     "writes write_sub_banks idle_lanes_written fast_high_writes fast_low_writes slow_writes"},
    {"register_file.mrf", "spill", "sm*.issue.spiller", "registers_spilled registers_restored"},
    {"register_file.mrf", "state", "sm*.partition*.banks",
     "on_entry_cycles wake_entry_cycles drowsy_entry_cycles off_entry_cycles"},
    {"register_file.mrf", "state", "sm*.partition*.renaming.bank*", kSwitched},
    {"register_file.register_cache", "read", "sm*.partition*.register_cache", kCacheReads},
    {"register_file.register_cache", "write", "sm*.partition*.register_cache", kCacheWrites},
    {"register_file.register_cache", "tags", "sm*.partition*.register_cache", "tag_checks"},
    {"register_file.register_cache2", "read", "sm*.partition*.register_cache2", kCacheReads},
    {"register_file.register_cache2", "write", "sm*.partition*.register_cache2", kCacheWrites},
    {"register_file.register_cache2", "tags", "sm*.partition*.register_cache2", "tag_checks"},
    {"register_file.operand_file", "read", "sm*.partition*.operand_file",
     "operand_private_reads operand_shared_reads"},
    {"register_file.operand_file", "write", "sm*.partition*.operand_file",
     "operand_private_writes operand_shared_writes operand_fills"},
    {"register_file.last_result", "read", "sm*.partition*.operand_file",
     "last_result_private_reads last_result_shared_reads"},
    {"register_file.last_result", "write", "sm*.partition*.operand_file",
     "last_result_private_writes last_result_shared_writes last_result_fills"},
    {"register_file.renaming_table", "access", "sm*.partition*.renaming", "look_ups maps unmaps"},
    {"register_file.rename_table", "access", "sm*.partition*.rename_table", "look_ups maps unmaps"},
    {"register_file.release_flags", "access", "sm*.front_end", "metadata_decodes"},
    {"register_file.release_flags", "hit", "sm*.front_end.release-flag-cache", "hits"},
    {"execution.int", "operation", "sm*.partition*.units.int*", kPipelineCounters},
    {"execution.int", "state", "sm*.partition*.gating.int* sm*.partition*.gating.int*.*", kSwitched},
    {"execution.fp", "operation", "sm*.partition*.units.fp*", kPipelineCounters},
    {"execution.fp", "state", "sm*.partition*.gating.fp* sm*.partition*.gating.fp*.*", kSwitched},
    {"execution.sfu", "operation", "sm*.partition*.units.sfu*", kPipelineCounters},
    {"execution.sfu", "state", "sm*.partition*.gating.sfu* sm*.partition*.gating.sfu*.*", kSwitched},
    {"execution.matrix", "operation", "sm*.partition*.units.matrix*", kProducts},
    {"execution.matrix", "state", "sm*.partition*.gating.matrix* sm*.partition*.gating.matrix*.*", kSwitched},
    {"execution.ldst", "operation", "sm*.load_store", "completed"},
    {"execution.ldst", "state", "sm*.gating.ldst* sm*.gating.ldst*.*", kSwitched},
};

struct OwnPart {
  const char* name;
  bool still;
  const char *has, *structures = nullptr;
};
constexpr OwnPart kParts[] = {
    {"INT and FP units", false, "sm*.partition*.units.int*.operations", "execution.int execution.fp"},
    {"SFUs", false, "sm*.partition*.units.sfu*.operations", "execution.sfu"},
    {"matrix units", false, "sm*.partition*.units.matrix*.operations", "execution.matrix"},
    {"load/store unit", false, "sm*.load_store.completed", "execution.ldst"},
    {"lane shifting", false, "sm*.partition*.units.int*.passes sm*.partition*.units.fp*.passes"},
    {"main register file", false, "sm*.partition*.banks.reads", "register_file.mrf"},
    {"logic of the row format", false, "sm*.partition*.banks.accesses", "register_file.row_format"},
    {"lanes that accesses leave idle", false,
     "sm*.partition*.banks.idle_lanes_read sm*.partition*.banks.idle_lanes_written"},
    {"speeds of rows", false, "sm*.partition*.banks.slow_reads"},
    {"row wake-ups", false, "sm*.partition*.banks.wake_ups"},
    {"subarray switching", false, "sm*.partition*.renaming.bank*.sleeps"},
    {"register cache", false, "sm*.partition*.register_cache.tag_checks", "register_file.register_cache"},
    {"tags", false, "sm*.partition*.register_cache*.tag_checks"},
    {"upper register cache", false, "sm*.partition*.register_cache2.tag_checks",
     "register_file.register_cache2"},
    {"operand file", false, "sm*.partition*.operand_file.operand_private_reads",
     "register_file.operand_file"},
    {"last result file", false, "sm*.partition*.operand_file.last_result_private_reads",
     "register_file.last_result"},
    {"renaming table", false, "sm*.partition*.renaming.look_ups"},
    {"rename table", false, "sm*.partition*.rename_table.look_ups"},
    {"release flags", false, "sm*.front_end.release-flag-cache.hits"},
    {"swapping table", false, "sm*.partition*.swapping.lookups"},
    {"spill traffic", false, "sm*.issue.spiller.bytes"},
    {"collectors", false, "sm*.partition*.collectors.dispatched sm*.partition*.register_port.reads"},
    {"result bus", false, "sm*.partition*.result_bus.words"},
    {"front end", false, "sm*.front_end.fetches"},
    {"issue", false, "sm*.issue.issued"},
    {"shared memory", false,
     "sm*.load_store.shared_accesses sm*.load_store.shared_bank_reads sm*.load_store.shared_bank_writes"},
    {"L1", false, "sm*.load_store.l1_accesses"},
    {"texture units", false, "sm*.load_store.texture_quads"},
    {"L2", false, "memory.l2_hits memory.requests"},
    {"DRAM", false, "memory.dram_reads memory.dram_bytes_read memory.dram_bytes_written"},
    {"INT and FP units", true, "sm*.partition*.units.int*.operations", "execution.int execution.fp"},
    {"SFUs", true, "sm*.partition*.units.sfu*.operations", "execution.sfu"},
    {"matrix units", true, "sm*.partition*.units.matrix*.operations", "execution.matrix"},
    {"load/store unit", true, "sm*.load_store.completed", "execution.ldst"},
    {"main register file", true, "sm*.partition*.banks.reads", "register_file.mrf"},
    {"logic of the row format", true, "sm*.partition*.banks.accesses", "register_file.row_format"},
    {"register cache", true, "sm*.partition*.register_cache.tag_checks", "register_file.register_cache"},
    {"tags", true, "sm*.partition*.register_cache.tag_checks", "register_file.tags"},
    {"operand file", true, "sm*.partition*.operand_file.operand_private_reads", "register_file.operand_file"},
    {"renaming table", true, "sm*.partition*.renaming.look_ups", "register_file.renaming_table"},
    {"rename table", true, "sm*.partition*.rename_table.look_ups", "register_file.rename_table"},
    {"release flag cache", true, "sm*.front_end.release-flag-cache.hits", "register_file.release_flags"},
    {"swapping table", true, "sm*.partition*.swapping.lookups", "register_file.swapping_table"},
};

constexpr const char* kOwnUnits =
    "sm* sm*.front_end sm*.front_end.release-flag-cache sm*.front_end.instruction-cache sm*.gating.** "
    "sm*.issue "
    "sm*.issue.scheduler* sm*.issue.spiller sm*.load_store sm*.partition* sm*.partition*.banks "
    "sm*.partition*.collectors sm*.partition*.folding sm*.partition*.gating.** sm*.partition*.operand_file* "
    "sm*.partition*.read_distances sm*.partition*.register_cache* sm*.partition*.register_port "
    "sm*.partition*.renaming** sm*.partition*.rename_table sm*.partition*.result_bus sm*.partition*.swapping "
    "sm*.partition*.units.** "
    "memory**";

std::vector<std::string> words(std::string_view list) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(' ', begin), list.size());
    all.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

}  // namespace

const std::vector<StorageEvent>& storage_events() {
  static const std::vector<StorageEvent> events = [] {
    std::vector<StorageEvent> all;
    for (const OwnEvent& event : kEvents) {
      all.push_back({event.structure, event.kind, {}});
      for (const std::string& owner : words(event.owners))
        for (const std::string& name : words(event.counters))
          all.back().counters.push_back(fmt::format("{}.{}", owner, name));
    }
    return all;
  }();
  return events;
}

const std::vector<MachinePart>& machine_parts() {
  static const std::vector<MachinePart> parts = [] {
    std::vector<MachinePart> all;
    for (const OwnPart& part : kParts)
      all.push_back({part.name, part.still, words(part.has), words(part.structures ? part.structures : "")});
    return all;
  }();
  return parts;
}

bool is_own_unit(const std::string& owner) {
  static const std::vector<std::string> patterns = words(kOwnUnits);
  return owner.empty() || std::any_of(patterns.begin(), patterns.end(),
                                      [&](const std::string& pattern) { return fits(pattern, owner); });
}

}  // namespace heddle::power
