// The untimed reference checks pairs of small kernels: one with a fault, one without a fault. The reference
// must report at least 95 % of the faulty kernels, and no kernel without a fault.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/ptx/module.h"
#include "models/reference/checks.h"
#include "testbench/launch/reference_executor.h"
#include "tests/check_corpus/patterns.h"

namespace heddle::check_corpus {
namespace {

using reference::CheckKind;
using Words = std::vector<std::pair<std::string, std::string>>;

void replace(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

template <class Make>
void replace_calls(std::string& text, const std::string& name, const Make& make) {
  for (std::size_t at = text.find(name + "("); at != std::string::npos; at = text.find(name + "(")) {
    const std::size_t open = at + name.size(), close = text.find(')', open), comma = text.find(',', open);
    const std::string first = text.substr(open + 1, std::min(comma, close) - open - 1);
    const std::string second = comma < close ? text.substr(comma + 1, close - comma - 1) : "";
    text.replace(at, close + 1 - at, make(first, second));
  }
}

Words words_of(bool in_shared) {
  if (in_shared)
    return {{"$sp", "shared"}, {"$base", "%s"},  {"$own", "%a"},   {"$beside", "%ab"},
            {"$next", "%an"},  {"$wide", "%ws"}, {"$wbase", "%ws"}};
  return {{"$sp", "global"}, {"$base", "%data"}, {"$own", "%e"},     {"$beside", "%eb"},
          {"$next", "%en"},  {"$wide", "%data"}, {"$wbase", "%data"}};
}

std::string kernel_of(const Pattern& pattern, bool faulty, bool in_shared) {
  std::string body = pattern.body;
  replace(body, "@@", faulty ? pattern.faulty : pattern.clean);
  for (const auto& [word, by] : words_of(in_shared)) replace(body, word, by);
  int call = 0;
  replace_calls(body, "$malloc", [&](const std::string& to, const std::string& bytes) {
    ++call;
    return fmt::format(
        "{{ .param .b64 s{0}; .param .b64 r{0}; st.param.b64 [s{0}], {2}; call (r{0}), malloc, (s{0}); "
        "ld.param.b64 {1}, [r{0}]; }}",
        call, to, bytes);
  });
  replace_calls(body, "$free", [&](const std::string& what, const std::string&) {
    ++call;
    return fmt::format("{{ .param .b64 s{0}; st.param.b64 [s{0}], {1}; call free, (s{0}); }}", call, what);
  });
  const char* const heap = call == 0 ? ""
                                     : ".extern .func (.param .b64 r) malloc (.param .b64 s);\n"
                                       ".extern .func free (.param .b64 s);\n";
  return fmt::format(
      ".version 7.8\n.target sm_90\n.address_size 64\n{}.const .align 4 .u32 fixed = 5;\n"
      ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 data) {{\n"
      ".reg .b32 %t, %l, %w, %c, %g, %x, %a, %s, %ab, %an, %r<12>; .reg .pred %p<6>; .reg .f32 %f<4>; .reg "
      ".f64 %h<4>;\n"
      ".reg .b64 %out, %in, %data, %o, %e, %eb, %en, %ws, %warp, %zero, %d<12>;\n.shared .align 16 .b8 "
      "words[1024];\n"
      "ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; ld.param.u64 %data, [data];\n"
      "mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; and.b32 %l, %t, 31; shr.u32 %w, %t, 5; mad.lo.u32 %g, %c, "
      "64, %t;\n"
      "mov.u32 %x, 0; mul.wide.u32 %o, %g, 4; add.u64 %o, %o, %out; mov.u64 %ws, words; cvt.u32.u64 %s, "
      "%ws;\n"
      "mul.wide.u32 %e, %t, 4; add.u64 %e, %e, %data; shl.b32 %a, %t, 2; add.u32 %a, %a, %s;\n"
      "xor.b32 %r0, %t, 32; mul.wide.u32 %eb, %r0, 4; add.u64 %eb, %eb, %data; shl.b32 %ab, %r0, 2; add.u32 "
      "%ab, %ab, %s;\n"
      "xor.b32 %r0, %t, 1; mul.wide.u32 %en, %r0, 4; add.u64 %en, %en, %data; shl.b32 %an, %r0, 2; add.u32 "
      "%an, %an, %s;\n"
      "cvt.u64.u32 %warp, %w; mov.u64 %zero, 0;\n{}\nst.global.u32 [%o], %x; ret; }}\n",
      heap, body);
}

std::vector<std::string> lines_of(const Pattern& pattern, bool faulty, bool in_shared) {
  const launch::LaunchFile file = launch::read_launch_text(fmt::format(R"({{"ptx": "k.ptx", "buffers": {{
            "o": {{"type": "u32", "count": 1024, "init": {{"kind": "zeros"}}}},
            "i": {{"type": "u32", "count": 1024, "init": {{"kind": "range"}}}},
            "d": {{"type": "u32", "count": 1024, "init": {{"kind": "zeros"}}}}}},
          "steps": [{{"kernel": "k", "grid": [{}], "block": [64],
                     "args": [{{"buffer": "o"}}, {{"buffer": "i"}}, {{"buffer": "d"}}]}}],
          "outputs": [{{"buffer": "o"}}]}})",
                                                                       pattern.ctas),
                                                           "k.json");
  launch::PtxPrograms programs(ptx::parse_module(kernel_of(pattern, faulty, in_shared), "k.ptx"));
  programs.keep_calls();
  MemoryImage memory;
  launch::LaunchRun run(file, programs, memory);
  run.prepare();
  reference::Checks checks(reference::CheckKinds::all());
  reference::ReferenceOptions options;
  checks.observe(options);
  options.max_warp_instructions = 1'000'000;
  launch::ReferenceExecutor executor(options);
  try {
    run.run(executor);
  } catch (const reference::FaultError& error) {
    return {std::string("error: ") + error.what()};
  }
  return checks.findings().lines();
}

struct Recall {
  int faulty = 0, found = 0, alarms = 0;
};

Recall measure(const char* kind, const std::vector<Pattern>& patterns) {
  Recall recall;
  for (const Pattern& pattern : patterns)
    for (const bool in_shared : {true, false}) {
      if (in_shared && !pattern.both_spaces) continue;
      const std::string name = fmt::format("{}: {}{}", kind, pattern.name,
                                           !pattern.both_spaces ? ""
                                           : in_shared          ? ", shared"
                                                                : ", global");
      const std::vector<std::string> faults = lines_of(pattern, true, in_shared);
      std::vector<std::string> alarms = lines_of(pattern, false, in_shared);
      ++recall.faulty;
      const bool found = std::any_of(faults.begin(), faults.end(), [&](const std::string& line) {
        return line.starts_with(std::string(kind) + ":") || line.starts_with("error:");
      });
      if (!pattern.also.empty())
        std::erase_if(alarms, [&](const std::string& line) { return line.starts_with(pattern.also + ":"); });
      recall.found += found;
      recall.alarms += !alarms.empty();
      if (!found) fmt::print("missed  {}\n", name);
      if (!alarms.empty()) fmt::print("alarm   {}: {}\n", name, alarms.front());
    }
  return recall;
}

TEST(CheckCorpus, FaultsAreFoundAndTwinsAreClean) {
  const std::vector<std::pair<const char*, std::vector<Pattern>>> corpus = {
      {"memory", memory_patterns()}, {"init", init_patterns()},       {"races", races_patterns()},
      {"sync", sync_patterns()},     {"atomics", atomics_patterns()}, {"warps", warps_patterns()}};
  std::string table = "kind     faulty  found  recall  alarms on twins\n";
  for (const auto& [kind, patterns] : corpus) {
    const Recall recall = measure(kind, patterns);
    table += fmt::format("{:<8} {:>6} {:>6} {:>5.0f} % {:>16}\n", kind, recall.faulty, recall.found,
                         100.0 * recall.found / recall.faulty, recall.alarms);
    EXPECT_GE(recall.faulty, 10) << kind;
    EXPECT_GE(recall.found * 100, recall.faulty * 95) << kind;
    EXPECT_EQ(recall.alarms, 0) << kind;
  }
  fmt::print("{}", table);
}

}  // namespace
}  // namespace heddle::check_corpus
