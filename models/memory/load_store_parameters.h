#pragma once

// Parameters of an SM's load/store unit and L1. A latency is the number of cycles from the issue of an access
// to the issue of a dependent instruction, without contention. Microbenchmarks and papers report latencies in
// this form.

#include <string>

#include "models/core/fields.h"

namespace heddle {

struct SharedMemoryParameters {
  int bytes = 49152;
  int banks = 32;
  int bank_width_bytes = 4;
  int latency_cycles = 26;
  int atomic_pass_cycles = 2;
  int replay_cycles = 1;

  void fields(FieldVisitor& v) {
    v.field("bytes", bytes, {0, 1 << 24}, "shared memory of the SM");
    v.field("banks", banks, {1, 32}, "banks; each serves one word per cycle");
    v.field("bank_width_bytes", bank_width_bytes, {4, 8}, "word of a bank: 4 or 8");
    v.field("latency_cycles", latency_cycles, {1, 10000},
            "issue to dependent issue of a load without conflicts");
    v.field("atomic_pass_cycles", atomic_pass_cycles, {1, 1000},
            "cycles of one pass of an atomic; lanes with one address take one pass each");
    v.field(
        "replay_cycles", replay_cycles, {1, 1000},
        "cycles by which every pass after the first delays the result: 1 if passes follow each other, more "
        "if the instruction is issued again for each pass; the memory is busy for one cycle per pass");
  }
};

struct ConstantMemoryParameters {
  int latency_cycles = 26;
  int first_miss_cycles = 0;
  int block_bytes = 0;

  void fields(FieldVisitor& v) {
    v.field("latency_cycles", latency_cycles, {1, 10000},
            "issue to dependent issue of a load of .const or .param data with one address; each further "
            "address adds a cycle");
    v.field(
        "first_miss_cycles", first_miss_cycles, {0, 100000},
        "additional cycles of the SM's first load of a block of 64 bytes, which no cache holds; later loads "
        "of the block wait until it arrives (0: the caches hold all constants)");
    v.field("block_bytes", block_bytes, {0, 4096},
            "addresses in one block of this size take one cycle together (0: each address takes its own)");
    v.off("first_miss_cycles", "0");
    v.off("block_bytes", "0");
  }
};

struct L1Parameters {
  bool enabled = true;
  bool caches_global = true;
  bool caches_local = true;
  bool caches_non_coherent = true;
  bool fence_invalidates = true;
  std::string write_hit = "update";
  int bytes = 16384;
  int line_bytes = 128;
  int ways = 4;
  int mshrs = 32;
  int mshr_merges = 8;
  int latency_cycles = 30;
  bool evicts_on_write() const { return write_hit == "evict"; }

  void fields(FieldVisitor& v) {
    v.field("enabled", enabled, "whether the SM has an L1 data cache");
    v.field("caches_global", caches_global, "plain global loads are kept in the L1");
    v.field("caches_local", caches_local, "local memory is kept in the L1");
    v.field("caches_non_coherent", caches_non_coherent,
            "ld.global.nc is kept in the L1 even if plain global loads are not");
    v.field("fence_invalidates", fence_invalidates,
            "fences and acquire operations of gpu or sys scope empty the L1");
    v.field("write_hit", write_hit, {"update", "evict"},
            "a store to global memory updates the line that the L1 holds, or removes it");
    v.off("write_hit", "update");
    v.field("bytes", bytes, {128, 1 << 24}, "data bytes of the L1");
    v.field("line_bytes", line_bytes, {128, 128}, "line of the L1, the segment of the coalescer");
    v.field("ways", ways, {1, 1024}, "associativity");
    v.field("mshrs", mshrs, {1, 4096}, "lines that can be missing at the same time");
    v.field("mshr_merges", mshr_merges, {1, 64}, "accesses that may wait for one missing line");
    v.field("latency_cycles", latency_cycles, {1, 10000}, "issue to dependent issue of a load that hits");
  }
};

struct TextureParameters {
  int bytes = 12288;
  int line_bytes = 128;
  int ways = 24;
  int mshrs = 32;
  int mshr_merges = 8;
  int latency_cycles = 220;
  int quads_per_cycle = 1;
  int lines_per_quad_cycle = 4;
  int queue_instructions = 8;

  void fields(FieldVisitor& v) {
    v.field("bytes", bytes, {128, 1 << 24}, "data bytes of the texture cache");
    v.field("line_bytes", line_bytes, {128, 128}, "line of the texture cache");
    v.field("ways", ways, {1, 1024}, "associativity");
    v.field("mshrs", mshrs, {1, 4096}, "lines that can be missing at the same time");
    v.field("mshr_merges", mshr_merges, {1, 64}, "quads that may wait for one missing line");
    v.field("latency_cycles", latency_cycles, {1, 10000},
            "issue to dependent issue of a look-up by one quad of threads whose texels hit");
    v.field("quads_per_cycle", quads_per_cycle, {1, 8},
            "quads of threads per cycle, one texel per thread, filtered in one or two dimensions: texture "
            "units of the SM / 4. Three dimensions take twice as long; filtered texels of 8 or 16 bytes take "
            "twice or four times as long");
    v.field("lines_per_quad_cycle", lines_per_quad_cycle, {1, 32},
            "lines that one quad can access without additional cycles");
    v.field("queue_instructions", queue_instructions, {1, 1024},
            "warp-instructions that can wait for the texture unit");
  }
};

struct LoadStoreParameters {
  int lanes_per_cycle = 32;
  int input_queue_instructions = 2;
  int output_queue_instructions = 2;
  int global_queue_instructions = 4;
  int memory_queue_requests = 8;
  int outstanding_requests = 256;
  int sector_bytes = 32;
  bool byte_enables = true;
  double request_bytes_per_cycle = 0;
  bool ctas_end_after_stores = false;
  SharedMemoryParameters shared;
  ConstantMemoryParameters constant;
  L1Parameters l1;
  TextureParameters texture;

  void fields(FieldVisitor& v) {
    v.field("lanes_per_cycle", lanes_per_cycle, {1, 32},
            "addresses that one partition generates per cycle: a warp-instruction takes 32 / this number of "
            "cycles");
    v.field("input_queue_instructions", input_queue_instructions, {1, 1024},
            "warp-instructions that can wait at each partition's input");
    v.field("output_queue_instructions", output_queue_instructions, {1, 1024},
            "warp-instructions that can wait for each partition's result bus");
    v.field("global_queue_instructions", global_queue_instructions, {1, 1024},
            "warp-instructions of global or local memory that can wait for the coalescer");
    v.field("memory_queue_requests", memory_queue_requests, {1, 1024},
            "requests that can wait for the memory edge");
    v.field("outstanding_requests", outstanding_requests, {1, 65536},
            "requests of the SM that can be outstanding in memory");
    v.field("sector_bytes", sector_bytes, {4, 128},
            "granularity of reads that bypass the L1: 4 to 128, a power of two");
    v.field("byte_enables", byte_enables,
            "a write with gaps is sent as one request with byte enables; if false, as one request for each "
            "run of bytes, for memories without byte enables");
    v.field("request_bytes_per_cycle", request_bytes_per_cycle, {0, 1e6},
            "bytes of requests that the SM can send to memory per cycle: 8 for each request, and the bytes "
            "that a write carries (0: a request a cycle)");
    v.field("ctas_end_after_stores", ctas_end_after_stores,
            "a CTA holds its resources until memory has acknowledged its stores");
    v.off("request_bytes_per_cycle", "0");
    v.off("ctas_end_after_stores", "false");
    v.group("shared", shared, "shared memory");
    v.group("constant", constant, "constant and parameter storage");
    v.group("l1", l1, "L1 data cache");
    v.group("texture", texture, "texture unit and its cache");
  }
};

}  // namespace heddle
