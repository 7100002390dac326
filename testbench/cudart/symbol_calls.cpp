// The CUDA calls that copy to and from device variables. The host identifies a variable by the address of its
// symbol.

#include <fmt/format.h>

#include "testbench/cudart/api.h"

namespace heddle::cudart {

HEDDLE_CUDA int cudaMemcpy(void* target, const void* source, std::size_t bytes, int kind);

namespace {

const isa::ModuleVariable& variable(Runtime& r, const void* symbol) {
  const isa::ModuleVariable* const found = r.modules().variable(symbol);
  if (!found) refuse(cudaErrorInvalidSymbol, "a symbol that is no variable of the device");
  return *found;
}

/// Sets `address` to the device address of byte `offset` of a variable.
int part(const char* name, const void* symbol, std::size_t bytes, std::size_t offset, const void* stream,
         void** address) {
  return Runtime::instance().call(name, [&](Runtime& r) {
    r.check_stream(stream);
    const isa::ModuleVariable& v = variable(r, symbol);
    if (offset > v.bytes || bytes > v.bytes - offset)
      refuse(cudaErrorInvalidValue,
             fmt::format("{} bytes at offset {} of {}, which has {}", bytes, offset, v.name, v.bytes));
    *address = pointer_to(v.address + offset);
  });
}

int to_symbol(const char* name, const void* symbol, const void* source, std::size_t bytes, std::size_t offset,
              int kind, const void* stream) {
  void* address = nullptr;
  const int status = part(name, symbol, bytes, offset, stream, &address);
  return status == cudaSuccess ? cudaMemcpy(address, source, bytes, kind) : status;
}

int from_symbol(const char* name, void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                int kind, const void* stream) {
  void* address = nullptr;
  const int status = part(name, symbol, bytes, offset, stream, &address);
  return status == cudaSuccess ? cudaMemcpy(target, address, bytes, kind) : status;
}

}  // namespace

HEDDLE_CUDA int cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t bytes,
                                   std::size_t offset, int kind) {
  return to_symbol(__func__, symbol, source, bytes, offset, kind, nullptr);
}
HEDDLE_CUDA_TWIN(cudaMemcpyToSymbol, ptds)

HEDDLE_CUDA int cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t bytes,
                                        std::size_t offset, int kind, void* stream) {
  return to_symbol(__func__, symbol, source, bytes, offset, kind, stream);
}
HEDDLE_CUDA_TWIN(cudaMemcpyToSymbolAsync, ptsz)

HEDDLE_CUDA int cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                     int kind) {
  return from_symbol(__func__, target, symbol, bytes, offset, kind, nullptr);
}
HEDDLE_CUDA_TWIN(cudaMemcpyFromSymbol, ptds)

HEDDLE_CUDA int cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t bytes,
                                          std::size_t offset, int kind, void* stream) {
  return from_symbol(__func__, target, symbol, bytes, offset, kind, stream);
}
HEDDLE_CUDA_TWIN(cudaMemcpyFromSymbolAsync, ptsz)

HEDDLE_CUDA int cudaGetSymbolAddress(void** address, const void* symbol) {
  return Runtime::instance().call(__func__,
                                  [&](Runtime& r) { at(address) = pointer_to(variable(r, symbol).address); });
}

HEDDLE_CUDA int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return Runtime::instance().call(__func__, [&](Runtime& r) { at(bytes) = variable(r, symbol).bytes; });
}

}  // namespace heddle::cudart
