#pragma once

// Reads launches.csv in the folder of a capture (heddle exec --capture). The table has a row for each
// captured launch, with the hash of its launch file.

#include <string>

namespace heddle::launch {

inline constexpr const char* kCaptureTable = "launches.csv";
/// The last column holds the hash of the launch file (hash_of_file).
inline constexpr const char* kCaptureColumns =
    "folder,launch,kernel,grid,block,instructions,represents,fnv1a64\n";

/// Checks a launch file against the table of its capture. Throws Error if the table has another hash for the
/// file's folder: the file was changed, or belongs to another launch. A file without a table or a row passes.
void check_against_capture_table(const std::string& launch_file);

}  // namespace heddle::launch
