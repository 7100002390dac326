#pragma once

// Finds files that come with Heddle, such as presets and kernels: next to an installed program
// (share/heddle), or in the source tree.

#include <string>
#include <vector>

#include "models/core/error.h"

namespace heddle::run {

/// Returns the absolute path of a path in the source tree ("configs/gpu"); empty if it is missing.
std::string find_data(const std::string& relative);

/// From now on, data files are searched next to `program`, not next to the program that runs.
void use_data_of(const std::string& program);

/// Returns the sorted names, without extension, of the files in a data folder ("configs/gpu", ".json").
std::vector<std::string> list_data(const std::string& folder, const std::string& extension);

bool is_file_name(const std::string& name);

/// Returns the error for a name that is neither in `known` nor a file. If `known` is empty, the error states
/// that Heddle's data files were not found.
Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

/// Returns the path of a file. A `name` with a slash or the ending .json is a path; any other `name` names a
/// file in a data folder. `what`: kind of file, for messages. Throws Error for an unknown name; the error
/// lists the known names.
std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where);

/// Return the path of a file by its short name: a scenario ("quickstart"), the launch file of a kernel
/// ("bfs", "bfs/small") or of a folder, or a kernel's PTX ("bfs"). A name is a path if it has a slash or an
/// extension, or if a file of this name exists. Throw Error for an unknown name; the error lists the known
/// names.
std::string find_scenario(const std::string& name);
std::string find_launch(const std::string& name);
std::string find_ptx(const std::string& name);
std::vector<std::string> list_kernels();

/// Returns true for a kernel of Heddle whose PTX multiplies matrices, and therefore needs matrix units. A
/// preset without these units can run the kernel with the technique matrix-unit.
bool needs_matrix_units(const std::string& kernel);

}  // namespace heddle::run
