#pragma once

// Reads launches.csv in the folder of a capture (heddle exec --capture): one row for each launch, with the
// hash of its launch file.

#include <string>

namespace heddle::launch {

inline constexpr const char* kCaptureTable = "launches.csv";
/// The last column is the hash of the launch file.
inline constexpr const char* kCaptureColumns =
    "folder,launch,kernel,grid,block,instructions,represents,fnv1a64\n";

/// Throws Error if the capture's table has another hash for the launch file: the file was changed, or belongs
/// to another launch. A file without a row passes.
void check_against_capture_table(const std::string& launch_file);

}  // namespace heddle::launch
