#include "testbench/program/exec_parameters.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"

namespace heddle::program {

void write_exec_parameters(ExecParameters parameters, const std::string& file) {
  launch::write_text(file, to_json(dump_fields(parameters)));
}

ExecParameters read_exec_parameters(const std::string& file) {
  ExecParameters parameters;
  read_fields(parse_config_file(file), parameters);
  return parameters;
}

std::string rows_file(const std::string& work, unsigned process) {
  return fmt::format("{}/launches-{}.jsonl", work, process);
}

void claim_process(ExecParameters& parameters) {
  constexpr mode_t kOwn = 0600;
  for (unsigned process = 0;; ++process) {
    const std::string file = rows_file(parameters.work, process);
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwn);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) throw Error(file, fmt::format("cannot write this file: {}", std::strerror(errno)));
    ::close(descriptor);
    parameters.process = process;
    if (process == 0) return;
    parameters.view.file.clear();
    for (std::string* const folder : {&parameters.capture, &parameters.waves})
      if (!folder->empty()) *folder += fmt::format("/process-{}", process);
    return;
  }
}

}  // namespace heddle::program
