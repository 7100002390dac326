#pragma once

// Parameters of the memory model "cached" (L2 slices and memory channels).

#include <string>

#include "models/core/fields.h"

namespace heddle {

struct L2Parameters {
  int slices = 12;
  int bytes = 786432;
  int line_bytes = 128;
  int ways = 8;
  int interleave_bytes = 256;
  int latency_cycles = 200;
  double bytes_per_cycle = 32;
  int queue_requests = 8;
  int mshrs = 32;
  int mshr_merges = 16;
  double sm_bytes_per_cycle = 0;
  std::string write_miss = "fetch";
  bool holds_copies = false;

  void fields(FieldVisitor& v) {
    v.field("slices", slices, {1, 256}, "slices of the L2, each with its own tags, data and queue");
    v.field("bytes", bytes, {128, 1 << 28}, "data bytes of all slices");
    v.field("line_bytes", line_bytes, {128, 128}, "line of the L2");
    v.field("ways", ways, {1, 1024}, "associativity");
    v.field("interleave_bytes", interleave_bytes, {128, 1 << 20},
            "consecutive bytes of one slice: a multiple of 128");
    v.field("latency_cycles", latency_cycles, {1, 100000},
            "issue to dependent issue of a load that misses the L1 and hits the L2");
    v.field("bytes_per_cycle", bytes_per_cycle, {0, 1e6},
            "data that a slice can move per cycle; 0: no limit");
    v.field("queue_requests", queue_requests, {2, 4096}, "requests that can wait at a slice");
    v.field("mshrs", mshrs, {1, 65536}, "lines of a slice that can be missing at the same time");
    v.field("mshr_merges", mshr_merges, {1, 4096}, "requests that may wait for one missing line");
    v.field("sm_bytes_per_cycle", sm_bytes_per_cycle, {0, 1e6},
            "responses that one SM can receive per cycle, in bytes of read or written data, at least 32 a "
            "response (0: no limit)");
    v.field(
        "write_miss", write_miss, {"fetch", "allocate"},
        "a write of a part of a missing line fetches the line; or takes a line at once, and a later read of "
        "its other bytes takes no time of the memory channel either");
    v.field(
        "holds_copies", holds_copies,
        "before the first launch, the L2 holds what the host copied to buffers: lines of all buffers that "
        "are not zero, in the order of the launch file");
    v.off("sm_bytes_per_cycle", "0");
    v.off("write_miss", "fetch");
    v.off("holds_copies", "false");
  }
};

struct DramParameters {
  int channels = 6;
  int latency_cycles = 150;
  double bytes_per_cycle = 42.24;
  int queue_requests = 32;

  void fields(FieldVisitor& v) {
    v.field("channels", channels, {1, 256}, "memory channels; divides the number of L2 slices");
    v.field("latency_cycles", latency_cycles, {1, 100000},
            "additional latency of an L2 miss compared with a hit");
    v.field("bytes_per_cycle", bytes_per_cycle, {0, 1e6},
            "data that a channel can read and write per cycle; 0: no limit");
    v.field("queue_requests", queue_requests, {1, 65536},
            "lines that may wait for a channel before its slices stop missing");
  }
};

struct CachedParameters {
  L2Parameters l2;
  DramParameters dram;
  int made_for_sms = 0;
  std::string scale = "none";

  /// Returns the factor by which the configured numbers of slices, L2 bytes, merged requests and channels are
  /// multiplied on a GPU of `sms` SMs.
  int copies(int sms) const {
    return scale == "sms" && made_for_sms > 0 ? (sms + made_for_sms - 1) / made_for_sms : 1;
  }
  CachedParameters scaled(int sms) const {
    CachedParameters all = *this;
    for (int* const size : {&all.l2.slices, &all.l2.bytes, &all.l2.mshr_merges, &all.dram.channels})
      *size *= copies(sms);
    return all;
  }
  /// Returns true if the GPU has more than 1.5 times as many SMs as the configured memory is sized for
  /// (made_for_sms). Within one GPU generation, the number of SMs per memory channel differs by less than
  /// this factor.
  bool is_small_for(int sms) const { return made_for_sms > 0 && 2 * sms > 3 * made_for_sms * copies(sms); }

  void fields(FieldVisitor& v) {
    v.field("made_for_sms", made_for_sms, {0, 256},
            "number of SMs that the sizes below serve; 0: not stated");
    v.field("scale", scale, {"none", "sms"},
            "sms: slices, bytes and merged requests of the L2, and memory channels, once for every "
            "made_for_sms SMs of the GPU; none: as configured");
    v.group("l2", l2, "L2 cache, write-back, shared by all SMs");
    v.group("dram", dram, "memory channels, without banks or rows");
  }
};

}  // namespace heddle
