#include "testbench/pack/packed_run.h"

#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "testbench/pack/opened_pack.h"

namespace heddle::pack {

comparison::ComparedRun read_run(const std::string& file) {
  if (!is_pack(file)) return comparison::read_compared_run(file);
  const auto pack = std::make_shared<OpenedPack>(file);
  if (pack->list().kind == Kind::experiment)
    throw Error(file, "this is the pack of an experiment", "the pack of a run or a program");
  const std::string result = pack->result();
  comparison::ComparedRun run = comparison::compared_run(
      file, parse_config_file(result), std::filesystem::path(result).parent_path().string(), file);
  run.file = file;
  run.stored = result;
  run.launch = pack->shown(run.launch);
  run.files = pack;
  return run;
}

}  // namespace heddle::pack
