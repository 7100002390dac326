#pragma once

// Finds files that come with Heddle: presets, scenarios, kernels, formats. They are next to an installed
// program (share/heddle), or in the source tree from which the program was built.

#include <string>
#include <vector>

#include "models/core/error.h"

namespace heddle::run {

/// Returns the absolute path of a file or folder, given by its path in the source tree ("configs/gpu").
/// Returns an empty path if it is missing.
std::string find_data(const std::string& relative);

/// Searches data files next to `program` from now on, instead of next to the program of this process.
void use_data_of(const std::string& program);

/// Returns the sorted names, without the extension, of the files with this extension in a data folder
/// ("configs/gpu", ".json").
std::vector<std::string> list_data(const std::string& folder, const std::string& extension);

/// Returns true if the name of a preset or a technology is a path: it has a slash, or ends in .json.
bool is_file_name(const std::string& name);

/// Returns the error message for a name that is neither in `known` nor a file. If `known` is empty, the
/// message is that Heddle's data files were not found.
Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

/// Returns the path for a name. A name with a slash or the ending .json is a path itself; otherwise the name
/// is that of a file in a data folder. `what`: the kind of file, for messages. Throws Error, which lists the
/// folder's names, for an unknown name.
std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where);

/// These functions return the file for a short name: a scenario ("quickstart"), a launch file of a kernel
/// ("bfs", "bfs/small") or of a folder with a launch.json, or the PTX of a kernel ("bfs"). A name with a
/// slash or an extension, or of an existing file, is a path itself. They throw Error, which lists the names.
std::string find_scenario(const std::string& name);
std::string find_launch(const std::string& name);
std::string find_ptx(const std::string& name);
std::vector<std::string> list_kernels();

}  // namespace heddle::run
