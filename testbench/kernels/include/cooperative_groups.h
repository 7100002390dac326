// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: groups of a block's threads
// (CUDA C++ Programming Guide, "Cooperative Groups"). The barrier of a grid needs a launch that keeps all
// CTAs resident; in any other launch it traps.
#pragma once

#include "../heddle_cc.h"

namespace cooperative_groups {

#define HEDDLE_CC_MEMBER __device__ __forceinline__

namespace details {
HEDDLE_CC_FUNCTION unsigned lane() {
  unsigned result;
  asm("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}
HEDDLE_CC_FUNCTION unsigned lanes_below() {
  unsigned result;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(result));
  return result;
}
HEDDLE_CC_FUNCTION unsigned thread_of_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_CC_FUNCTION unsigned long long block_of_grid() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
HEDDLE_CC_FUNCTION unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
/// Returns the address of a cooperative launch's barrier; 0 in any other launch.
HEDDLE_CC_FUNCTION unsigned long long grid_workspace() {
  unsigned high, low;
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  return (unsigned long long)high << 32 | low;
}
/// Returns the mask of the lanes first .. first + count - 1.
HEDDLE_CC_FUNCTION unsigned mask_of(unsigned first, unsigned count) {
  return (count >= 32 ? 0xffffffffu : (1u << count) - 1) << first;
}

/// Shuffles a value of any size, word by word.
template <class T, class Shuffle>
HEDDLE_CC_FUNCTION T by_words(T value, Shuffle shuffle) {
  if constexpr (sizeof(T) <= 4) {
    unsigned word = 0;
    __builtin_memcpy(&word, &value, sizeof(T));
    word = shuffle(word);
    __builtin_memcpy(&value, &word, sizeof(T));
  } else {
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned words[count] = {};
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < count; ++k) words[k] = shuffle(words[k]);
    __builtin_memcpy(&value, words, sizeof(T));
  }
  return value;
}
}  // namespace details

/// Base class of groups within a warp. It provides the mask of the group's lanes, and this thread's rank among them.
class WarpGroup {
 public:
  HEDDLE_CC_MEMBER explicit WarpGroup(unsigned mask) : mask_(mask) {}
  HEDDLE_CC_MEMBER void sync() const { __syncwarp(mask_); }
  HEDDLE_CC_MEMBER unsigned size() const { return (unsigned)__popc(mask_); }
  HEDDLE_CC_MEMBER unsigned num_threads() const { return size(); }
  HEDDLE_CC_MEMBER unsigned thread_rank() const { return (unsigned)__popc(mask_ & details::lanes_below()); }
  HEDDLE_CC_MEMBER bool is_valid() const { return true; }
  HEDDLE_CC_MEMBER int any(int predicate) const { return (__ballot_sync(mask_, predicate) & mask_) != 0; }
  HEDDLE_CC_MEMBER int all(int predicate) const { return (__ballot_sync(mask_, predicate) & mask_) == mask_; }
  /// Returns the threads whose predicate is not 0: one bit per thread of the group, in the order of ranks.
  HEDDLE_CC_MEMBER unsigned ballot(int predicate) const {
    return packed(__ballot_sync(mask_, predicate) & mask_);
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl(T value, unsigned rank) const {
    const int from = lane_of(rank % size());
    const unsigned mask = mask_;
    return details::by_words(value, [=](unsigned word) { return __shfl_sync(mask, word, from); });
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return moved(value, rank + delta < size() ? rank + delta : rank);
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return moved(value, rank >= delta ? rank - delta : rank);
  }
  template <class T>
  HEDDLE_CC_MEMBER unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <class T>
  HEDDLE_CC_MEMBER unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  HEDDLE_CC_MEMBER unsigned heddle_cc_mask() const { return mask_; }

 protected:
  template <class T>
  HEDDLE_CC_MEMBER T moved(T value, unsigned rank) const {
    const int from = lane_of(rank);
    const unsigned mask = mask_;
    return details::by_words(value, [=](unsigned word) { return __shfl_sync(mask, word, from); });
  }
  /// Returns true if the group's lanes are neighbours, as the lanes of a tile are.
  HEDDLE_CC_MEMBER bool side_by_side() const {
    const unsigned shifted = mask_ >> (__ffs((int)mask_) - 1);
    return (shifted & (shifted + 1)) == 0;
  }
  HEDDLE_CC_MEMBER int lane_of(unsigned rank) const {
    if (side_by_side()) return __ffs((int)mask_) - 1 + (int)rank;
    return (int)__fns(mask_, 0, (int)rank + 1);
  }
  HEDDLE_CC_MEMBER unsigned packed(unsigned lanes) const {
    if (side_by_side()) return lanes >> (__ffs((int)mask_) - 1);
    unsigned result = 0, at = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++at)
      result |= (lanes >> (__ffs((int)left) - 1) & 1) << at;
    return result;
  }
  unsigned mask_;
};

class coalesced_group : public WarpGroup {
 public:
  using WarpGroup::WarpGroup;
  HEDDLE_CC_MEMBER unsigned meta_group_size() const { return 1; }
  HEDDLE_CC_MEMBER unsigned meta_group_rank() const { return 0; }
};
HEDDLE_CC_FUNCTION coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

class thread_block {
 public:
  HEDDLE_CC_MEMBER static void sync() { __syncthreads(); }
  HEDDLE_CC_MEMBER static unsigned thread_rank() { return details::thread_of_block(); }
  HEDDLE_CC_MEMBER static unsigned size() { return details::threads_of_block(); }
  HEDDLE_CC_MEMBER static unsigned num_threads() { return size(); }
  HEDDLE_CC_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_CC_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_CC_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  HEDDLE_CC_MEMBER static dim3 dim_threads() { return group_dim(); }
  HEDDLE_CC_MEMBER static bool is_valid() { return true; }
  struct arrival_token {};
  HEDDLE_CC_MEMBER static arrival_token barrier_arrive() { return {}; }
  HEDDLE_CC_MEMBER static void barrier_wait(arrival_token&&) { __syncthreads(); }
};
HEDDLE_CC_FUNCTION thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  HEDDLE_CC_MEMBER static unsigned long long thread_rank() {
    return details::block_of_grid() * details::threads_of_block() + details::thread_of_block();
  }
  HEDDLE_CC_MEMBER static unsigned long long size() { return num_blocks() * details::threads_of_block(); }
  HEDDLE_CC_MEMBER static unsigned long long num_threads() { return size(); }
  HEDDLE_CC_MEMBER static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  HEDDLE_CC_MEMBER static unsigned long long block_rank() { return details::block_of_grid(); }
  HEDDLE_CC_MEMBER static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_CC_MEMBER static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  HEDDLE_CC_MEMBER static dim3 dim_blocks() { return group_dim(); }
  HEDDLE_CC_MEMBER static bool is_valid() { return details::grid_workspace() != 0; }
  /// Barrier of the grid: one thread per CTA adds to a word of the launch's workspace. CTA 0 adds so much
  /// that all CTAs together add 2^31. The word's top bit therefore changes when all CTAs have arrived.
  HEDDLE_CC_MEMBER static void sync() {
    const unsigned long long workspace = details::grid_workspace();
    if (workspace == 0) __trap();
    __syncthreads();
    if (details::thread_of_block() == 0) {
      unsigned* const arrived = (unsigned*)workspace + 1;
      const unsigned others = (unsigned)num_blocks() - 1;
      __threadfence();
      const unsigned before = atomicAdd(arrived, block_rank() == 0 ? 0x80000000u - others : 1u);
      while (((before ^ *(volatile unsigned*)arrived) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
};
HEDDLE_CC_FUNCTION grid_group this_grid() { return {}; }

/// A part of a warp of fixed size: 1, 2, 4, ... 32 neighbouring threads.
template <unsigned size_, class Parent = void>
class thread_block_tile : public WarpGroup {
  static_assert(size_ != 0 && size_ <= 32 && (size_ & (size_ - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  HEDDLE_CC_MEMBER thread_block_tile(unsigned rank_of_tile, unsigned tiles)
      : WarpGroup(details::mask_of(details::lane() & ~(size_ - 1), size_)),
        rank_(rank_of_tile),
        tiles_(tiles) {}
  /// Converts a tile to the same tile with or without the type of its parent group.
  template <class Other>
  HEDDLE_CC_MEMBER thread_block_tile(const thread_block_tile<size_, Other>& other)
      : WarpGroup(other.heddle_cc_mask()), rank_(other.meta_group_rank()), tiles_(other.meta_group_size()) {}
  HEDDLE_CC_MEMBER static constexpr unsigned size() { return size_; }
  HEDDLE_CC_MEMBER static constexpr unsigned num_threads() { return size_; }
  HEDDLE_CC_MEMBER unsigned thread_rank() const { return details::lane() & (size_ - 1); }
  HEDDLE_CC_MEMBER unsigned meta_group_rank() const { return rank_; }
  HEDDLE_CC_MEMBER unsigned meta_group_size() const { return tiles_; }
  HEDDLE_CC_MEMBER unsigned ballot(int predicate) const {
    return (__ballot_sync(mask_, predicate) & mask_) >> (details::lane() & ~(size_ - 1) & 31);
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl(T value, int rank) const {
    const unsigned mask = mask_;
    return details::by_words(value, [=](unsigned word) { return __shfl_sync(mask, word, rank, (int)size_); });
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl_up(T value, unsigned delta) const {
    const unsigned mask = mask_;
    return details::by_words(value,
                             [=](unsigned word) { return __shfl_up_sync(mask, word, delta, (int)size_); });
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl_down(T value, unsigned delta) const {
    const unsigned mask = mask_;
    return details::by_words(value,
                             [=](unsigned word) { return __shfl_down_sync(mask, word, delta, (int)size_); });
  }
  template <class T>
  HEDDLE_CC_MEMBER T shfl_xor(T value, unsigned lanes) const {
    const unsigned mask = mask_;
    return details::by_words(
        value, [=](unsigned word) { return __shfl_xor_sync(mask, word, (int)lanes, (int)size_); });
  }
  HEDDLE_CC_MEMBER operator coalesced_group() const { return coalesced_group(mask_); }

 private:
  unsigned rank_, tiles_;
};

/// Any group: lanes of a warp, or (mask 0) the whole block.
class thread_group {
 public:
  HEDDLE_CC_MEMBER thread_group(const thread_block&) : mask_(0) {}
  HEDDLE_CC_MEMBER thread_group(const WarpGroup& group) : mask_(group.heddle_cc_mask()) {}
  HEDDLE_CC_MEMBER void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  HEDDLE_CC_MEMBER unsigned size() const {
    return mask_ == 0 ? details::threads_of_block() : (unsigned)__popc(mask_);
  }
  HEDDLE_CC_MEMBER unsigned num_threads() const { return size(); }
  HEDDLE_CC_MEMBER unsigned thread_rank() const {
    return mask_ == 0 ? details::thread_of_block() : (unsigned)__popc(mask_ & details::lanes_below());
  }
  HEDDLE_CC_MEMBER bool is_valid() const { return true; }

 private:
  unsigned mask_;
};

template <unsigned size, class Parent = void>
HEDDLE_CC_FUNCTION thread_block_tile<size, thread_block> tiled_partition(const thread_block&) {
  return {details::thread_of_block() / size, (details::threads_of_block() + size - 1) / size};
}
template <unsigned size, unsigned parent_size, class Parent>
HEDDLE_CC_FUNCTION thread_block_tile<size, thread_block_tile<parent_size, Parent>> tiled_partition(
    const thread_block_tile<parent_size, Parent>& parent) {
  static_assert(size <= parent_size, "a tile is no larger than what it is of");
  return {parent.thread_rank() / size, parent_size / size};
}
/// Returns a tile of a block. `size`, the tile's number of threads, is known only at run time.
HEDDLE_CC_FUNCTION coalesced_group tiled_partition(const thread_block&, unsigned size) {
  return coalesced_group(details::mask_of(details::lane() & ~(size - 1), size) & __activemask());
}
HEDDLE_CC_FUNCTION coalesced_group tiled_partition(const WarpGroup& parent, unsigned size) {
  const unsigned rank = parent.thread_rank();
  return coalesced_group(__match_any_sync(parent.heddle_cc_mask(), rank / size));
}
/// Returns the group of all threads whose label equals this thread's label.
template <class Group, class Label>
HEDDLE_CC_FUNCTION coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.heddle_cc_mask(), label));
}
template <class Group>
HEDDLE_CC_FUNCTION coalesced_group binary_partition(const Group& group, bool predicate) {
  return coalesced_group(__match_any_sync(group.heddle_cc_mask(), (int)predicate));
}

template <class Group>
HEDDLE_CC_FUNCTION void sync(const Group& group) {
  group.sync();
}
template <class Group>
HEDDLE_CC_FUNCTION auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
HEDDLE_CC_FUNCTION auto group_size(const Group& group) -> decltype(group.size()) {
  return group.size();
}

/// Runs `function` in one thread of the group.
template <class Group, class Function>
HEDDLE_CC_FUNCTION void invoke_one(const Group& group, Function function) {
  if (group.thread_rank() == 0) function();
}

/// All threads of the group copy immediately, so the copy is not asynchronous; wait() is only a barrier.
template <class Group, class T>
HEDDLE_CC_FUNCTION void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size()) to[i] = from[i];
}
template <class Group>
HEDDLE_CC_FUNCTION void wait(const Group& group) {
  group.sync();
}

#undef HEDDLE_CC_MEMBER

}  // namespace cooperative_groups

#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
