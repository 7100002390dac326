#pragma once

// Reads randomly changed stored files: stored runs, results, captures, pages and untimed executions. If a
// changed file contains a hash, the reader reads the file twice: with the old hash, and with the hash of the
// changed bytes.

#include <string>

namespace heddle::fuzz {

/// Replaces the hash in a sealed text (testbench/launch/sealed_text.h) by the hash of the following lines.
std::string resealed(std::string text);

bool read_point(const std::string& text);
std::string point_seed();

bool read_result(const std::string& text);

/// Reads `text` as the launch file of the capture in tests/fuzz/corpus/capture, and drafts a launch file from
/// it.
bool read_capture(const std::string& text);

/// Reads `bytes` as a file of pages. The first line describes the pages, "BYTES HASH FIRST COUNT FIRST COUNT
/// ..."; the pages follow.
bool read_pages_file(const std::string& bytes);
std::string pages_seed();

bool read_untimed(const std::string& bytes);
std::string untimed_seed();

}  // namespace heddle::fuzz
