#include "testbench/output/metric_texts.h"

#include "models/core/error.h"
#include "models/core/wildcard.h"

namespace heddle::output {

const std::vector<MetricText>& metric_texts() {
  static const std::vector<MetricText> texts = {
      {"cycles", "cycles", "cycles of the launches, first cycle to end of last CTA"},
      {"speed-up", "ratio", "cycles of the first run over the cycles of this run"},
      {"launches", "launches", "launches of a program"},
      {"instructions", "warp-instructions", "warp-instructions issued by a program"},
      {"ipc", "warp-instructions/cycle", "warp-instructions a cycle, all SMs together"},
      {"ipc_per_sm", "warp-instructions/cycle", "warp-instructions a cycle and SM"},
      {"lanes_per_instruction", "lanes", "lanes that execute, of 32"},
      {"occupancy", "share", "resident warps, of the warps that the SMs can hold"},
      {"active_warps_per_sm", "warps", "warps that hold an active slot of a scheduler"},
      {"slot_use", "share of issue slots", "issue slots that issued"},
      {"stall_no-warp", "share of issue slots", "issue slots idle: the scheduler has no warp"},
      {"stall_no-pair", "share of issue slots",
       "issue slots idle: the first slot issued, no second instruction could"},
      {"stall_inactive", "share of issue slots",
       "issue slots idle: warps are ready, the policy lets none of them issue"},
      {"stall_gated", "share of issue slots", "issue slots idle: the units of a ready instruction are gated"},
      {"stall_structural", "share of issue slots",
       "issue slots idle: a constraint blocks a ready warp, for example no collector is free"},
      {"stall_dependence", "share of issue slots",
       "issue slots idle: warps wait for a short result or a read"},
      {"stall_texture", "share of issue slots", "issue slots idle: warps wait for a texture look-up"},
      {"stall_memory", "share of issue slots", "issue slots idle: warps wait for another long result"},
      {"stall_fetch", "share of issue slots", "issue slots idle: no warp has a decoded instruction"},
      {"stall_barrier", "share of issue slots", "issue slots idle: warps wait at barriers"},
      {"stall_fence", "share of issue slots", "issue slots idle: warps wait for fences"},
      {"stall_async", "share of issue slots",
       "issue slots idle: warps wait for asynchronous copies or in mbarrier.try_wait"},
      {"stall_*", "share of issue slots",
       "issue slots idle: an issue constraint of this name blocks the warps"},
      {"register_accesses", "words", "register words read and written by issued instructions"},
      {"pair_share", "share", "words of 64-bit operands, of the register words of issued instructions"},
      {"bank_accesses", "words", "register words read from and written to the banks"},
      {"bank_conflict_cycles_per_access", "cycles",
       "cycles that an access waited for its bank, beyond its service"},
      {"busy_*", "share of cycles", "cycles with an instruction in the pipeline of a unit of this kind"},
      {"shared_passes_per_access", "passes", "passes of a shared-memory access (1: no bank conflict)"},
      {"segments_per_access", "segments", "128-byte segments of a global or local access"},
      {"l1_hit_rate", "share", "load segments served from the L1"},
      {"memory_bytes_per_cycle", "bytes/cycle", "bytes between the SMs and memory"},
      {"power_mw", "mW", "mean power of the structures that the technologies price"},
      {"energy_nj", "nJ", "energy of the structures that the technologies price"},
      {"energy_nj.**", "nJ", "energy of one structure or group that the technologies price"},
      {"energy_saved", "share",
       "share by which energy is below its baseline, the plain machine's price for the same accesses and "
       "cycles of this run"},
      {"energy_saved.**", "share",
       "share by which the energy of one structure or group is below its baseline"},
      {"static_saved", "share",
       "share by which leakage and gating overhead are below the leakage of the same cycles ungated"},
      {"static_saved.**", "share",
       "share by which leakage and gating overhead of one structure or group are below the leakage of the "
       "same cycles ungated"},
      {"occupancy.warps", "warps", "resident warps of an SM in the fullest launch"},
      {"occupancy.warp_registers", "warp registers", "registers of the resident warps in the fullest launch"},
      {"occupancy.waves", "waves", "times that the grids of all launches fill the SMs"},
      {"energy.power_mw", "mW", "mean power of the structures that the technologies price"},
      {"energy.baseline_power_mw", "mW", "mean power of the baseline"},
      {"energy.shares.**", "share", "effect of the saving on a larger whole, as the technology states it"},
      {"energy.**baseline.*_nj", "nJ", "the plain machine's price for the same accesses and cycles"},
      {"energy.**_nj", "nJ", "energy of the total, a group, a structure or a unit, by kind"},
      {"energy.**saved", "share", "share of the baseline that is not spent"},
      {"area.**_mm2", "mm2", "area of a structure, or of all structures"},
      {"estimate.**", "as the value", "estimate of the whole launch: its value and the ends of its interval"},
      {"analysis.**", "events", "entry of a table of an analysis (docs/outputs.md)"},
  };
  return texts;
}

const MetricText* find_metric_text(const std::string& name) {
  for (const MetricText& text : metric_texts())
    if (text.name == name || fits(text.name, name)) return &text;
  return nullptr;
}

const MetricText& metric_text(const std::string& name) {
  const MetricText* text = find_metric_text(name);
  if (!text) throw InternalError("the metric " + name + " has no unit and no meaning");
  return *text;
}

std::string hover_text(const std::string& name) {
  const MetricText* text = find_metric_text(name);
  return text ? text->doc + " [" + text->unit + "]" : "";
}

}  // namespace heddle::output
