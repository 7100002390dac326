#include "testbench/estimate/untimed_store.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "testbench/estimate/content_hash.h"
#include "testbench/estimate/packed_words.h"
#include "testbench/estimate/untimed_key.h"
#include "testbench/launch/new_file.h"
#include "testbench/launch/npy.h"

namespace heddle::estimate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBlockBytes = 256;  // size in bytes of the blocks in which changed memory is stored

// Reads or writes every count of a result.
template <class Packed, class Result>
void pack_counts(Packed& packed, Result& r) {
  for (auto* one : {&r.ctas, &r.warps, &r.warp_instructions, &r.thread_instructions, &r.overhead_instructions,
                    &r.branches, &r.divergent_branches, &r.barriers, &r.global_accesses, &r.global_segments,
                    &r.shared_accesses, &r.local_accesses, &r.atomics})
    packed.word(*one);
  for (auto& one : r.by_class) packed.word(one);
  for (auto& one : r.by_unit) packed.word(one);
  for (auto* all : {&r.issues, &r.threads, &r.guarded_off}) packed.words(*all);
}

template <class Packed, class Execution>
void pack_execution(Packed& packed, Execution& execution) {
  pack_counts(packed, execution.counts.result);
  packed.words(execution.counts.by_cta);
  std::uint64_t marks = execution.lines.marks.size();
  packed.word(marks);
  if constexpr (!std::is_const_v<Execution>) execution.lines.marks.resize(marks);
  for (auto& mark : execution.lines.marks) {
    packed.word(mark.cta);
    packed.words(mark.addresses);
  }
  packed.words(execution.lines.at_end);
}

std::uint64_t block_at(const MemoryImage::Allocation& allocation, std::uint64_t at) {
  return std::min(kBlockBytes, allocation.bytes - at);
}

// Writes the memory blocks that differ, each as address and bytes. Ends with address 0, at which no memory
// lies.
void pack_changes(PackedWriter& packed, const MemoryImage& before, const MemoryImage& after) {
  for (const auto& allocation : after.allocations()) {
    const std::uint8_t *now = allocation->data.data(),
                       *then = before.find(allocation->base, allocation->bytes);
    for (std::uint64_t at = 0; at < allocation->bytes; at += kBlockBytes) {
      const std::uint64_t bytes = block_at(*allocation, at);
      if (then && std::memcmp(now + at, then + at, bytes) == 0) continue;
      packed.word(allocation->base + at);
      packed.bytes({now + at, bytes});
    }
  }
  packed.word(0);
}

// Reads the blocks. Changes nothing if a block is missing or malformed.
bool unpack_changes(PackedReader& packed, MemoryImage& memory) {
  std::vector<std::pair<std::uint8_t*, std::span<const std::uint8_t>>> blocks;
  while (true) {
    std::uint64_t address = 0;
    packed.word(address);
    if (address == 0) break;
    const std::span<const std::uint8_t> bytes = packed.bytes();
    std::uint8_t* const place = bytes.empty() ? nullptr : memory.find(address, bytes.size());
    if (!place) return false;
    blocks.emplace_back(place, bytes);
  }
  if (!packed.good()) return false;
  for (const auto& [place, bytes] : blocks) std::memcpy(place, bytes.data(), bytes.size());
  return true;
}

std::uint64_t seal_of(std::span<const std::uint8_t> bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace

UntimedExecution UntimedStore::execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                                       const reference::ReferenceOptions& options,
                                       std::size_t cache_lines) const {
  if (folder_.empty() || launch.reads)
    return execute_in_parts(launch, memory, options, cache_lines, threads_);
  const std::string key = untimed_key(launch, memory, options, {cache_lines, threads_});
  if (std::optional<UntimedExecution> found = find(key, launch, memory, options)) return std::move(*found);
  const MemoryImage before = memory;
  UntimedExecution execution = execute_in_parts(launch, memory, options, cache_lines, threads_);
  if (execution.counts.result.warp_instructions >= kLeastInstructions) keep(key, execution, before, memory);
  return execution;
}

// Reads a stored execution. The file's last word is the hash of all bytes before it.
std::optional<UntimedExecution> UntimedStore::find(const std::string& key, const isa::KernelLaunch& launch,
                                                   MemoryImage& memory,
                                                   const reference::ReferenceOptions& options) const {
  std::error_code ec;
  if (!fs::exists(file_of(key), ec)) return std::nullopt;
  const std::vector<std::uint8_t> file = launch::read_bytes(file_of(key));
  std::uint64_t seal = 0;
  if (file.size() < sizeof seal) return std::nullopt;
  const std::span<const std::uint8_t> content = std::span(file).first(file.size() - sizeof seal);
  std::memcpy(&seal, file.data() + content.size(), sizeof seal);
  if (seal != seal_of(content)) return std::nullopt;
  PackedReader packed(content);
  UntimedExecution execution;
  pack_execution(packed, execution);
  const std::uint64_t limit = options.max_warp_instructions;
  if (!packed.good() || execution.counts.by_cta.size() != launch.grid.count() ||
      (limit && execution.counts.result.warp_instructions > limit) || !unpack_changes(packed, memory))
    return std::nullopt;
  execution.counts.counters = issue_counts(*launch.program, execution.counts.result);
  return execution;
}

// Stores an execution. After a failure to store, later runs execute the launch again.
void UntimedStore::keep(const std::string& key, const UntimedExecution& execution, const MemoryImage& before,
                        const MemoryImage& after) const {
  PackedWriter packed;
  pack_execution(packed, execution);
  pack_changes(packed, before, after);
  if (packed.all().size() > kMostBytes) return;
  const std::uint64_t seal = seal_of(packed.all());
  try {
    std::error_code ec;
    fs::create_directories(folder_, ec);
    launch::NewFile file(file_of(key));
    file.write({reinterpret_cast<const char*>(packed.all().data()), packed.all().size()});
    file.write({reinterpret_cast<const char*>(&seal), sizeof seal});
    file.commit();
  } catch (const Error&) {
  }
}

}  // namespace heddle::estimate
