#pragma once

// heddle compile --survey: compiles all kernels of the PTX files in a folder. Counts each reason why a kernel
// cannot be compiled.

#include <cstddef>
#include <string>
#include <vector>

#include "models/compiler/pipeline.h"

namespace heddle::cli {

struct Survey {
  struct Reason {
    std::string text;
    std::size_t kernels = 0;
    std::string example;
  };
  struct Unread {
    std::string file, error;
  };
  std::string folder;
  std::size_t files = 0, kernels = 0, compiled = 0;
  std::vector<Reason> reasons;
  std::vector<Unread> unread;
};

/// Compiles every kernel of every *.ptx in and below `folder`, in the order of the paths. Throws Error if the
/// folder cannot be read or has no PTX.
Survey survey_folder(const std::string& folder, const compiler::CompilerParameters& parameters);

std::string survey_text(const Survey& survey);
std::string survey_json(const Survey& survey);

}  // namespace heddle::cli
