#pragma once

// Creates textures and surfaces of the GPU from Heddle's texture headers (models/isa/texture.h). Before a
// launch, texels are copied into CUDA arrays. After the launch, texels that the kernel wrote to a surface are
// copied back.

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

  /// Returns the GPU object for the texture or surface whose header is given, or nothing if the bytes are not
  /// a header. `linear`: GPU address of the texels, or 0. The GPU needs this address for look-ups in one
  /// dimension with integer coordinates.
  std::optional<std::uint64_t> object_of(const isa::TextureHeader& header, const MemoryImage& memory,
                                         CUdeviceptr linear);

  /// Stores a module variable that is a texture reference. Returns false if the variable is not one.
  bool add_reference(CUmodule module, const isa::ModuleVariable& variable);
  /// Binds the texture references to the headers in `memory`. `linear(header)` returns the GPU address of the
  /// texels, or 0.
  void send_references(const MemoryImage& memory,
                       const std::function<CUdeviceptr(const isa::TextureHeader&)>& linear);

  /// After a launch, copies the texels of surfaces back to `memory` and destroys all GPU objects.
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
