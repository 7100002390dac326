#pragma once

// Makes small PTX modules for tests, and prints translated programs as text.

#include <string>
#include <vector>

#include "models/isa/program.h"

namespace heddle::test {

/// Returns the PTX of one kernel `k(.param .u64 p, .param .u32 n)` that declares %p<9>, %h<9> (16 bits),
/// %r<99>, %f<99>, %d<99> (64 bits) and %fd<9>. `top` is put before the kernel. The body begins in line 10.
std::string kernel_text(const std::string& body, const std::string& top = {});

isa::Program lower(const std::string& body, const std::string& top = {});

std::vector<std::string> listing(const std::string& body, const std::string& top = {});

std::string complaint(const std::string& body, const std::string& top = {});

}  // namespace heddle::test
