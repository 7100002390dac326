#pragma once

// Interface of a Verilated block, and the list of the blocks in this program. CMake generates the list from
// Verilator's output.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testbench/cosim/port.h"

namespace heddle::cosim {

using RtlParameters = std::vector<std::pair<std::string, int>>;

class RtlModel {
 public:
  explicit RtlModel(std::string module) : module_(std::move(module)) {}
  virtual ~RtlModel() = default;
  RtlModel(const RtlModel&) = delete;
  RtlModel& operator=(const RtlModel&) = delete;

  virtual void eval() = 0;
  const std::string& module() const { return module_; }
  std::vector<Port>& ports() { return ports_; }
  Port* find(const std::string& name);
  /// Returns the port with this name. Throws InternalError if there is none.
  Port& port(const std::string& name);

 protected:
  std::vector<Port> ports_;

 private:
  std::string module_;
};

struct RtlModelEntry {
  std::string module;
  /// Name of the deliberate fault, if the block is a mutant; empty for the Verilog in rtl/.
  std::string mutant;
  RtlParameters parameters;
  std::function<std::unique_ptr<RtlModel>()> make;
};

class RtlModels {
 public:
  static RtlModels& instance() {
    static RtlModels models;
    return models;
  }
  void add(RtlModelEntry entry) { entries_.push_back(std::move(entry)); }
  const std::vector<RtlModelEntry>& entries() const { return entries_; }

  /// Returns the Verilated module with these parameter values; nullptr if the build does not have it.
  const RtlModelEntry* find(const std::string& module, const RtlParameters& wanted) const;
  /// Returns a text with the parameter values for which the build has the module, such as "CLUSTERS=1, 2, 4,
  /// 6".
  std::string values_of(const std::string& module, const RtlParameters& wanted) const;
  /// For tests: from now on, find() returns the mutant of this name. prefer("") ends this.
  void prefer(const std::string& mutant) { preferred_ = mutant; }

 private:
  std::vector<RtlModelEntry> entries_;
  std::string preferred_;
};

std::string text_of(const RtlParameters& parameters, const char* separator);

}  // namespace heddle::cosim
