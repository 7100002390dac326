#pragma once

// Figures as pictures: a gnuplot script of our own that carries its data, and what gnuplot makes of it.

#include <string>

#include "testbench/experiment/figure_data.h"

namespace heddle::experiment {

/// A script that writes ID.svg and ID.png into the folder that gnuplot runs in; empty for tables, and where
/// there is nothing to draw.
std::string gnuplot_script(const FigureData& data, const Published& published);

/// Is there a gnuplot on this machine?
bool has_gnuplot();

/// Runs a script that lies in `folder`; false, with what gnuplot said in `error`, if it failed.
bool run_gnuplot(const std::string& folder, const std::string& script, std::string& error);

}  // namespace heddle::experiment
