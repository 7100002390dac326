#pragma once

// Finds files that come with Heddle, such as presets and kernels: next to an installed program
// (share/heddle), or in the source tree.

#include <string>
#include <vector>

#include "models/core/error.h"

namespace heddle::run {

/// Returns the absolute path of a path in the source tree ("configs/gpu"); empty if it is missing.
std::string find_data(const std::string& relative);

/// From now on, searches data files next to `program`, not next to this process's program.
void use_data_of(const std::string& program);

/// Returns the sorted names, without extension, of the files in a data folder ("configs/gpu", ".json").
std::vector<std::string> list_data(const std::string& folder, const std::string& extension);

bool is_file_name(const std::string& name);

/// Returns the error for a name that is neither in `known` nor a file. If `known` is empty, the error states
/// that Heddle's data files were not found.
Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

/// A name with a slash or the ending .json is a path; otherwise it names a file in a data folder. `what`:
/// kind of file. Throws Error, which lists the names, for an unknown name.
std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where);

/// Return the file for a short name: a scenario ("quickstart"), a launch file of a kernel ("bfs",
/// "bfs/small") or folder, or a kernel's PTX ("bfs"). A name with a slash or an extension is a path, and so
/// is the name of an existing file. Throw Error, which lists the names.
std::string find_scenario(const std::string& name);
std::string find_launch(const std::string& name);
std::string find_ptx(const std::string& name);
std::vector<std::string> list_kernels();

/// Returns true for a kernel of Heddle whose PTX multiplies matrices, which needs matrix units. A preset
/// without these units runs the kernel with the technique matrix-unit.
bool needs_matrix_units(const std::string& kernel);

}  // namespace heddle::run
