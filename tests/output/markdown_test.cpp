// Texts of the user must not be interpreted as Markdown.

#include "testbench/output/markdown.h"

#include <gtest/gtest.h>

namespace heddle::output {
namespace {

TEST(Markdown, KeepsWhatReportsConsistOf) {
  for (const char* text : {
           "# title\n\n| a | b |\n| --- | ---: |\n| `x < y` | [1.5](#fig-1) |\n",
           "![title](figures/f.svg) and [35.8](other-page.md#figure), corf < corf++\n",
           "<a id=\"11-common\"></a>\n",
           "```json\n{\"a\": \"<b>\", \"c\": \"[d](http://e)\"}\n```\n",
           "a\\|b `c[0](1)` d\n",
       })
    EXPECT_EQ(harmless_markdown(text), text);
}

TEST(Markdown, TakesTagsAndLinksFromTexts) {
  const auto expect = [](const char* text, const char* harmless) {
    EXPECT_EQ(harmless_markdown(text), harmless);
  };
  expect("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>");
  expect("<!-- x", "&lt;!-- x");
  expect("[x](javascript:alert(1))", "[x\\](javascript:alert(1))");
  expect("![x](http://e/f.svg)", "![x\\](http&#58;//e/f.svg)");
  expect("[x](../../up.md)", "[x\\](../../up.md)");
  expect("[x](/etc/a.md)", "[x\\](/etc/a.md)");
  expect("[x]: data:text/html,y", "[x\\]: data:text/html,y");
  expect("www.example.org", "www&#46;example.org");
  expect("<https://e>", "&lt;https&#58;//e>");
  expect("<a id=\"x\" onclick=\"y\"></a>", "&lt;a id=\"x\" onclick=\"y\">&lt;/a>");
  expect("\\` <b> `", "\\` &lt;b> `");
  expect("| `a | <b>` |", "| `a | &lt;b>` |");
  expect("``` ` <b>\n<i>", "``` ` &lt;b>\n&lt;i>");
  expect("`` <b> `", "`` &lt;b> `");
}

}  // namespace
}  // namespace heddle::output
