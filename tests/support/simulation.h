#pragma once

// A new SystemC simulation for a test. SystemC elaborates once per simulation, so a test with several
// machines builds each machine in its own Simulation. Construct the Simulation before the machine's modules,
// and destroy the Simulation after the modules. The simulation that exists at the start of the process is
// never deleted.

#include <memory>
#include <systemc>

namespace heddle::testing_support {

class Simulation {
 public:
  Simulation() : before_(sc_core::sc_curr_simcontext), own_(std::make_unique<sc_core::sc_simcontext>()) {
    use(own_.get());
  }
  ~Simulation() {
    own_.reset();
    use(before_);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

 private:
  static void use(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }
  sc_core::sc_simcontext* before_;
  std::unique_ptr<sc_core::sc_simcontext> own_;
};

}  // namespace heddle::testing_support
