#pragma once

// Comparisons with the GPU. Each unit is a process, so an error, or a context that a fault destroys, ends
// only this unit.

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

struct UnitOptions {
  std::size_t rows = 1 << 18;  ///< inputs of an operation
  std::size_t looks = 10'000;  ///< look-ups of a kind of texture
};

/// Compares the rows of the semantics table `name`. For entries of plain arithmetic, many more inputs are
/// compared with the untimed reference.
std::vector<std::string> table_names();
boost::json::object check_table(Driver& gpu, const std::string& name, const UnitOptions& options);

/// Compares an approximate operation with the exact value and with Heddle.
std::vector<std::string> approximation_names();
boost::json::object check_approximation(const Driver& gpu, const std::string& name,
                                        const UnitOptions& options);

/// Compares look-ups in textures of one shape, with all formats, filters and modes; surfaces; and weights of
/// linear filtering.
std::vector<std::string> texture_names();
boost::json::object check_texture(const Driver& gpu, const std::string& name, const UnitOptions& options);

/// Compares a kernel of testbench/kernels with one of its launch files: "bfs/small".
std::vector<std::string> kernel_names();
boost::json::object check_kernel(const Driver& gpu, const std::string& name);

/// Measures cycles of dependent instructions. Heddle's presets do not model this generation.
boost::json::object measure_latencies(const Driver& gpu);

}  // namespace heddle::on_gpu
