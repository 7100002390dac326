#include "testbench/program/capture.h"
namespace heddle::program {
class Capture::Store {};
Capture::Capture(const ExecParameters&, DeviceMemory&) {}
Capture::~Capture() = default;
void Capture::before(LaunchRow&, const Kernel&, const isa::KernelLaunch&) {}
void Capture::after(const LaunchRow&) {}
}
