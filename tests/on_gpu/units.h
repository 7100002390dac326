#pragma once

// What is held against the GPU, one unit a process: an error, or a context that a fault has spoilt, ends one alone.

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

struct UnitOptions {
  std::size_t rows = 1 << 18;  ///< inputs of one operation
  std::size_t looks = 10'000;  ///< look-ups of one kind of texture
};

/// The rows of the semantics table `name`; where an entry is plain arithmetic, many more inputs against the
/// untimed reference.
std::vector<std::string> table_names();
boost::json::object check_table(Driver& gpu, const std::string& name, const UnitOptions& options);

/// An approximate operation, against the value itself and against Heddle.
std::vector<std::string> approximation_names();
boost::json::object check_approximation(const Driver& gpu, const std::string& name,
                                        const UnitOptions& options);

/// Look-ups in textures of one shape, of all formats, filters and modes; surfaces; and how the weights of linear filtering
/// are rounded.
std::vector<std::string> texture_names();
boost::json::object check_texture(const Driver& gpu, const std::string& name, const UnitOptions& options);

/// A kernel of testbench/kernels by one of its launch files: "bfs/small".
std::vector<std::string> kernel_names();
boost::json::object check_kernel(const Driver& gpu, const std::string& name);

/// Cycles of dependent instructions, which Heddle's presets don't model: another generation.
boost::json::object measure_latencies(const Driver& gpu);

}  // namespace heddle::on_gpu
