#pragma once

// heddle compile --survey: compiles all kernels in a folder of PTX files and counts why kernels cannot be
// compiled.

#include <cstddef>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::cli {

struct Survey {
  struct Reason {
    std::string text;         ///< reason: the feature that Heddle does not support, or the error in the PTX
    std::size_t kernels = 0;  ///< number of kernels whose first error has this reason
    std::string example;      ///< "file:line" of the first such kernel, in the order of the files
  };
  struct Unread {
    std::string file, error;
  };
  std::string folder;
  std::size_t files = 0, kernels = 0, compiled = 0;
  std::vector<Reason> reasons;  ///< reasons why kernels cannot be compiled, the most frequent first
  std::vector<Unread> unread;   ///< files that are not PTX; their kernels are not counted
};

/// Compiles every kernel of every *.ptx in and below `folder`, with the files in the order of their paths.
/// Throws Error if the folder cannot be read or has no PTX.
Survey survey_folder(const std::string& folder, const compiler::CompilerParameters& parameters);

std::string survey_text(const Survey& survey);
std::string survey_json(const Survey& survey);

}  // namespace heddle::cli
