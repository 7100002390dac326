#pragma once

// Fills a drafted launch file with values from a captured launch (heddle exec --capture).

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "testbench/launch/captured_launch.h"
#include "testbench/launch/draft_text.h"

namespace heddle::launch {

class CapturedDraft {
 public:
  /// Prepares the drafted parts of a captured launch. The member functions add entries to `sections`. All
  /// arguments must outlive this object. `pages`: path of the captured memory, as the draft states it.
  CapturedDraft(const CapturedLaunch& captured, const KernelFacts& facts, std::string pages,
                DraftSections& sections);

  bool keeps_places() const { return keeps_places_; }
  std::string introduction() const;
  std::string places() const;
  std::string grid() const { return extents(captured_.step().grid); }
  std::string block() const { return extents(captured_.step().block); }
  std::string shared_bytes() const { return number(captured_.step().shared_bytes); }
  std::string member(const PartFacts& part, const std::string& name, const std::string& where);
  std::string hexadecimal(std::uint32_t offset, std::uint32_t bytes) const {
    return captured_.hexadecimal(offset, bytes);
  }
  /// Adds module variables, and buffers whose addresses occur only in memory, not in the parameters.
  void add_other_buffers();

 private:
  bool memory_holds_addresses(const KernelFacts& facts) const;
  std::string address(const PartFacts& part, const CapturedLaunch::Place& place, const std::string& name,
                      const std::string& where);
  static std::string number(const Expression& e);
  static std::string extents(const std::array<Expression, 3>& extents);

  const CapturedLaunch& captured_;
  std::string pages_;
  DraftSections& sections_;
  bool keeps_places_;
  std::map<const BufferSpec*, std::string> names_;  ///< names of the buffers whose addresses are parameters
};

}  // namespace heddle::launch
