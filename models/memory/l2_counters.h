#pragma once

// Counters that all slices of an L2 share.

#include <tlm>

#include "models/core/ids.h"
#include "models/core/stats.h"

namespace heddle {

class L2Counters {
 public:
  explicit L2Counters(const StatsScope& stats);

  void took(const tlm::tlm_generic_payload& payload) {
    const bool read = payload.is_read();
    ++requests_;
    ++(read ? reads_ : writes_);
    (read ? bytes_read_ : bytes_written_) += payload.get_data_length();
  }
  void hit() { ++hits_; }
  void merged() { ++merges_; }
  void missed(unsigned bytes, Cycle waited) {
    ++misses_;
    ++dram_reads_;
    dram_bytes_read_ += bytes;
    dram_queue_cycles_ += waited;
  }
  void evicted(unsigned bytes) {
    ++evictions_;
    write_backs_ += bytes != 0;
    dram_bytes_written_ += bytes;
  }
  void waited_for_mshr(Cycle cycles) { stall_mshr_ += cycles; }
  void waited_for_dram(Cycle cycles) { stall_dram_ += cycles; }

 private:
  Counter &requests_, &hits_, &misses_, &merges_, &reads_, &writes_, &bytes_read_, &bytes_written_,
      &evictions_, &write_backs_, &dram_reads_, &dram_bytes_read_, &dram_bytes_written_, &dram_queue_cycles_,
      &stall_mshr_, &stall_dram_;
};

}  // namespace heddle
