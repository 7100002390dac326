#include "testbench/cli/page_head.h"

#include "models/core/error.h"
#include "testbench/why/differences.h"
#include "testbench/why/why_text.h"

namespace heddle::cli {

std::string why_text_of(const ConfigNode& result, const why::Places& places) {
  try {
    return why::cycles_text(why::causes_of(result, why::rules_with({}), places, "result"));
    // causes_of() throws Error for a run that was not timed. The page of this run gets no sentences about
    // cycles.
  } catch (const Error&) {
    return {};
  }
}

void add_why(output::HtmlPage& page, const comparison::Runs& runs, const std::vector<ConfigNode>& results) {
  page.heading(output::kWhyHeading);
  try {
    const why::RuleSet rules = why::rules_with({});
    const why::Causes first = why::causes_of(results[0], rules, {}, runs[0].name);
    page.subheading(runs[0].name);
    page.lines(why::cycles_text(first));
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const why::Causes own = why::causes_of(results[i], rules, {}, runs[i].name);
      why::check_comparable({runs[i], runs[0]});
      page.subheading(runs[i].name);
      page.lines(why::text_of(own, first, why::differences(own, first), runs[i].name, runs[0].name));
    }
    // An Error means that a run was not timed, or that programs or accounts differ. The page then shows the
    // error instead of sentences about causes.
  } catch (const Error& error) {
    page.paragraph(std::string(error.what()) + ".");
  }
}

}  // namespace heddle::cli
