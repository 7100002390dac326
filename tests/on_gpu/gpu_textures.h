#pragma once

// Creates textures and surfaces on the GPU from Heddle's headers (models/isa/texture.h). Before a launch,
// texels are copied into CUDA arrays; after it, texels of surfaces are copied back.

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

  /// Returns the GPU object for a texture or surface header, or nothing if the bytes are no header. `linear`:
  /// GPU address of the texels for look-ups in one dimension with integer coordinates, or 0.
  std::optional<std::uint64_t> object_of(const isa::TextureHeader& header, const MemoryImage& memory,
                                         CUdeviceptr linear);

  /// Adds a variable of the module to the texture references for send_references(). Returns false if the
  /// variable is no texture reference.
  bool add_reference(CUmodule module, const isa::ModuleVariable& variable);
  /// Sends all texture references. `linear(header)` must return the argument `linear` of object_of() for this
  /// texture.
  void send_references(const MemoryImage& memory,
                       const std::function<CUdeviceptr(const isa::TextureHeader&)>& linear);

  /// Copies the texels of surfaces back to `memory` and destroys all GPU objects.
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
