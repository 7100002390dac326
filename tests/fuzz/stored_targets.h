#pragma once

// Readers of files that Heddle itself stores, as targets of mutation: points (stored runs), results,
// captures, pages, untimed executions. If a file contains a hash (seal), its reader gets the changed bytes
// twice: with the old hash, and with the hash of the changed bytes.

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

/// Reads a file of memory pages. The first line describes the pages, "BYTES HASH FIRST COUNT FIRST COUNT
/// ...". The pages follow.
bool read_pages_file(const std::string& bytes);
std::string pages_seed();

bool read_untimed(const std::string& bytes);
/// Returns an untimed execution of the kernel that read_untimed() expects.
std::string untimed_seed();

}  // namespace heddle::fuzz
