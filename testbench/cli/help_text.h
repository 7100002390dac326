#pragma once

// Wraps help texts to the width of the terminal.

#include <CLI/CLI.hpp>
#include <string>

#include "testbench/output/terminal_text.h"

namespace heddle::cli {

class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return output::wrapped(CLI::Formatter::make_help(app, std::move(name), mode), output::terminal_width());
  }
};

}  // namespace heddle::cli
