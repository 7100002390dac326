#pragma once

// Files that come with Heddle: presets, scenarios, kernels, formats. They are found beside an installed
// program (share/heddle), or in the source tree that the program was built from.

#include <string>
#include <vector>

#include "models/core/error.h"

namespace heddle::run {

/// A file or folder by its path in the source tree ("configs/gpu"); empty if it is nowhere.
std::string find_data(const std::string& relative);

/// From now on, the program of Heddle beside which the data is looked for: another than this process runs.
void use_data_of(const std::string& program);

/// Names of the files with this extension in a folder of the data ("configs/gpu", ".json"), sorted, without
/// the extension.
std::vector<std::string> list_data(const std::string& folder, const std::string& extension);

/// Whether a preset or a technology is named by its file: it has a slash, or ends in .json.
bool is_file_name(const std::string& name);

/// The error about a name that is neither of `known` nor a file. If there are no known ones, it says that the data was not
/// found.
Error unknown_file(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known);

/// The file that `name` means: itself if it has a slash or ends in .json, else that of this name in a folder of the
/// data. Throws Error about the unknown `what` that lists those of the folder.
std::string find_named(const std::string& folder, const std::string& name, const std::string& what,
                       const std::string& where);

/// Files of the source tree by short names: a scenario ("quickstart"), a launch file of a kernel ("bfs",
/// "bfs/small"), the PTX of a kernel ("bfs"). A name that is a file, has a slash or an ending, is that file.
/// They throw Error that lists the names.
std::string find_scenario(const std::string& name);
std::string find_launch(const std::string& name);
std::string find_ptx(const std::string& name);
/// Names of the kernels.
std::vector<std::string> list_kernels();

}  // namespace heddle::run
