#pragma once

// Runs an experiment as Slurm jobs: an array of shares, then one job that collects.

#include <string>
#include <vector>

namespace heddle::experiment {

struct SlurmRequest {
  std::string folder;  ///< folder of the results; scripts are written into its subfolder "slurm"
  std::string name;    ///< name of the jobs
  std::vector<std::string> command;  ///< heddle experiment ..., without --shard and --collect
  std::vector<int> shards;           ///< shares with runs to make, from 1
  int of = 1;                        ///< number of shares
  std::string options;               ///< options of sbatch, such as "--partition=long --time=60"
};

struct SlurmJobs {
  std::string runs, collect;  ///< numbers that Slurm gave the two jobs
};

/// Writes the scripts. Returns their paths: the script of the array, then that of the collecting job.
std::vector<std::string> write_slurm_scripts(const SlurmRequest& request);
/// Writes the scripts and submits them. Throws Error with sbatch's message, or if sbatch is missing.
SlurmJobs submit_to_slurm(const SlurmRequest& request);

}  // namespace heddle::experiment
