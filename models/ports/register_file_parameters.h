#pragma once

// Parameters of the register path of one SM partition: operand collectors, stages and register banks.

#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/core/ids.h"
#include "models/core/registry.h"

namespace heddle {

/// Static layout of registers: the bank of each register of each warp.
struct BankLayout {
  std::uint32_t banks = 16;
  bool shifted = false;
  /// Number of consecutive warps for which a given register number lies in the same bank.
  std::uint32_t group = 1;
  std::uint32_t bank_of(WarpId warp, RegId reg) const {
    return (warp.value / group + (shifted ? reg.value : 0)) % banks;
  }
};

/// Parameters of banks with fast and slow rows (Abdel-Majeed 2016, chapter 6).
struct PartitionParameters {
  std::string kind = "none";
  int fast_registers = 4;
  int fast_cycles = 1, low_cycles = 2, slow_cycles = 3;
  std::string busy = "one-cycle";
  std::string mode = "high";
  int epoch_cycles = 50;
  int low_below_issues = 85;

  void fields(FieldVisitor& v) {
    v.field("kind", kind, {"none", "fast-slow", "all-slow"},
            "all rows have the same speed; or fast rows for the lowest registers of every warp and slow rows "
            "for the others; or all rows slow");
    v.field("fast_registers", fast_registers, {1, 64},
            "registers of a warp that have fast rows (Abdel-Majeed 2016, 6.6.2: 4)");
    v.field("fast_cycles", fast_cycles, {1, 32},
            "access time of fast rows (at least banks.latency_cycles; Abdel-Majeed 2016, 6.6.3: 1)");
    v.field("low_cycles", low_cycles, {1, 32},
            "access time of fast rows with the back gate off (Abdel-Majeed 2016, 6.5.2.1: 2)");
    v.field("slow_cycles", slow_cycles, {1, 32}, "access time of slow rows (Abdel-Majeed 2016, 6.5.1: 3)");
    v.field(
        "busy", busy, {"one-cycle", "whole-access"},
        "time for which an access occupies the port of its bank: one cycle (pipelined), or until it ends "
        "(Abdel-Majeed 2016, 6.3.1: one request is active for any bank; the paper does not give the time)");
    v.field("mode", mode, {"high", "low", "adaptive"},
            "back gate of fast rows: on, off, or off in every epoch that follows an epoch with few issues");
    v.field("epoch_cycles", epoch_cycles, {1, 1 << 20},
            "length of an epoch (Abdel-Majeed 2016, 6.5.2.1: 50)");
    v.field("low_below_issues", low_below_issues, {0, 1 << 20},
            "number of used issue slots of an epoch below which the next epoch has the back gate off "
            "(Abdel-Majeed 2016, 6.6.3: 85)");
    v.off("kind", "none",
          {"fast_registers", "fast_cycles", "low_cycles", "slow_cycles", "busy", "mode", "epoch_cycles",
           "low_below_issues"});
  }
};

struct BankParameters {
  int count = 16;
  int entries = 64;
  std::vector<int> uneven_entries;
  std::string ports = "1rw";
  std::string layout = "wid";
  int layout_group = 1;
  int latency_cycles = 1;
  int queue_entries = 64;
  ConfigNode arbiter = ConfigNode::make_string("one-per-bank");
  ConfigNode format = ConfigNode::make_string("whole");
  ConfigNode power = ConfigNode::make_string("always-on");
  std::string lane_gating = "none";
  int segment_lanes = 1;
  PartitionParameters partition;

  BankLayout home() const {
    return {static_cast<std::uint32_t>(count), layout == "wshift", static_cast<std::uint32_t>(layout_group)};
  }
  std::vector<int> depths() const {
    return uneven_entries.empty() ? std::vector<int>(static_cast<std::size_t>(count), entries)
                                  : uneven_entries;
  }

  void fields(FieldVisitor& v) {
    v.field("count", count, {1, 64}, "register banks of one partition");
    v.field("entries", entries, {1, 65536}, "warp-wide (32 x 32-bit) entries of a bank");
    v.field("uneven_entries", uneven_entries, {0, 65536},
            "entries of each bank, if banks differ (one number a bank; replaces `entries`)");
    v.field(
        "ports", ports, {"1rw", "1r1w", "2r1w", "unlimited"},
        "accesses a cycle and bank: one; one read and one write; two reads and one write; or any number of "
        "reads and one write, for studies (the last two need the arbiter one-per-bank)");
    v.field(
        "layout", layout, {"wid", "wshift"},
        "home bank of a register: warp mod banks, or (warp + register) mod banks (Radaideh 2021, Fig. 7)");
    v.field("layout_group", layout_group, {1, 64},
            "neighbouring warps to which the layout gives the same number, warp / layout_group. Warps are "
            "distributed round-robin over the partitions, so with 1 all warps of a partition have the same "
            "number modulo the number of partitions");
    v.field("latency_cycles", latency_cycles, {1, 32},
            "cycles from a bank's service to the data at the collector");
    v.field("queue_entries", queue_entries, {1, 4096}, "accesses that may wait at one bank");
    v.choice("arbiter", arbiter, "bank arbiter", "which waiting accesses a cycle serves");
    v.choice("format", format, "entry format", "how rows store registers");
    v.choice("power", power, "register power", "states and speed of rows");
    v.field("lane_gating", lane_gating, {"none", "active-mask", "active"},
            "lanes of a row that an access drives: all lanes, lanes that execute, or lanes on the warp's "
            "path (guarded-off lanes included)");
    v.field("segment_lanes", segment_lanes, {1, 32},
            "lanes of a word line segment, which are driven together (1, 4, 8 or 32; Abdel-Majeed 2016, "
            "5.4.1: 1)");
    v.group("partition", partition, "fast and slow rows");
    v.off("format", "whole");
    v.off("power", "always-on");
    v.off("lane_gating", "none", {"segment_lanes"});
  }
};

struct RegisterFileParameters {
  ConfigNode operands = ConfigNode::make_string("collectors");
  /// number of operand collectors by kind, in the order of isa::CollectorKind
  NumberByKind collectors{{"sp", "sfu", "mem"}, {16}};
  int collector_operands_per_cycle = 3;
  std::string collector_port = "whole";
  std::string repeated_operand = "each-slot";
  std::string write_after_read = "interlocked";
  int dispatches_per_cycle = 0;
  int result_bus_width = 2;
  std::string result_order = "in-turn";
  int architected_entries = 0;
  std::vector<ConfigNode> stages = {ConfigNode::make_string("banks")};
  BankParameters banks;

  /// True if a read and a later write of a register need no interlock, because the register file keeps their
  /// order: collectors send the reads of a warp's instructions in the order of issue, an instruction leaves
  /// its collector only after its reads are sent, and the banks keep this order.
  bool orders_writes_after_reads() const {
    return write_after_read == "ordered" && choice_name(operands) == "collectors" && stages.size() == 1 &&
           choice_name(stages.front()) == "banks";
  }

  void fields(FieldVisitor& v) {
    v.choice("operands", operands, "operand stage", "stage that reads the operands of issued instructions");
    v.field("collectors", collectors, {1, 256},
            "operand collector units of one partition: one set for all instructions, or one set for INT and "
            "FP, one for SFU, and one for loads and stores");
    v.field("collector_operands_per_cycle", collector_operands_per_cycle, {1, 8},
            "operand words that one collector can accept from the crossbar in a cycle");
    v.field("collector_port", collector_port, {"whole", "sliced"},
            "a collector accepts whole operand words; or each of its four slices accepts bytes of the "
            "sub-bank with its number (Radaideh 2021, IV-B4; for arbiters that join accesses)");
    v.field(
        "repeated_operand", repeated_operand, {"each-slot", "once"},
        "reads of a register that several source slots of an instruction name (mul %b, %a, %a): one for each "
        "slot, as in GPGPU-Sim 3.x, or one, as in GPGPU-Sim 4.x; slots that read or fill an upper level are "
        "read "
        "each");
    v.field(
        "write_after_read", write_after_read, {"interlocked", "ordered"},
        "an instruction that writes a register waits at issue until earlier instructions of the warp have "
        "read it; or it issues, and its write reaches the bank after their reads, as in GPGPU-Sim. "
        "Registers with stages above the banks, or without collectors, stay interlocked");
    v.field("dispatches_per_cycle", dispatches_per_cycle, {0, 64},
            "instructions that may leave the collectors in a cycle (0: one for every unit)");
    v.field("result_bus_width", result_bus_width, {1, 64},
            "result words (32 lanes x 32 bits) written back in a cycle");
    v.field("result_order", result_order, {"in-turn", "fixed-first"},
            "which results the bus takes: units in turn; or at once all results of INT and FP units, and the "
            "others where the write port of their bank is free (Huerta 2025, 5.3)");
    v.field("architected_entries", architected_entries, {0, 1 << 20},
            "warp-wide registers of one partition that limit the admission of CTAs (0: as many as the banks "
            "have entries)");
    v.choices("stages", stages, "register-file stage",
              "stages from the collectors down; the last holds the registers");
    v.group("banks", banks, "the main register file");
    v.off("operands", "collectors");
    v.off("result_order", "in-turn");
    v.off("collector_port", "whole");
    v.off("write_after_read", "interlocked");
    v.off("architected_entries", "0");
  }
};

}  // namespace heddle
