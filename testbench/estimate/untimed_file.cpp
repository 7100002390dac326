#include "testbench/estimate/untimed_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "testbench/estimate/content_hash.h"
#include "testbench/estimate/packed_words.h"

namespace heddle::estimate {
namespace {

constexpr std::uint64_t kBlockBytes = 256;  // size in bytes of the blocks in which changed memory is stored

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
  packed.words(execution.counts.segments_by_cta);
  if constexpr (std::is_const_v<Execution>)
    packed.word(execution.lines.marks.size());
  else
    execution.lines.marks.resize(packed.count());
  for (auto& mark : execution.lines.marks) {
    packed.word(mark.cta);
    packed.words(mark.addresses);
  }
  packed.words(execution.lines.at_end);
}

std::uint64_t block_at(const MemoryImage::Allocation& allocation, std::uint64_t at) {
  return std::min(kBlockBytes, allocation.bytes - at);
}

// Writes the changed blocks of memory, each as address and bytes. Address 0 marks the end.
void pack_changes(PackedWriter& packed, const MemoryImage& before, const MemoryImage& after) {
  for (const auto& allocation : after.allocations()) {
    const MemoryImage::Allocation* const old = before.find_by_base(allocation->base);
    const bool is_same_size = old && old->bytes == allocation->bytes;
    const std::uint8_t* const now = allocation->data.data();
    const auto pack = [&](std::uint64_t first, std::uint64_t count) {
      for (std::uint64_t at = first; at < first + count; at += kBlockBytes) {
        const std::uint64_t bytes = block_at(*allocation, at);
        if (is_same_size && std::memcmp(now + at, old->data.data() + at, bytes) == 0) continue;
        packed.word(allocation->base + at);
        packed.bytes({now + at, bytes});
      }
    };
    if (is_same_size)
      allocation->data.for_unshared(old->data, pack);
    else
      pack(0, allocation->bytes);
  }
  packed.word(0);
}

// Reads changed blocks. Leaves the memory unchanged if a block is missing or malformed.
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

// Returns true if the execution's lists have one entry for each instruction or CTA of the launch, as the code
// that reads the lists expects.
bool fits(const UntimedExecution& execution, const isa::KernelLaunch& launch) {
  const reference::ReferenceResult& result = execution.counts.result;
  const std::size_t instructions = launch.program->code.size();
  return execution.counts.by_cta.size() == launch.grid.count() &&
         execution.counts.segments_by_cta.size() == launch.grid.count() &&
         result.issues.size() == instructions && result.threads.size() == instructions &&
         result.guarded_off.size() == instructions && !execution.lines.marks.empty();
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::uint64_t seal_of(std::span<const std::uint8_t> bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

std::vector<std::uint8_t> sealed(const PackedWriter& packed) {
  std::vector<std::uint8_t> file = packed.all();
  const std::uint64_t seal = seal_of(file);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&seal);
  file.insert(file.end(), bytes, bytes + sizeof seal);
  return file;
}

}  // namespace

std::vector<std::uint8_t> untimed_file(const std::string& key, const UntimedExecution& execution,
                                       const MemoryImage& before, const MemoryImage& after) {
  PackedWriter packed;
  packed.bytes(bytes_of(key));
  pack_execution(packed, execution);
  pack_changes(packed, before, after);
  return sealed(packed);
}

std::vector<std::uint8_t> sealed_untimed_file(const std::string& key, std::span<const std::uint8_t> content) {
  PackedWriter packed;
  packed.bytes(bytes_of(key));
  packed.raw(content);
  return sealed(packed);
}

UntimedFile read_untimed_file(std::span<const std::uint8_t> file, const std::string& key,
                              const isa::KernelLaunch& launch, std::uint64_t most_warp_instructions,
                              MemoryImage& memory) {
  const auto unfit = [](const char* why) { return UntimedFile{{}, why}; };
  constexpr const char *kTorn = "not as it was written", *kOther = "does not fit its launch";
  std::uint64_t seal = 0;
  if (file.size() < sizeof seal) return unfit(kTorn);
  const std::span<const std::uint8_t> content = file.first(file.size() - sizeof seal);
  std::memcpy(&seal, file.data() + content.size(), sizeof seal);
  if (seal != seal_of(content)) return unfit(kTorn);
  PackedReader packed(content);
  if (!std::ranges::equal(packed.bytes(), bytes_of(key))) return unfit("holds another execution");
  UntimedExecution execution;
  pack_execution(packed, execution);
  if (!packed.good() || !fits(execution, launch)) return unfit(kOther);
  if (most_warp_instructions && execution.counts.result.warp_instructions > most_warp_instructions) return {};
  if (!unpack_changes(packed, memory)) return unfit(kOther);
  execution.counts.counters = issue_counts(*launch.program, execution.counts.result);
  return {std::move(execution), {}};
}

}  // namespace heddle::estimate
