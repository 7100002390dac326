#pragma once

// The page of `heddle view`: one HTML file that contains the recording, and the page's script and style. It
// needs no network and no other file.

#include <string>

#include "testbench/view/recording.h"

namespace heddle::view {

std::string make_page(const Recording& recording);

/// Return the script and the style of the page. They are embedded in this program.
std::string page_script();
std::string page_style();

}  // namespace heddle::view
