#pragma once

// Executes an experiment as Slurm jobs: an array with one job per share of the runs, and a job that collects
// the results.

#include <string>
#include <vector>

namespace heddle::experiment {

struct SlurmRequest {
  std::string folder;
  std::string name;
  std::vector<std::string> command;  ///< the command `heddle experiment ...` without --shard and --collect
  std::vector<int> shards;           ///< shares with missing runs, from 1
  int of = 1;
  std::string options;
};

struct SlurmJobs {
  std::string runs, collect;  ///< Slurm's numbers of the array of runs and of the collecting job
};

/// Returns the paths of the array's script and the collecting job's script.
std::vector<std::string> write_slurm_scripts(const SlurmRequest& request);
/// Writes the scripts and submits them. Throws Error with sbatch's message, or if sbatch is missing.
SlurmJobs submit_to_slurm(const SlurmRequest& request);

}  // namespace heddle::experiment
