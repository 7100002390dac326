#pragma once

// Makes Markdown pages safe that contain texts of a user: names, titles, errors.

#include <string>

namespace heddle::output {

/// Outside of code, HTML tags become plain text, except anchors <a id="name"></a>. Links and pictures stay
/// only if they lead to "#name", or to a Markdown page or SVG picture below the page. Bare web addresses do
/// not become links.
std::string harmless_markdown(const std::string& page);

}  // namespace heddle::output
