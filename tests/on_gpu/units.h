#pragma once

// Comparisons with a real GPU, divided into units. Each unit runs as a process, so that an error, or a kernel
// fault that destroys the GPU context, ends only this unit.

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

struct UnitOptions {
  std::size_t rows = 1 << 18;  ///< number of inputs with which each operation is compared
  std::size_t looks = 10'000;  ///< number of random look-ups for each kind of texture
};

/// Unit: compares the rows of the semantics table `name` with the GPU. For plain arithmetic, many more inputs
/// are compared with the untimed reference.
std::vector<std::string> table_names();
boost::json::object check_table(Driver& gpu, const std::string& name, const UnitOptions& options);

/// Unit: compares an approximate operation of the GPU with the exact value and with Heddle.
std::vector<std::string> approximation_names();
boost::json::object check_approximation(const Driver& gpu, const std::string& name,
                                        const UnitOptions& options);

/// Unit: compares texture look-ups of one shape, with all formats, filters and address modes. Two more units
/// compare surfaces and the weights of linear filtering.
std::vector<std::string> texture_names();
boost::json::object check_texture(const Driver& gpu, const std::string& name, const UnitOptions& options);

/// Unit: compares a kernel of testbench/kernels with one of its launch files, for example "bfs/small".
std::vector<std::string> kernel_names();
boost::json::object check_kernel(const Driver& gpu, const std::string& name);

/// Unit: measures the latency of dependent instructions in cycles. Heddle's presets do not model this GPU
/// generation, so nothing is compared.
boost::json::object measure_latencies(const Driver& gpu);

}  // namespace heddle::on_gpu
