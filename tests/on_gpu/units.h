#pragma once

// The comparisons of Heddle with a real GPU are divided into units. Each unit runs in its own process,
// because a kernel fault destroys the GPU context of the process. A fault therefore ends only one unit.

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

struct UnitOptions {
  std::size_t rows = 1 << 18;
  std::size_t looks = 10'000;
};

/// Names of the units that compare the GPU with the semantics tables. Entries that only read and write
/// registers also run with many more inputs; these results are compared with those of the untimed
/// reference.
std::vector<std::string> table_names();
boost::json::object check_table(Driver& gpu, const std::string& name, const UnitOptions& options);

/// Units that compare approximate operations of the GPU with the exact value and with Heddle.
std::vector<std::string> approximation_names();
boost::json::object check_approximation(const Driver& gpu, const std::string& name,
                                        const UnitOptions& options);

/// Units that compare texture look-ups of the GPU and Heddle, with all formats, filters and address modes:
/// one unit for each texture shape, one for gathers and one for integer coordinates. Further units compare
/// weights of linear filtering, surfaces and queries.
std::vector<std::string> texture_names();
boost::json::object check_texture(const Driver& gpu, const std::string& name, const UnitOptions& options);

/// Units that run kernels of testbench/kernels on the GPU and compare the results with Heddle's. A unit is a
/// kernel with one of the kernel's launch files, such as "bfs/small".
std::vector<std::string> kernel_names();
boost::json::object check_kernel(const Driver& gpu, const std::string& name);

/// Returns latencies of dependent instructions in cycles. Heddle's presets do not model this GPU generation,
/// so nothing is compared.
boost::json::object measure_latencies(const Driver& gpu);

}  // namespace heddle::on_gpu
