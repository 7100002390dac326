#include "testbench/estimate/untimed_parts.h"
#include "models/ptx/kernel_name.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace heddle::estimate {
namespace {

// Minimum size of a thread's part of the grid, as a multiple of the number of CTAs that run interleaved. For
// fewer CTAs, merging the changes of memory takes more time than another thread saves.
constexpr std::uint64_t kLeastRounds = 4;

struct Part {
  std::uint64_t first = 0, count = 0;
  MemoryImage memory;
  UntimedExecution execution;
  std::exception_ptr failure;
};

std::uint64_t resident(const isa::KernelLaunch& launch, const reference::ReferenceOptions& options) {
  return launch.cooperative ? launch.grid.count() : static_cast<std::uint64_t>(options.resident_ctas);
}

UntimedExecution execute(const isa::KernelLaunch& launch, MemoryImage& memory,
                         reference::ReferenceOptions options, std::size_t cache_lines) {
  if (cache_lines == 0) return {execute_untimed(launch, memory, options), {}};
  const std::uint64_t grid = launch.grid.count(), first = options.first_cta;
  LineHistory lines(cache_lines, {first, first + std::min(options.cta_count, grid - first), grid},
                    resident(launch, options));
  options.global_accesses = &lines;
  options.cta_ended = [&lines](std::uint64_t, const reference::CtaWork& work) {
    lines.cta_ended(work.warp_instructions);
  };
  UntimedExecution execution{execute_untimed(launch, memory, options), {}};
  execution.lines = lines.take();
  return execution;
}

std::vector<Part> parts_of(std::uint64_t grid, std::uint64_t number) {
  std::vector<Part> parts(number);
  for (std::uint64_t p = 0; p < number; ++p) {
    parts[p].first = grid * p / number;
    parts[p].count = grid * (p + 1) / number - parts[p].first;
  }
  return parts;
}

// Executes each part of the grid in a separate thread. Only the calling thread, which executes the first
// part, calls `stop`, so `stop` need not be thread-safe.
void execute_all(std::vector<Part>& parts, const isa::KernelLaunch& launch,
                 const reference::ReferenceOptions& options, std::size_t cache_lines) {
  std::atomic<bool> stopped = false;
  const auto execute_one = [&](Part& part, std::function<bool()> stop) {
    reference::ReferenceOptions own = options;
    own.first_cta = part.first;
    own.cta_count = part.count;
    own.stop = std::move(stop);
    try {
      part.execution = execute(launch, part.memory, own, cache_lines);
    } catch (...) {
      part.failure = std::current_exception();
      stopped = true;
    }
  };
  std::vector<std::jthread> threads;  // The destructor joins the threads, also if starting one of them fails.
  for (std::size_t p = 1; p < parts.size(); ++p)
    threads.emplace_back(execute_one, std::ref(parts[p]), [&stopped] { return stopped.load(); });
  execute_one(parts[0], [&] {
    if (options.stop && options.stop()) stopped = true;
    return stopped.load();
  });
}

// Throws the first error that occurred in a thread's part of the grid. Ignores threads that stopped only
// because another thread failed.
void rethrow(const std::vector<Part>& parts) {
  std::exception_ptr stopped;
  for (const Part& part : parts) {
    if (!part.failure) continue;
    try {
      std::rethrow_exception(part.failure);
    } catch (const reference::StoppedError&) {
      stopped = part.failure;
    }
  }
  if (stopped) std::rethrow_exception(stopped);
}

void put_changes(const MemoryImage& before, const MemoryImage& part, MemoryImage& memory) {
  constexpr std::uint64_t kBlock = 256;
  for (const auto& allocation : part.allocations()) {
    const MemoryImage::Allocation& old = *before.find_by_base(allocation->base);
    const std::uint8_t *now = allocation->data.data(), *then = old.data.data();
    std::uint8_t* const into = memory.find(allocation->base, allocation->bytes);
    allocation->data.for_unshared(old.data, [&](std::uint64_t first, std::uint64_t bytes) {
      for (std::uint64_t at = first; at < first + bytes; at += kBlock) {
        const std::uint64_t end = std::min(at + kBlock, first + bytes);
        if (std::memcmp(now + at, then + at, end - at) == 0) continue;
        for (std::uint64_t i = at; i < end; ++i)
          if (now[i] != then[i]) into[i] = now[i];
      }
    });
  }
}

void add(UntimedCounts& all, const Part& part) {
  const UntimedCounts& own = part.execution.counts;
  all.result += own.result;
  for (const auto by_cta : {&UntimedCounts::by_cta, &UntimedCounts::segments_by_cta})
    std::copy_n((own.*by_cta).begin() + static_cast<std::ptrdiff_t>(part.first), part.count,
                (all.*by_cta).begin() + static_cast<std::ptrdiff_t>(part.first));
}

}  // namespace

bool has_separate_ctas(const isa::Program& program) {
  if (program.reads_time() || program.reads_placement() || program.grid_workspace ||
      !program.runtime_calls.empty())
    return false;
  return std::none_of(program.code.begin(), program.code.end(), [](const isa::Instruction& i) {
    if (i.op == isa::Opcode::membar) return i.memory.scope != isa::Scope::cta;
    if (i.op == isa::Opcode::atom || i.op == isa::Opcode::red) return i.memory.space != isa::Space::shared;
    const bool data = i.op == isa::Opcode::ld || i.op == isa::Opcode::st;
    return data && i.memory.ordering != isa::Ordering::weak && i.memory.space != isa::Space::shared &&
           i.memory.space != isa::Space::local;
  });
}

UntimedExecution execute_in_parts(const isa::KernelLaunch& launch, MemoryImage& memory,
                                  const reference::ReferenceOptions& options, std::size_t cache_lines,
                                  int threads) {
  const std::uint64_t grid = launch.grid.count();
  const std::uint64_t number =
      std::min(static_cast<std::uint64_t>(threads), grid / (kLeastRounds * resident(launch, options)));
  if (number < 2 || launch.cooperative || !has_separate_ctas(*launch.program))
    return execute(launch, memory, options, cache_lines);
  std::vector<Part> parts = parts_of(grid, number);
  const MemoryImage before = memory;
  for (Part& part : parts) part.memory = memory;
  execute_all(parts, launch, options, cache_lines);
  rethrow(parts);
  UntimedExecution all = std::move(parts[0].execution);
  all.counts.by_cta.resize(grid);
  all.counts.segments_by_cta.resize(grid);
  put_changes(before, parts[0].memory, memory);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    put_changes(before, parts[p].memory, memory);
    add(all.counts, parts[p]);
    if (cache_lines) all.lines.append(std::move(parts[p].execution.lines), LastLines::kept_of(cache_lines));
  }
  const std::uint64_t limit = options.max_warp_instructions;
  if (limit && all.counts.result.warp_instructions > limit)
    throw reference::InstructionLimitError("kernel " + ptx::plain_name(launch.program->kernel),
                                           "more warp-instructions than the limit", std::to_string(limit));
  all.counts.counters = issue_counts(*launch.program, all.counts.result);
  return all;
}

}  // namespace heddle::estimate
