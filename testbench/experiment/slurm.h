#pragma once

// An experiment as jobs of Slurm: an array of shares, and one job after it that collects.

#include <string>
#include <vector>

namespace heddle::experiment {

struct SlurmRequest {
  std::string folder;                ///< of the results; the scripts go to its folder "slurm"
  std::string name;                  ///< of the jobs
  std::vector<std::string> command;  ///< heddle experiment ..., without --shard and --collect
  std::vector<int> shards;           ///< the shares that have something to do, from 1
  int of = 1;                        ///< shares in all
  std::string options;               ///< for sbatch, as "--partition=long --time=60"
};

struct SlurmJobs {
  std::string runs, collect;  ///< numbers of the jobs
};

/// Writes the scripts. Returns their paths: the array's, then the one that collects.
std::vector<std::string> write_slurm_scripts(const SlurmRequest& request);
/// Writes and submits. Throws Error with what sbatch says, or if there is none.
SlurmJobs submit_to_slurm(const SlurmRequest& request);

}  // namespace heddle::experiment
