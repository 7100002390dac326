#pragma once

// Reports wrong synchronisation. The check finds more errors than the tool synccheck of NVIDIA's
// compute-sanitizer. The check reports:
//
// - A barrier that only some threads of a warp execute. Threads that can reach no barrier any more do not
//   count as missing. Threads that wait directly after the barrier count as missing, because the barrier then
//   stands inside a condition.
// - A CTA that ends while a barrier still waits for warps.
// - An operation across lanes (shfl, vote, match, redux, bar.warp.sync) with a member mask that lacks the
//   executing lane.
// - An operation across lanes with a member mask that contains lanes which do not execute the operation, unless
//   these lanes are about to end.
// - A shfl that takes the value of a lane that does not execute the shfl, if the value is used.
// - brx.idx with an index outside its list of targets.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/reference/absent_values.h"
#include "models/reference/code_reach.h"
#include "models/reference/current_launch.h"
#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class SyncCheck : public Observer {
 public:
  explicit SyncCheck(Findings& findings) : findings_(findings) {}
  void before(const ExecutedInstruction& e) override;
  void after(const ExecutedInstruction& e) override;
  void noted(const ExecutedInstruction& e) override;
  void arrived(const ExecutedInstruction& e, std::uint32_t barrier) override;
  void synchronized(std::uint64_t cta, std::uint32_t barrier, std::uint32_t released) override;

 private:
  struct Waiting {
    std::uint32_t pc = 0;
    std::uint32_t warps = 0;
  };
  struct Cta {
    std::map<std::uint32_t, Waiting> barriers;
    std::uint32_t ended = 0;
    std::map<std::uint32_t, AbsentValues> absent;
    std::map<std::uint32_t, LaneMask> have_left;  ///< for each warp: exited lanes that missed a barrier
  };
  struct Elsewhere {
    std::int32_t pc = 0;
    LaneMask lanes = 0;
  };
  Cta& cta_of(const ExecutedInstruction& e);
  static std::vector<Elsewhere> elsewhere(const ExecutedInstruction& e);
  void check_barrier(const ExecutedInstruction& e);
  void check_members(const ExecutedInstruction& e);
  void follow(const ExecutedInstruction& e);
  template <class Text>
  void report(const ExecutedInstruction& e, std::uint32_t what, const Text& text) {
    findings_.report(CheckKind::sync, *e.launch.program, e.index, what, text);
  }
  static std::string place(const ExecutedInstruction& e);

  Findings& findings_;
  CurrentLaunch launch_;
  std::unique_ptr<CodeReach> reach_;
  LaneMask taken_ = 0, moved_ = 0;
  std::map<std::uint64_t, Cta> ctas_;
};

}  // namespace heddle::reference
