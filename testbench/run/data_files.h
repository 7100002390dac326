#pragma once

// Finds files that come with Heddle: presets, scenarios, kernels, formats. They are next to an installed
// program (share/heddle), or in the source tree that the program was built from.

#include <string>
#include <vector>

#include "models/core/error.h"

namespace heddle::run {

/// Absolute path of a file or folder, by its path in the source tree ("configs/gpu"); empty if it is missing.
std::string find_data(const std::string& relative);

/// Looks for the data next to this program from now on, instead of the one that this process runs.
void use_data_of(const std::string& program);

/// Names of the files with this extension in a data folder ("configs/gpu", ".json"), sorted, without the
/// extension.
std::vector<std::string> list_data(const std::string& folder, const std::string& extension);

/// True if the name of a preset or a technology is a path: it has a slash, or ends in .json.
bool is_file_name(const std::string& name);

/// Error for a name that is neither in `known` nor a file. Without known names it says that the data was not
/// found.
Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

/// File that `name` refers to: a path if it has a slash or ends in .json, otherwise the file of this name in
/// a data folder. Throws Error that lists the folder's names for an unknown `what`.
std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where);

/// Files by short names: a scenario ("quickstart"), a launch file of a kernel ("bfs", "bfs/small"), the PTX
/// of a kernel ("bfs"). A name with a slash or an extension, or of an existing file, is a path. They throw
/// Error that lists the names.
std::string find_scenario(const std::string& name);
std::string find_launch(const std::string& name);
std::string find_ptx(const std::string& name);
/// Names of the kernels.
std::vector<std::string> list_kernels();

}  // namespace heddle::run
