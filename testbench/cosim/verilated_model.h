#pragma once

// Implements RtlModel with a class that Verilator generated. Only code that CMake generates includes this
// file.

#include <verilated.h>

#include "testbench/cosim/rtl_model.h"

namespace heddle::cosim {

template <class Verilated>
class VerilatedModel : public RtlModel {
 public:
  VerilatedModel(const std::string& module, std::vector<Port> (*ports_of)(Verilated&)) : RtlModel(module) {
    ports_ = ports_of(*verilated_);
  }
  void eval() override { verilated_->eval(); }

 private:
  VerilatedContext context_;
  std::unique_ptr<Verilated> verilated_ = std::make_unique<Verilated>(&context_);
};

template <class Verilated>
struct RtlModelRegistration {
  RtlModelRegistration(const std::string& module, const std::string& mutant, RtlParameters parameters,
                       std::vector<Port> (*ports_of)(Verilated&)) {
    RtlModels::instance().add({module, mutant, std::move(parameters), [module, ports_of] {
                                 return std::make_unique<VerilatedModel<Verilated>>(module, ports_of);
                               }});
  }
};

}  // namespace heddle::cosim
