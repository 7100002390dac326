// report.html must contain its sections, close its elements, and load no other file. The report must show
// texts of the user only as text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "models/core/config_node.h"
#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos; ++at) {
    const std::size_t end = html.find('>', at);
    const std::string tag = html.substr(at + 1, end - at - 1);
    const bool closes = tag[0] == '/';
    const std::string name = tag.substr(closes, tag.find_first_of(" >/", closes) - closes);
    if (name == "script" || name == "style") {
      at = html.find("</" + name, at);
      continue;
    }
    if (name[0] == '!' || name == "meta" || name == "link" || name == "input" || tag.back() == '/') continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "/" + name + " in " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

TEST(RunReport, HoldsWhatAReaderLooksFor) {
  ObservedRun run("saxpy", {"output.report=true", "watch.check=on"});
  const std::string page = run.text("report.html");
  for (const char* part :
       {"Every output equals that of the untimed reference", ">Launches</h2>", ">Energy</h2>",
        ">Over time</h2>", ">What warps waited for</h2>", ">Files</h2>", "href=\"result.json\"",
        "href=\"stats.csv\"", ">Warps of SM 0</h2>", ">Profile of saxpy</h2>", ">Metrics</h2>", "fma.rn.f32",
        "kernel.cu", "prefers-color-scheme:dark", "warp-instructions a cycle"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_EQ(unbalanced(page), "");
  for (const char* fetched : {"src=\"http", "href=\"http", "@import", "url(\"", "url(http"})
    EXPECT_THAT(page, Not(HasSubstr(fetched)));
  EXPECT_THAT(page, Not(HasSubstr("nan\"")));
  for (const char* file : {"timeline.json", "timeline.pftrace", "profile.txt", "intervals.csv"})
    EXPECT_FALSE(run.has(file)) << "not asked for";
}

TEST(HtmlPage, TextIsNoMarkup) {
  HtmlPage page("a < b & \"c\"");
  page.table({{"<script>"}, {}, {{HtmlCell::of("</td><script>alert(1)</script>\x01")}}, false, ""});
  const std::string text = page.text();
  EXPECT_THAT(text, HasSubstr("<title>a &lt; b &amp; &quot;c&quot;</title>"));
  EXPECT_THAT(text, HasSubstr("&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;</td>"));
  EXPECT_EQ(unbalanced(text), "");
}

TEST(Chart, IsJsonWithoutWhatCouldEndItsElement) {
  const ChartMarks marks{"published", {{1, 0, 3}}};
  for (const Chart& chart :
       {step_chart({"x", "y", true}, {{"none", {}}}),
        line_chart({"</script>", "y", false}, {{"flat \"one\"", {{1, 2}, {2, 0.0 / 0.0}}}}, marks),
        area_chart({"x", "y", true}, {{"a", {{0, 0}, {1, 1.0 / 0.0}}}}),
        point_chart({"x", "y", false}, {{"kernels", {{1, 2}}, {"<b>"}}}),
        bar_chart({{"c", "<!--"}, {"s"}, {{std::nullopt, 1}}, "y", true, "level", {1, 2}, marks}),
        pair_chart("%", {{"same", 0, 0}}), state_chart("cycle", {"on"}, {"s0"}, {{"00", {{5, 5, 0}}}})}) {
    EXPECT_THAT(chart.json, Not(HasSubstr("<")));
    EXPECT_NO_THROW(parse_config_text(chart.json, "chart")) << chart.json;
  }
}

TEST(HtmlPage, HoldsWhatDrawsItsChartsOnce) {
  HtmlPage page("page");
  EXPECT_THAT(page.text(), Not(HasSubstr("Bostock")));
  page.chart(pair_chart("%", {{"same", 0, 0}}));
  page.chart(pair_chart("%", {{"same", 0, 0}}), "caption");
  const std::string text = page.text();
  EXPECT_EQ(unbalanced(text), "");
  EXPECT_EQ(text.find("Bostock"), text.rfind("Bostock"));
  EXPECT_THAT(text, HasSubstr("figure.chart"));
}

TEST(HtmlPage, LinksAreRelativeNames) {
  HtmlPage page("page");
  page.links({{"javascript:alert(1)", "a \"name\""}, {"w a%ves.vcd", "waves"}});
  EXPECT_THAT(page.text(), HasSubstr("href=\"javascript%3Aalert%281%29\""));
  EXPECT_THAT(page.text(), HasSubstr("href=\"w%20a%25ves.vcd\""));
}

}  // namespace
}  // namespace heddle::output
