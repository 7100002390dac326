#pragma once

// Configuration parameters of one streaming multiprocessor.

#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/exec/unit_parameters.h"
#include "models/folding/folding_parameters.h"
#include "models/frontend/front_end_parameters.h"
#include "models/gating/gating_parameters.h"
#include "models/isa/latency_table.h"
#include "models/memory/load_store_parameters.h"
#include "models/ports/register_file_parameters.h"
#include "models/ports/warp_homes.h"

namespace heddle {

struct SmParameters {
  int max_warps = 48;
  int max_ctas = 8;
  int max_threads = 1536;
  int max_registers_per_thread = 63;
  int partitions = 1;
  int schedulers_per_partition = 2;
  int issue_width = 1;
  std::string thread_progress = "by-target";
  ConfigNode scheduler = ConfigNode::make_string("gto");
  std::vector<ConfigNode> constraints = {ConfigNode::make_string("scoreboard"),
                                         ConfigNode::make_string("collector-free"),
                                         ConfigNode::make_string("unit-gated")};
  FrontEndParameters front_end;
  RegisterFileParameters register_file;
  UnitParameters units;
  isa::DependenceParameters dependences;
  GatingParameters gating;
  FoldingParameters folding;
  LoadStoreParameters load_store;

  int schedulers() const { return partitions * schedulers_per_partition; }
  WarpHomes homes() const {
    return {static_cast<std::uint32_t>(schedulers()), static_cast<std::uint32_t>(partitions)};
  }

  void fields(FieldVisitor& v) {
    v.field("max_warps", max_warps, {1, 64}, "resident warps");
    v.field("max_ctas", max_ctas, {1, 64}, "resident CTAs");
    v.field("max_threads", max_threads, {32, 2048}, "resident threads");
    v.field("max_registers_per_thread", max_registers_per_thread, {8, 255},
            "architected 32-bit registers of a thread");
    v.field("partitions", partitions, {1, 4},
            "parts of the SM that each have their own warps, collectors, registers and units; the load/store "
            "unit is shared");
    v.field("schedulers_per_partition", schedulers_per_partition, {1, 4}, "warp schedulers of a partition");
    v.field("issue_width", issue_width, {1, 2}, "instructions that a scheduler may issue in a cycle");
    v.field("thread_progress", thread_progress, {"by-target", "on", "off"},
            "a path of a divergent warp that spins lets the warp's other paths run (by-target: for .target "
            "sm_70 and above)");
    v.choice("scheduler", scheduler, "warp scheduler policy", "how a scheduler picks warps");
    v.choices("constraints", constraints, "issue constraint",
              "conditions that an instruction must meet before it may issue");
    v.group("front_end", front_end, "fetch, decode, instruction buffers");
    v.group("register_file", register_file, "collectors, register-file stages and banks of one partition");
    v.group("units", units, "execution units of one partition");
    v.group(
        "dependences", dependences,
        "latencies between instructions for which the compiler sets control bits, besides those of units");
    v.group("gating", gating, "power gating of the execution units");
    v.group("folding", folding, "warp folding and lane shifting in the INT and FP pipelines");
    v.group("load_store", load_store, "load/store unit, shared memory, L1");
  }
};

}  // namespace heddle
