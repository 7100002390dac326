#pragma once

// Executes an experiment as Slurm jobs: an array of jobs, one per share of the runs, and a job that collects
// the results.

#include <string>
#include <vector>

namespace heddle::experiment {

struct SlurmRequest {
  std::string folder;  ///< folder of the results; scripts are written into its subfolder "slurm"
  std::string name;
  std::vector<std::string> command;  ///< the command `heddle experiment ...` without --shard and --collect
  std::vector<int> shards;           ///< numbers of the shares that have missing runs, from 1
  int of = 1;
  std::string options;  ///< options for sbatch, such as "--partition=long --time=60"
};

struct SlurmJobs {
  std::string runs, collect;  ///< Slurm's numbers of the array of runs and of the collecting job
};

/// Writes the scripts and returns their paths: the script of the array of jobs, then that of the collecting
/// job.
std::vector<std::string> write_slurm_scripts(const SlurmRequest& request);
/// Writes the scripts and submits them. Throws Error with sbatch's message, or if sbatch is missing.
SlurmJobs submit_to_slurm(const SlurmRequest& request);

}  // namespace heddle::experiment
