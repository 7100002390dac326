#include "testbench/view/view_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbench/output/html_page.h"
#include "testbench/view/recording_json.h"

namespace heddle::view {

std::string make_page(const Recording& recording) {
  std::string title = fmt::format("SM {} of {}", recording.sm, recording.gpu);
  if (!recording.techniques.empty()) title += fmt::format(" with {}", fmt::join(recording.techniques, ", "));
  const std::string heading = output::html_text(title);
  return fmt::format(
      "<!doctype html>\n<html lang=en><head><meta charset=utf-8>\n"
      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'unsafe-inline'; "
      "style-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=viewport content=\"width=device-width\">\n<link rel=icon href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}</style></head>\n<body>\n<h1>{}</h1>\n"
      "<noscript>This page needs JavaScript.</noscript>\n<div id=page></div>\n"
      "<script type=\"application/json\" id=recording>{}</script>\n"
      "<script>\n(function () {{\n'use strict';\n{}}})();\n</script>\n</body></html>\n",
      heading, page_style(), heading, json_of(recording), page_script());
}

}  // namespace heddle::view
