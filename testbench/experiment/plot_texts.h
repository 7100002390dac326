#pragma once

// Texts and numbers as gnuplot reads them back: never as a command.

#include <string>

namespace heddle::experiment {

/// A text in a command.
std::string plot_text(const std::string& text);
/// A text in a data block.
std::string plot_field(const std::string& text);
/// "-" where there is none.
std::string plot_number(double value);

}  // namespace heddle::experiment
