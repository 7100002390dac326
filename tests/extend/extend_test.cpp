// Parts from plug-ins must be usable by name in a scenario, and must be listed and documented.

#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace heddle::test {
namespace {

const std::vector<std::string> kToys = {
    "toy-youngest",    "toy-nap",      "toy-counter",    "toy-marks",         "toy-scatter",
    "toy-single-file", "toy-echo",     "toy-reserving",  "toy-rotating",      "toy-drowsy",
    "toy-short",       "toy-shutters", "toy-few",        "toy-one-at-a-time", "toy-next-cycle",
    "toy-lane-use",    "toy-turns",    "toy-results",    "toy-reserve",       "toy-next-only",
    "toy-tides",       "toy-naps",     "toy-one-by-one", "toy-colours",       "toy-painter",
    "toy-tollgate"};

ProgramResult plain_program(const std::vector<std::string>& arguments) {
  return run_program(arguments, ".", 0, HEDDLE_PLAIN_PROGRAM_FILE);
}

TEST(Extend, ToysRunByNameAndTheirResultsAreRight) {
  const Folder folder;
  const ProgramResult r = run_program({"run", source("tests/extend/toys.json"), "--out", folder.path()}, ".");
  ASSERT_EQ(r.status, 0) << r.err;
  const std::string stats = folder.read("stats.csv");
  EXPECT_NE(stats.find("toy_counter"), std::string::npos) << "the stage has no counters";
  const std::string result = folder.read("result.json");
  for (const std::string& toy : kToys) {
    // Leave out toy-one-by-one: it replaces the operand stage and needs another register path.
    if (toy == "toy-one-by-one") continue;
    EXPECT_NE(result.find(toy), std::string::npos) << toy;
  }
  const std::string analysis = folder.read("analysis.md");
  EXPECT_NE(analysis.find("## Lanes that execute an instruction &lt;b>[here\\](http&#58;//toys)\n"),
            std::string::npos)
      << "texts of a plug-in make no tag and no link: " << analysis;
  EXPECT_NE(folder.read("energy.csv").find("toy-dispatch"), std::string::npos)
      << "no energy of the toy's entry";
}

TEST(Extend, ATechniqueAddsAStageThatTheProjectDoesNotKnow) {
  const Folder folder;
  const auto run_with = [&](const std::string& stage) {
    folder.write("t.json", R"({"description": "d", "stages": [")" + stage + R"("]})");
    return run_program({"run", "--launch", source("testbench/kernels/reduction/small.json"), "--gpu",
                        "fermi-gtx480", "--set", "gpu.sms=1", "--with", "virtualization", "--with",
                        "./t.json", "--with", "register-cache", "--check", "on", "--json"},
                       folder.path());
  };
  const ProgramResult done = run_with("toy-counter");
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string stages =
      done.out.substr(done.out.find("\"stages\": [", done.out.find("architected_entries")));
  EXPECT_LT(stages.find("register-cache"), stages.find("toy-counter"));
  EXPECT_LT(stages.find("toy-counter"), stages.find("renaming"));
  EXPECT_NE(run_with("toy-reserving").err.find("\"toy-reserving\" does not say where it stands"),
            std::string::npos);
}

// Returns the total of a counter ("owner,name" without the SM) in stats.csv, whose columns are owner, name,
// unit, description, total, ...
std::uint64_t total(const std::string& stats, const std::string& counter) {
  const std::size_t line = stats.find("sm0." + counter + ",");
  if (line == std::string::npos) {
    ADD_FAILURE() << "no counter " << counter;
    return 0;
  }
  std::size_t at = line;
  bool quoted = false;
  for (int commas = 0; commas < 4; ++at) {
    if (stats[at] == '"') quoted = !quoted;
    if (stats[at] == ',' && !quoted) ++commas;
  }
  return std::stoull(stats.substr(at));
}

std::string run_kernel(const std::string& kernel, const std::vector<std::string>& sets) {
  const Folder folder;
  std::vector<std::string> arguments = {
      "run",       "--launch",     source("testbench/kernels/" + kernel + "/small.json"),
      "--gpu",     "fermi-gtx480", "--set",
      "gpu.sms=1", "--check",      "on",
      "--out",     folder.path()};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const ProgramResult r = run_program(arguments, ".");
  EXPECT_EQ(r.status, 0) << kernel << r.err;
  return r.status == 0 ? folder.read("stats.csv") : "";
}

// Metadata words at the start of every block and between instructions must not change the results or the
// number of issued instructions. With a front-end stage that stores metadata words, fewer of these words must
// be decoded.
TEST(Extend, MetadataIsFetchedAndHeardAndNeverIssued) {
  for (const char* kernel : {"vector_add", "nw", "scan", "hotspot"}) {
    SCOPED_TRACE(kernel);
    const std::string passes = R"(compiler.passes=["fold-parameters", {"type": "toy-scatter", "every": 2}])";
    const std::string plain = run_kernel(kernel, {R"(compiler.passes=["fold-parameters"])"});
    const std::string heard =
        run_kernel(kernel, {passes, R"(gpu.sm.front_end.stages=[{"type": "toy-echo", "entries": 0}])"});
    const std::string held =
        run_kernel(kernel, {passes, R"(gpu.sm.front_end.stages=[{"type": "toy-echo", "entries": 64}])"});
    if (plain.empty() || heard.empty() || held.empty()) continue;
    EXPECT_EQ(total(plain, "front_end,metadata_decodes"), 0u);
    EXPECT_GT(total(heard, "front_end,metadata_decodes"), 0u);
    EXPECT_EQ(total(heard, "front_end,metadata_decodes"), total(heard, "front_end.toy-echo,heard"));
    EXPECT_EQ(total(heard, "issue,issued"), total(plain, "issue,issued"));
    EXPECT_GT(total(held, "front_end,metadata_passed") + total(held, "front_end,metadata_undecoded"), 0u);
    EXPECT_EQ(total(held, "front_end,metadata_passed") + total(held, "front_end,metadata_undecoded"),
              total(held, "front_end.toy-echo,held"));
    EXPECT_LT(total(held, "front_end,metadata_decodes"), total(heard, "front_end,metadata_decodes"));
  }
}

TEST(Extend, ALastingConstraintRunsUnderTwoLevelScheduling) {
  for (const int active : {1, 2, 8})
    for (const char* kernel : {"scan", "hotspot", "reduction"}) {
      SCOPED_TRACE(kernel);
      const std::string stats = run_kernel(
          kernel,
          {R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","toy-single-file"])",
           R"(gpu.sm.scheduler={"type": "two-level", "active_warps": )" + std::to_string(active) + "}"});
      if (stats.empty()) continue;
      EXPECT_NE(stats.find("idle_single-file"), std::string::npos) << "its reason has no counter";
    }
}

TEST(Extend, AConstraintReceivesPairsWithTheirSecondInstruction) {
  for (const char* kernel : {"scan", "hotspot", "nw"}) {
    SCOPED_TRACE(kernel);
    const std::string stats = run_kernel(
        kernel, {R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","toy-single-file"])",
                 "gpu.sm.issue_width=2"});
    EXPECT_NE(stats, "");
  }
}

TEST(Extend, AnOperandStageRunsInThePlaceOfCollectors) {
  for (const char* kernel : {"scan", "hotspot", "reduction", "bfs"}) {
    SCOPED_TRACE(kernel);
    const std::string stats =
        run_kernel(kernel, {R"(gpu.sm.register_file.operands={"type":"toy-one-by-one","places":3})"});
    if (stats.empty()) continue;
    EXPECT_EQ(stats.find("collectors,allocated"), std::string::npos);
    EXPECT_GT(total(stats, "partition0.toy_one_by_one,taken"), 0u);
    EXPECT_EQ(total(stats, "partition0,register_port.reads"), total(stats, "issue,source_words"));
  }
}

// The log of --pipeline must work with an operand stage of a plug-in, because it needs only events of
// instructions (life events) and probe points.
TEST(Extend, ALogOfThePipelineHasThePlugInsInstructions) {
  const Folder folder;
  const ProgramResult run = run_program(
      {"run", "--launch", source("testbench/kernels/reduction/small.json"), "--gpu", "fermi-gtx480", "--set",
       "gpu.sms=1", "--set", R"(gpu.sm.register_file.operands={"type":"toy-one-by-one","places":3})", "--set",
       R"(gpu.sm.register_file.stages=["toy-counter","banks"])", "--pipeline", "p.kanata", "--out", "out"},
      folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string stats = folder.read("out/stats.csv"), log = folder.read("p.kanata");
  const auto count = [&log](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = log.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("\nI\t"), total(stats, "issue,issued"));
  EXPECT_EQ(count("\t0\tX\n") + count("\t0\tXm\n"), total(stats, "partition0.toy_one_by_one,taken"));
  EXPECT_EQ(count(" from banks: "), total(stats, "partition0,register_port.reads"));
  EXPECT_EQ(count(" from toy_counter"), 0u) << "the stage passes every read";
}

TEST(Extend, KernelsRunOnRegistersThatMove) {
  for (const char* kernel : {"vector_add", "nw", "scan", "hotspot", "reduction", "bitonic_sort", "gaussian",
                             "histogram", "lud", "matrix_mul", "pathfinder", "srad", "bfs"}) {
    SCOPED_TRACE(kernel);
    const std::string stats = run_kernel(kernel, {R"(gpu.sm.register_file.stages=["toy-rotating","banks"])"});
    if (stats.empty()) continue;
    EXPECT_GT(total(stats, "partition0.toy_rotating,moves"), 0u);
  }
}

TEST(Extend, KernelsRunWithTwoPlacesForResults) {
  for (const char* kernel : {"scan", "hotspot", "reduction", "nw"}) {
    SCOPED_TRACE(kernel);
    const std::string stats =
        run_kernel(kernel, {R"(gpu.sm.register_file.stages=[{"type":"toy-reserving","places":2},"banks"])"});
    if (stats.empty()) continue;
    EXPECT_GT(total(stats, "partition0.toy_reserving,waits"), 0u);
  }
}

TEST(Extend, KernelsRunOnRowsThatSleepAndShortEntries) {
  for (const char* kernel : {"scan", "hotspot", "reduction", "nw"}) {
    SCOPED_TRACE(kernel);
    const std::string stats = run_kernel(kernel, {R"(gpu.sm.register_file.banks.format="toy-short")",
                                                  R"(gpu.sm.register_file.banks.power="toy-drowsy")"});
    if (stats.empty()) continue;
    EXPECT_GT(total(stats, "partition0.banks,wake_ups"), 0u);
  }
}

// A register stage with its own power domains must run under every gating policy that can serve it. The
// states of its four domains must add up to the cycles of the run, including those after the last CTA.
TEST(Extend, KernelsRunBehindShuttersThatSleep) {
  for (const char* policy : {"none", "conventional", "naive-blackout"})
    for (const char* kernel : {"scan", "hotspot", "reduction", "vector_add"}) {
      SCOPED_TRACE(std::string(policy) + " " + kernel);
      const std::string stats =
          run_kernel(kernel, {R"(gpu.sm.register_file.stages=[{"type":"toy-shutters","gating":{"policy":")" +
                              std::string(policy) + R"("}},"banks"])"});
      if (stats.empty()) continue;
      const std::string shutters = "partition0.toy_shutters.shutters,";
      const std::uint64_t sum =
          total(stats, shutters + "on_cycles") + total(stats, shutters + "uncompensated_cycles") +
          total(stats, shutters + "compensated_cycles") + total(stats, shutters + "wake_up_cycles");
      const std::uint64_t run = 4 * total(stats, "partition0.gating.int0,on_cycles");
      EXPECT_GE(sum, run);
      EXPECT_LE(sum, run + run / 100);
      EXPECT_EQ(total(stats, shutters + "sleeps") > 0, policy != std::string("none"));
    }
}

// A register stage subscribes only to results. It must receive every result word before the word is written.
// It must receive no source operands, unless another module subscribes to source operands. Responses to reads
// must bypass the stage.
TEST(Extend, ResultsAreAnnouncedAndAnswersPassBy) {
  const auto stages = [](const std::string& answers, const std::string& below) {
    return R"(gpu.sm.register_file.stages=[{"type":"toy-results","answers":)" + answers + "}," + below +
           R"("banks"])";
  };
  const std::string toy = "partition0.toy_results,";
  for (const char* kernel : {"scan", "hotspot", "reduction"}) {
    SCOPED_TRACE(kernel);
    const std::string alone = run_kernel(kernel, {stages("false", "")});
    const std::string told = run_kernel(kernel, {stages("true", R"("toy-reserving",)")});
    if (alone.empty() || told.empty()) continue;
    for (const std::string& stats : {alone, told}) {
      EXPECT_EQ(total(stats, toy + "announced"), total(stats, "issue,result_words"));
      EXPECT_EQ(total(stats, toy + "unannounced"), 0u);
    }
    EXPECT_EQ(total(alone, toy + "sources"), 0u);
    EXPECT_EQ(total(told, toy + "sources"), total(told, "issue,source_words"));
    EXPECT_EQ(total(alone, toy + "answers"), 0u);
    EXPECT_EQ(total(told, toy + "answers"), total(told, "partition0,register_port.reads"));
    EXPECT_GT(total(told, toy + "answers"), 0u);
  }
}

TEST(Extend, InstructionsThatNothingWasSaidOfNeedNotBeHeard) {
  const auto run = [](const std::string& follows) {
    return run_kernel("scan",
                      {R"(compiler.passes=["fold-parameters", {"type": "toy-scatter", "every": 2}])",
                       R"(gpu.sm.front_end.stages=[{"type":"toy-next-only","follows":)" + follows + "}]"});
  };
  const std::string toy = "front_end.toy-next-only,", all = run("true"), some = run("false");
  ASSERT_FALSE(all.empty() || some.empty());
  EXPECT_GT(total(all, toy + "others"), 0u);
  EXPECT_EQ(total(all, toy + "words") + total(all, toy + "spoken_of") + total(all, toy + "others"),
            total(all, "front_end,decodes"));
  EXPECT_EQ(total(some, toy + "others"), 0u);
  EXPECT_GT(total(some, toy + "spoken_of"), 0u);
  for (const char* counter : {"words", "spoken_of"})
    EXPECT_EQ(total(some, toy + counter), total(all, toy + counter)) << counter;
}

// An issue constraint that subscribes to register claims (rights of warps to entries that are not allocated
// yet) must receive them. Without a subscriber, all registers must count as unclaimed.
TEST(Extend, ClaimsAreFollowedIfTheyHaveASubscriber) {
  const auto run = [](const std::string& follows) {
    return run_kernel("scan",
                      {R"(gpu.sm.register_file.stages=[{"type":"renaming","bank_full":"next-bank"},"banks"])",
                       R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated",)"
                       R"({"type":"toy-reserve","reserve":900,"follows":)" +
                           follows + "}]"});
  };
  const std::string followed = run("true"), not_followed = run("false");
  ASSERT_FALSE(followed.empty() || not_followed.empty());
  EXPECT_GT(total(followed, "issue.scheduler0,idle_reserve"), 0u);
  EXPECT_EQ(total(not_followed, "issue.scheduler0,idle_reserve"), 0u);
}

// The decision of a constraint or of WarpResidency may change in a later cycle. The SM must wake in that
// later cycle.
TEST(Extend, AnswersThatChangeByTimeWakeTheSm) {
  const struct {
    const char *toy, *counter;
  } cases[] = {{R"({"type":"toy-tides","cycles":37})", "issue.scheduler0,idle_low-tide"},
               {R"({"type":"toy-naps","cycles":150})", "issue.scheduler1,idle_nap"}};
  for (const auto& [toy, counter] : cases)
    for (const char* kernel : {"scan", "reduction", "hotspot"}) {
      SCOPED_TRACE(std::string(toy) + " " + kernel);
      const std::string constraints =
          R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated",)" + std::string(toy) + "]";
      const std::string slept = run_kernel(kernel, {constraints});
      const std::string ticked = run_kernel(kernel, {constraints, "watch.every_cycle=true"});
      EXPECT_GT(total(slept, counter), 0u);
      EXPECT_EQ(slept, ticked);
    }
}

// A pass attaches notes to instructions. They must stay with their instructions while a later pass adds
// metadata, and a register stage must be able to read them.
TEST(GuestSeams, HardwareReadsTheNotesOfAPass) {
  const std::string stages = R"(gpu.sm.register_file.stages=["toy-painter","banks"])";
  const std::string painter = "partition0.toy_painter,";
  for (const char* kernel : {"scan", "hotspot", "nw"}) {
    SCOPED_TRACE(kernel);
    const auto run = [&](const std::string& passes) {
      return run_kernel(kernel, {stages, R"(compiler.passes=["fold-parameters")" + passes + "]"});
    };
    const std::string plain = run(""), noted = run(R"(,"toy-colours")");
    const std::string scattered = run(R"(,"toy-colours",{"type":"toy-scatter","every":2})");
    if (plain.empty() || noted.empty() || scattered.empty()) continue;
    EXPECT_EQ(total(plain, painter + "weight"), 0u);
    EXPECT_GT(total(noted, painter + "weight"), total(noted, "issue,issued"));
    EXPECT_GT(total(noted, painter + "entries"), 0u);
    EXPECT_EQ(total(noted, painter + "plain"), 0u);
    for (const char* counter : {"weight", "entries", "colour0", "colour1", "colour2"})
      EXPECT_EQ(total(noted, painter + counter), total(scattered, painter + counter)) << counter;
  }
}

TEST(GuestSeams, ListingAndJsonShowNotes) {
  const std::vector<std::string> compile = {"compile", source("testbench/kernels/saxpy/kernel.ptx"),
                                            "--passes", "toy-colours"};
  const ProgramResult listing = run_program(compile, ".");
  ASSERT_EQ(listing.status, 0) << listing.err;
  for (const char* part :
       {"  notes: toy-colours=3\n", "  interval: toy-block=0\n", "toy-weight=", "d0 toy-colour="})
    EXPECT_NE(listing.out.find(part), std::string::npos) << part << listing.out;
  std::vector<std::string> json = compile;
  json.push_back("--json");
  const ProgramResult text = run_program(json, ".");
  ASSERT_EQ(text.status, 0) << text.err;
  std::string flat = text.out;
  std::erase_if(flat, [](char c) { return c == ' ' || c == '\n'; });
  for (const char* part :
       {R"("toy-colours":["0x3"])", R"("toy-block":["0x0"])", R"("operands":{"d0":{"toy-colour":[)"})
    EXPECT_NE(flat.find(part), std::string::npos) << part << text.out;
}

// A register stage keeps single warps from issuing. Idle issue slots must be counted under the stage's own
// stall reason. Only the warps that the stage keeps from issuing may wait.
TEST(GuestSeams, AStageHoldsSingleWarps) {
  const auto stages = [](const char* lasts) {
    return R"(gpu.sm.register_file.stages=[{"type":"toy-tollgate","cycles":9,"lasts":)" + std::string(lasts) +
           R"(},"banks"])";
  };
  const std::string gate = "partition0.toy_tollgate,";
  for (const char* kernel : {"scan", "hotspot", "reduction"})
    for (const char* more :
         {"gpu.sm.issue_width=2", R"(gpu.sm.scheduler={"type":"two-level","active_warps":2})",
          "watch.every_cycle=true"})
      for (const char* lasts : {"true", "false"}) {
        SCOPED_TRACE(std::string(kernel) + " " + more + " " + lasts);
        const std::string stats = run_kernel(kernel, {stages(lasts), more});
        if (stats.empty()) continue;
        EXPECT_GT(total(stats, "issue.scheduler0,idle_toll"), 0u);
        EXPECT_GT(total(stats, gate + "due"), 0u);
        EXPECT_EQ(total(stats, gate + "due"), total(stats, gate + "paid"));
      }
}

TEST(Extend, ToysAreListedWithTheirParameters) {
  const ProgramResult r = run_program({"list"}, ".");
  ASSERT_EQ(r.status, 0) << r.err;
  for (const std::string& toy : kToys) EXPECT_NE(r.out.find(toy), std::string::npos) << toy;
}

TEST(Extend, ThePlainProgramDoesNotKnowThem) {
  const ProgramResult list = plain_program({"list"});
  for (const std::string& toy : kToys) EXPECT_EQ(list.out.find(toy), std::string::npos) << toy;
  const Folder folder;
  const ProgramResult run = plain_program({"run", source("tests/extend/toys.json"), "--out", folder.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("toy-"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace heddle::test
