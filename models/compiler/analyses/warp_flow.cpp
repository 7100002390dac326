#include "models/compiler/analyses/warp_flow.h"

#include <algorithm>
#include <utility>

#include "models/compiler/analyses/split_regions.h"

namespace heddle::compiler {
namespace {

using isa::BranchSides;

std::size_t node_at(int n) { return static_cast<std::size_t>(n); }

BranchSides find_sides(const isa::Program& program, const ControlFlow& flow) {
  std::vector<int> meeting;
  std::vector<BranchSides::Side> sides;
  std::vector<bool> leave;
  for (int b = 0; b < flow.size(); ++b) {
    meeting.push_back(next_meeting(program, flow, b));
    leave.push_back(flow.block(b).exits && !flow.block(b).successors.empty());
    if (!flow.block(b).reachable || flow.block(b).successors.size() < 2) continue;
    for (const int s : flow.block(b).successors)
      if (s != meeting.back()) sides.push_back({b, s});
  }
  return {std::move(meeting), std::move(sides), leave};
}

void sort_once_each(std::vector<int>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace

WarpFlow::WarpFlow(const isa::Program& program, const ControlFlow& flow, const Divergence& divergence)
    : blocks_(flow.size()),
      sides_(find_sides(program, flow)),
      predecessors_(node_at(blocks_)),
      successors_(node_at(blocks_)) {
  for (const int b : flow.order()) {
    if (!divergence.splits(b)) continue;
    const std::vector<int>& to = flow.block(b).successors;
    const int meet = sides_.meeting(b);
    splits_.push_back({b, to[0] == meet ? kNoBlock : to[0], to[1] == meet ? kNoBlock : to[1], meet});
  }
  link(flow, divergence);
  drop_dead_ends();
  for (auto* edges : {&successors_, &predecessors_})
    for (std::vector<int>& nodes : *edges) sort_once_each(nodes);
  sort();
}

void WarpFlow::add(int from, int to) {
  if (from == to && !is_block(from)) return;
  successors_[node_at(from)].push_back(to);
  predecessors_[node_at(to)].push_back(from);
}

void WarpFlow::link(const ControlFlow& flow, const Divergence& divergence) {
  std::vector<bool> exits(node_at(blocks_));
  for (const int b : flow.order()) exits[node_at(b)] = flow.block(b).exits;
  const std::vector<int> exit_from = sides_.next_with(exits);
  std::vector<int> meets(node_at(blocks_)), ends(node_at(blocks_));
  for (int b = 0; b < blocks_; ++b) meets[node_at(b)] = ends[node_at(b)] = b;
  const auto junction = [this] {
    successors_.emplace_back();
    predecessors_.emplace_back();
    return size() - 1;
  };
  for (const int b : flow.order()) {
    for (const int s : flow.block(b).successors) add(b, s);
    if (flow.block(b).successors.size() < 2) continue;
    meets[node_at(b)] = junction();
    ends[node_at(b)] = junction();
    for (const int s : flow.block(b).successors)
      if (s == sides_.meeting(b)) add(b, meets[node_at(b)]);
  }
  for (const BranchSides::Side& side : sides_.sides()) {
    if (!side.cut) continue;
    ends[node_at(side.branch)] = junction();
    if (exits[node_at(side.branch)]) add(side.branch, ends[node_at(side.branch)]);
  }
  for (const BranchSides::Side& side : sides_.sides()) {
    const int b = side.branch, meet = sides_.meeting(b);
    const bool arrives = meet != kNoBlock && sides_.meeting(side.last) == meet;
    const auto end_at = [&](int node) {
      for (int e = exit_from[node_at(side.first)]; sides_.holds(side.first, meet, e);
           e = sides_.meeting(e) == kNoBlock ? kNoBlock : exit_from[node_at(sides_.meeting(e))])
        add(ends[node_at(e)], node);
    };
    if (arrives) add(meets[node_at(side.last)], meets[node_at(b)]);
    end_at(ends[node_at(b)]);
    if (side.cut || !divergence.splits(b)) continue;
    const std::vector<int>& to = flow.block(b).successors;
    const bool other_waits = side.first == to[0] && to[1] != meet;
    if (other_waits && arrives) add(meets[node_at(side.last)], to[1]);
    if (const int next = other_waits ? to[1] : meet; next != kNoBlock) end_at(next);
  }
}

void WarpFlow::drop_dead_ends() {
  std::vector<bool> leads(node_at(size()));
  std::vector<int> work;
  for (int b = 0; b < blocks_; ++b) work.push_back(b);
  for (const int b : work) leads[node_at(b)] = true;
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    for (const int p : predecessors(n)) {
      if (leads[node_at(p)]) continue;
      leads[node_at(p)] = true;
      work.push_back(p);
    }
  }
  for (std::vector<int>& nodes : successors_) std::erase_if(nodes, [&](int n) { return !leads[node_at(n)]; });
}

void WarpFlow::sort() {
  std::vector<std::pair<int, std::size_t>> stack{{0, 0}};
  std::vector<bool> seen(node_at(size()));
  seen[0] = true;
  while (!stack.empty()) {
    auto& [n, next] = stack.back();
    if (next == successors(n).size()) {
      order_.push_back(n);
      stack.pop_back();
      continue;
    }
    const int s = successors(n)[next++];
    if (seen[node_at(s)]) continue;
    seen[node_at(s)] = true;
    stack.emplace_back(s, 0);
  }
  std::reverse(order_.begin(), order_.end());
}

bool WarpFlow::leads_only_to(int block, int to) const {
  std::vector<bool> seen(node_at(size()));
  std::vector<int> work{block};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    for (const int s : successors(n)) {
      if (is_block(s) && s != to) return false;
      if (is_block(s) || seen[node_at(s)]) continue;
      seen[node_at(s)] = true;
      work.push_back(s);
    }
  }
  return true;
}

std::vector<bool> WarpFlow::behind(const std::vector<bool>& marked) const {
  const std::vector<int> next = sides_.next_with(marked);
  std::vector<bool> result(node_at(blocks_));
  for (const Split& s : splits_) {
    const auto has = [&](int side) {
      return side != kNoBlock && sides_.holds(side, s.meet, next[node_at(side)]);
    };
    const bool first = has(s.first);
    if (s.second != kNoBlock && first) result[node_at(s.second)] = true;
    if (s.meet != kNoBlock && (first || has(s.second))) result[node_at(s.meet)] = true;
  }
  return result;
}

}  // namespace heddle::compiler
