#pragma once

// Makes textures and surfaces of the GPU from Heddle's headers (models/isa/texture.h). Texels become arrays
// before a launch; after it, texels that a kernel wrote to a surface are copied back.

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

  /// Returns the object for the texture or surface of a header, or nothing if it is no header. `linear` is
  /// the address of the texels in the GPU's memory, or 0; the GPU needs it for look-ups in one dimension by
  /// whole coordinates.
  std::optional<std::uint64_t> object_of(const isa::TextureHeader& header, const MemoryImage& memory,
                                         CUdeviceptr linear);

  /// Remembers a variable that is a texture reference of the module. Returns false if it is none.
  bool add_reference(CUmodule module, const isa::ModuleVariable& variable);
  /// Binds references by their headers in `memory`. `linear` receives the addresses of texels.
  void send_references(const MemoryImage& memory,
                       const std::function<CUdeviceptr(const isa::TextureHeader&)>& linear);

  /// After a launch, copies texels of surfaces back to `memory` and destroys all objects.
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
