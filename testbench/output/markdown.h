#pragma once

// Makes Markdown pages safe that contain texts from a user (names, titles, errors).

#include <string>

namespace heddle::output {

/// Returns the page with only harmless links and tags. Outside of code, HTML tags become plain text, except
/// anchors <a id="name"></a>. A link or picture stays only if it leads to "#name", or to a Markdown page or
/// SVG picture in or below the page's folder. Plain web addresses do not become links.
std::string harmless_markdown(const std::string& page);

}  // namespace heddle::output
