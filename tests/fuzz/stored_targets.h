#pragma once

// Readers of files that Heddle itself stores, as targets of mutation: points, results, captures, pages, untimed
// executions. A reader of a sealed file gets the bytes as they are, and again with the seal that fits them.

#include <string>

namespace heddle::fuzz {

bool read_point(const std::string& text);
/// Returns the file of a point as Heddle writes it.
std::string point_seed();

/// Reads a result.json or program.json as comparisons do.
bool read_result(const std::string& text);

/// Reads the launch file of a capture next to the module and the pages of tests/fuzz/corpus/capture, and drafts a launch
/// file from it.
bool read_capture(const std::string& text);

/// Reads pages. The first line names them, "BYTES HASH FIRST COUNT FIRST COUNT ...", and the file follows.
bool read_pages_file(const std::string& bytes);
std::string pages_seed();

bool read_untimed(const std::string& bytes);
/// Returns an untimed execution of the kernel that read_untimed() expects.
std::string untimed_seed();

}  // namespace heddle::fuzz
