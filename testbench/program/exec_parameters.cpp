#include "testbench/program/exec_parameters.h"

#include "testbench/run/new_file.h"

namespace heddle::program {

void write_exec_parameters(ExecParameters parameters, const std::string& file) {
  run::write_text(file, to_json(dump_fields(parameters)));
}

ExecParameters read_exec_parameters(const std::string& file) {
  ExecParameters parameters;
  read_fields(parse_config_file(file), parameters);
  return parameters;
}

}  // namespace heddle::program
