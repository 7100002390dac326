#pragma once

// Textures and surfaces of the GPU, made from Heddle's headers (models/isa/texture.h): their texels become arrays
// before a launch; what a kernel writes into a surface comes back after it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/core/memory_image.h"
#include "models/isa/program.h"
#include "models/isa/texture.h"
#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

class GpuTextures {
 public:
  explicit GpuTextures(const Driver& gpu) : gpu_(gpu) {}
  ~GpuTextures() { release(); }
  GpuTextures(const GpuTextures&) = delete;
  GpuTextures& operator=(const GpuTextures&) = delete;

  /// The object for a header's texture or surface; nothing for what is no header.
  /// `linear`: where its texels lie in the GPU's memory, for look-ups in one dimension by whole coordinates, which
  /// the GPU does there alone; else 0.
  std::optional<std::uint64_t> object_of(const isa::TextureHeader& header, const MemoryImage& memory,
                                         CUdeviceptr linear);

  /// Notes a variable that is a reference of the module; false if it is none.
  bool add_reference(CUmodule module, const isa::ModuleVariable& variable);
  /// Binds references as their headers in `memory` describe; `linear` receives the places of texels.
  void send_references(const MemoryImage& memory,
                       const std::function<CUdeviceptr(const isa::TextureHeader&)>& linear);

  /// After a launch: texels of surfaces go back into `memory`, and all objects end.
  void fetch(MemoryImage& memory);

 private:
  struct Made {
    isa::TextureHeader header;
    CUarray array = nullptr;
    CUtexObject texture = 0;
    CUsurfObject surface = 0;
  };
  struct Reference {
    CUtexref reference = nullptr;
    std::string name;
  };

  CUarray array_of(const isa::TextureHeader& header, const MemoryImage& memory);
  void release();

  const Driver& gpu_;
  std::vector<Made> made_;
  std::vector<Reference> references_;
};

}  // namespace heddle::on_gpu
