#pragma once

// heddle compile --survey: which kernels of a folder of PTX compile, and what the others need that Heddle has not.

#include <cstddef>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::cli {

struct Survey {
  struct Reason {
    std::string text;         ///< what is missing, or what is wrong
    std::size_t kernels = 0;  ///< of which this is the first thing met
    std::string example;      ///< file:line, the first in the order of files
  };
  struct Unread {
    std::string file, error;
  };
  std::string folder;
  std::size_t files = 0, kernels = 0, compiled = 0;
  std::vector<Reason> reasons;  ///< the most frequent first
  std::vector<Unread> unread;   ///< files that have not the structure of PTX, whose kernels nobody counts
};

/// Compiles every kernel of every *.ptx in and below `folder`, files in the order of their paths. Throws Error for a
/// folder that cannot be read or has no PTX.
Survey survey_folder(const std::string& folder, const compiler::CompilerParameters& parameters);

std::string survey_text(const Survey& survey);
std::string survey_json(const Survey& survey);

}  // namespace heddle::cli
