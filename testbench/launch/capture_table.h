#pragma once

// Reads launches.csv, the list of launches in the folder that heddle exec --capture has written: one row for
// each launch, with the hash of its launch file.

#include <string>

namespace heddle::launch {

inline constexpr const char* kCaptureTable = "launches.csv";
/// Heading of the table. The last column is the hash of the launch file.
inline constexpr const char* kCaptureColumns =
    "folder,launch,kernel,grid,block,instructions,represents,fnv1a64\n";

/// Throws Error if the capture's table has a different hash for the launch file: the launch file was changed, or it
/// belongs to another launch. Does nothing for a launch file that is in no such table.
void check_against_capture_table(const std::string& launch_file);

}  // namespace heddle::launch
