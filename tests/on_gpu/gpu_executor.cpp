#include "tests/on_gpu/gpu_executor.h"

#include <algorithm>
#include <cstring>

#include "models/isa/address_map.h"
#include "models/isa/texture.h"

namespace heddle::on_gpu {

namespace {

bool is_buffer(const MemoryImage::Allocation& allocation) { return allocation.base >= isa::kBuffers; }

const MemoryImage::Allocation* covering(const MemoryImage& memory, std::uint64_t address) {
  for (const auto& allocation : memory.allocations()) {
    if (address >= allocation->base && address - allocation->base <= allocation->bytes)
      return allocation.get();
  }
  return nullptr;
}

}  // namespace

GpuExecutor::GpuExecutor(const Driver& gpu, const std::vector<std::string>& ptx,
                         const std::vector<isa::ModuleVariable>& variables)
    : gpu_(gpu), textures_(gpu) {
  for (const std::string& text : ptx) modules_.push_back(gpu_.load(text));
  for (const isa::ModuleVariable& variable : variables) {
    for (CUmodule module : modules_) {
      if (textures_.add_reference(module, variable)) break;
      CUdeviceptr address = 0;
      std::size_t bytes = 0;
      if (gpu_.cuModuleGetGlobal(&address, &bytes, module, variable.name.c_str()) != CUDA_SUCCESS) continue;
      if (bytes != variable.bytes) continue;
      Variable known{address, variable.initial, std::vector<std::uint8_t>(bytes)};
      known.here.resize(bytes);
      HEDDLE_GPU_CALL(gpu_, cuMemcpyDtoH, static_cast<void*>(known.there.data()), address, bytes);
      variables_.emplace(variable.name, std::move(known));
      break;
    }
  }
}

GpuExecutor::~GpuExecutor() {
  for (CUmodule module : modules_) gpu_.cuModuleUnload(module);
}

void GpuExecutor::launch(const isa::KernelLaunch& launch, MemoryImage& memory) {
  const CUfunction function = function_of(launch.program->kernel);
  const auto& code = launch.program->code;
  fetches_in_memory_ = std::any_of(code.begin(), code.end(), [](const isa::Instruction& i) {
    return i.texture.shape == isa::TextureShape::d1 && i.source_type != isa::DataType::f32;
  });
  send(memory);
  std::vector<std::uint8_t> block = translated(launch, memory);
  std::vector<void*> parameters;
  for (const isa::KernelParameter& parameter : launch.program->parameters)
    parameters.push_back(block.data() + parameter.offset);
  if (launch.dynamic_shared_bytes > 0)
    HEDDLE_GPU_CALL(gpu_, cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                    static_cast<int>(launch.dynamic_shared_bytes));
  const auto& [grid, cta] = std::pair{launch.grid, launch.block};
  if (launch.cooperative)
    HEDDLE_GPU_CALL(gpu_, cuLaunchCooperativeKernel, function, grid.x, grid.y, grid.z, cta.x, cta.y, cta.z,
                    launch.dynamic_shared_bytes, CUstream{}, parameters.data());
  else
    HEDDLE_GPU_CALL(gpu_, cuLaunchKernel, function, grid.x, grid.y, grid.z, cta.x, cta.y, cta.z,
                    launch.dynamic_shared_bytes, CUstream{}, parameters.data(), static_cast<void**>(nullptr));
  HEDDLE_GPU_CALL(gpu_, cuCtxSynchronize);
  fetch(memory);
  textures_.fetch(memory);
}

void GpuExecutor::send(const MemoryImage& memory) {
  for (const auto& allocation : memory.allocations()) {
    if (is_buffer(*allocation)) {
      const auto place = buffers_.try_emplace(allocation->base, gpu_, allocation->bytes).first;
      place->second.fill(allocation->data);
    } else if (const auto known = variables_.find(allocation->name); known != variables_.end()) {
      send_variable(known->second, allocation->data);
    }
  }
  textures_.send_references(memory,
                            [this, &memory](const isa::TextureHeader& h) { return linear_place(h, memory); });
}

CUdeviceptr GpuExecutor::linear_place(const isa::TextureHeader& header, const MemoryImage& memory) {
  const bool linear = fetches_in_memory_ && header.kind == isa::HeaderKind::texture &&
                      static_cast<isa::TextureShape>(header.shape) == isa::TextureShape::d1;
  return linear ? translated(header.base, memory) : 0;
}

// Sends a module variable to the GPU only if Heddle has changed the variable's contents since the last
// transfer. A variable may contain the address of a function. This address is different on the GPU and in
// Heddle. Therefore an unchanged variable keeps the contents that it has on the GPU.
void GpuExecutor::send_variable(Variable& variable, std::span<const std::uint8_t> data) {
  if (std::ranges::equal(data, variable.here)) return;
  variable.here.assign(data.begin(), data.end());
  variable.there = variable.here;
  HEDDLE_GPU_CALL(gpu_, cuMemcpyHtoD, variable.address, static_cast<const void*>(data.data()), data.size());
}

void GpuExecutor::fetch(MemoryImage& memory) {
  for (const auto& allocation : memory.allocations()) {
    if (is_buffer(*allocation))
      buffers_.at(allocation->base).read(allocation->data);
    else if (const auto known = variables_.find(allocation->name); known != variables_.end())
      fetch_variable(known->second, allocation->data);
  }
}

void GpuExecutor::fetch_variable(Variable& variable, std::span<std::uint8_t> data) {
  std::vector<std::uint8_t> now(variable.there.size());
  HEDDLE_GPU_CALL(gpu_, cuMemcpyDtoH, static_cast<void*>(now.data()), variable.address, now.size());
  if (now == variable.there) return;
  std::ranges::copy(now, data.begin());
  variable.here = variable.there = now;
}

std::vector<std::uint8_t> GpuExecutor::translated(const isa::KernelLaunch& launch,
                                                  const MemoryImage& memory) {
  std::vector<std::uint8_t> block = launch.parameters;
  block.resize(std::max<std::size_t>(block.size(), launch.program->parameter_bytes) + sizeof(std::uint64_t));
  for (const isa::KernelParameter& parameter : launch.program->parameters) {
    if (parameter.align < sizeof(std::uint64_t) && parameter.bytes < sizeof(std::uint64_t)) continue;
    for (std::uint32_t at = 0; at + sizeof(std::uint64_t) <= parameter.bytes; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + parameter.offset + at, sizeof word);
      word = translated(word, memory);
      std::memcpy(block.data() + parameter.offset + at, &word, sizeof word);
    }
  }
  return block;
}

std::uint64_t GpuExecutor::translated(std::uint64_t word, const MemoryImage& memory) {
  const MemoryImage::Allocation* const allocation = covering(memory, word);
  if (!allocation) return word;
  const std::uint64_t offset = word - allocation->base;
  if (is_buffer(*allocation)) return buffers_.at(allocation->base).address() + offset;
  if (const auto known = variables_.find(allocation->name); known != variables_.end())
    return known->second.address + offset;
  isa::TextureHeader header;
  if (offset + sizeof header > allocation->bytes) return word;
  std::memcpy(&header, allocation->data.data() + offset, sizeof header);
  return textures_.object_of(header, memory, linear_place(header, memory)).value_or(word);
}

CUfunction GpuExecutor::function_of(const std::string& kernel) const {
  for (CUmodule module : modules_) {
    CUfunction function = nullptr;
    if (gpu_.cuModuleGetFunction(&function, module, kernel.c_str()) == CUDA_SUCCESS) return function;
  }
  throw GpuError("the modules have no kernel " + kernel);
}

}  // namespace heddle::on_gpu
