#pragma once

// launches.csv in the folder of a capture: a row for each captured launch, with the hash of its launch file.

#include <string>

namespace heddle::launch {

inline constexpr const char* kCaptureTable = "launches.csv";
/// The last column holds the hash of the launch file (hash_of_file).
inline constexpr const char* kCaptureColumns =
    "folder,launch,kernel,grid,block,instructions,represents,fnv1a64\n";

/// Throws Error if the table of its capture names another hash for the folder of this launch file: the file was
/// changed, or is another launch's. A file without a table or a row passes.
void check_against_capture_table(const std::string& launch_file);

}  // namespace heddle::launch
