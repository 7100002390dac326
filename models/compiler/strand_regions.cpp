#include "models/compiler/strand_regions.h"

#include <fmt/format.h>

#include <map>

#include "models/core/error.h"

namespace heddle::compiler {
namespace {

template <class F>
void for_each_next(const ControlFlow& flow, std::uint32_t n, F&& f) {
  const BasicBlock& block = flow.block(flow.block_of(n));
  if (n + 1 < block.end) {
    f(n + 1);
    return;
  }
  for (const int s : block.successors) f(flow.block(s).first);
}

}  // namespace

std::vector<int> number_strands(const isa::Program& program, const ControlFlow& flow) {
  if (program.code.empty() || !program.code[0].begins_strand)
    throw Error(program.file, fmt::format("kernel {} has no strands", program.kernel),
                "the compiler pass \"strands\" in front of passes that use the register hierarchy");
  std::vector<int> strand(program.code.size(), -1);
  int count = 0;
  std::vector<int> of_block(static_cast<std::size_t>(flow.size()), -1);
  std::vector<std::uint32_t> first_of;
  for (const int b : flow.order()) {
    int current = -1;
    for (const int p : flow.block(b).predecessors)
      if (current < 0) current = of_block[static_cast<std::size_t>(p)];
    for (std::uint32_t n = flow.block(b).first; n < flow.block(b).end; ++n) {
      if (program.code[n].begins_strand || current < 0) {
        current = count++;
        first_of.push_back(n);
      }
      strand[n] = current;
    }
    of_block[static_cast<std::size_t>(b)] = current;
  }
  std::map<std::uint32_t, int> by_position;
  for (int s = 0; s < count; ++s) by_position[first_of[static_cast<std::size_t>(s)]] = s;
  std::vector<int> number(static_cast<std::size_t>(count));
  int next = 0;
  for (const auto& [position, s] : by_position) number[static_cast<std::size_t>(s)] = next++;
  for (int& s : strand)
    if (s >= 0) s = number[static_cast<std::size_t>(s)];
  return strand;
}

std::vector<Region> find_regions(const isa::Program& program, const ControlFlow& flow, bool across_blocks) {
  const std::vector<int> strand = number_strands(program, flow);
  std::vector<Region> regions;
  std::vector<int> region_of(program.code.size(), -1), position(program.code.size(), -1);
  std::map<std::pair<int, int>, int> known;
  for (std::uint32_t n = 0; n < program.code.size(); ++n) {
    if (strand[n] < 0) continue;
    const auto key = std::make_pair(strand[n], across_blocks ? 0 : flow.block_of(n));
    const auto [at, added] = known.emplace(key, static_cast<int>(regions.size()));
    if (added) regions.emplace_back();
    Region& region = regions[static_cast<std::size_t>(at->second)];
    region_of[n] = at->second;
    position[n] = static_cast<int>(region.code.size());
    region.code.push_back(n);
  }
  for (std::size_t r = 0; r < regions.size(); ++r) {
    Region& region = regions[r];
    region.successors.resize(region.code.size());
    region.predecessors.resize(region.code.size());
    region.exits.resize(region.code.size());
    for (std::size_t k = 0; k < region.code.size(); ++k) {
      const std::uint32_t n = region.code[k];
      for_each_next(flow, n, [&](std::uint32_t next) {
        const bool inside = region_of[next] == static_cast<int>(r) && !program.code[n].ends_strand &&
                            !program.code[next].begins_strand &&
                            (across_blocks || flow.block_of(n) == flow.block_of(next)) &&
                            (across_blocks || next == n + 1);
        if (!inside) {
          region.exits[k].push_back(next);
          return;
        }
        region.successors[k].push_back(position[next]);
        region.predecessors[static_cast<std::size_t>(position[next])].push_back(static_cast<int>(k));
      });
    }
  }
  return regions;
}

}  // namespace heddle::compiler
