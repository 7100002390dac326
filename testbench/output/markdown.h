#pragma once

// Markdown pages with texts of the user in them: names, titles, errors.

#include <string>

namespace heddle::output {

/// The page without what the texts in it could do in a browser. Outside of code, tags become text, except for the
/// anchors <a id="name"></a>; links and pictures stay if their target is "#name", or a path of a Markdown page or
/// an SVG picture below the page; bare addresses of the web are no links.
std::string harmless_markdown(const std::string& page);

}  // namespace heddle::output
