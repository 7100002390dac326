#include "tests/output/observed_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/output/counter_view.h"
#include "testbench/output/run_totals.h"
#include "testbench/run/scenario.h"

namespace heddle::output {

ObservedRun::ObservedRun(const std::string& kernel, const std::vector<std::string>& settings) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = testing::TempDir() + "heddle_" + test->test_suite_name() + "_" + test->name() + "_" +
            std::to_string(::getpid());
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = "testbench/kernels/" + kernel + "/small.json";
  request.sets = {"gpu.sms=1", "watch.check=off", "output.npy=false"};
  for (const std::string& setting : settings)
    (setting.find('=') == std::string::npos ? request.with : request.sets).push_back(setting);
  run::RunParameters parameters = run::read_scenario(request);
  parameters.output.folder = folder_;
  outputs_ = std::make_unique<RunOutputs>(parameters.output);
  run::RunHooks hooks;
  hooks.on_built = [this](Gpu&) { outputs_->attach(*session_); };
  hooks.on_launch = [this](const isa::KernelLaunch& launch) { outputs_->launch_begins(launch); };
  hooks.on_launch_end = [this](const run::LaunchRecord& record) { outputs_->launch_ended(record); };
  hooks.on_interval = [this](Cycle cycle) { outputs_->interval(cycle); };
  session_ = std::make_unique<run::RunSession>(parameters, hooks);
  session_->run();
  outputs_->finish(*session_);
}

ObservedRun::~ObservedRun() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

bool ObservedRun::has(const std::string& name) const { return std::filesystem::exists(file(name)); }

std::string ObservedRun::text(const std::string& name) const {
  std::ifstream in(file(name), std::ios::binary);
  EXPECT_TRUE(in) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::uint64_t ObservedRun::counter(const std::string& name) const {
  return CounterView(session_->stats(), total_counters(*session_)).sum(name);
}

std::vector<std::map<std::string, std::string>> read_csv(const std::string& text) {
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> names, fields(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c == '\n' && !quoted) {
      if (names.empty()) {
        names = fields;
      } else {
        EXPECT_EQ(fields.size(), names.size());
        std::map<std::string, std::string>& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) row[names[i]] = fields[i];
      }
      fields.assign(1, "");
    } else {
      fields.back() += c;
    }
  }
  return rows;
}

std::uint64_t sum_of(const std::vector<std::map<std::string, std::string>>& rows, const std::string& column) {
  std::uint64_t sum = 0;
  for (const auto& row : rows) sum += std::stoull(row.at(column));
  return sum;
}

}  // namespace heddle::output
