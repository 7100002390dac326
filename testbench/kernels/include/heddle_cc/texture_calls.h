// SPDX-License-Identifier: Apache-2.0
// Calls of CUDA's runtime interface for arrays, textures and surfaces. Included by runtime_calls.h.
#pragma once

#include "runtime_types.h"
#include "vectors.h"

#ifdef __cplusplus
#define HEDDLE_CC_OR(value) = value
extern "C" {
#else
#define HEDDLE_CC_OR(value)
#endif
cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels, size_t width,
                            size_t height HEDDLE_CC_OR(0), unsigned flags HEDDLE_CC_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                              struct cudaExtent extent, unsigned flags HEDDLE_CC_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* channels, struct cudaExtent* extent,
                             unsigned* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, cudaArray_const_t array);
cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void* source, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* target, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void* source, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* target, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream HEDDLE_CC_OR(nullptr));
cudaError_t cudaMemcpy2DFromArrayAsync(void* target, size_t pitch, cudaArray_const_t array, size_t x,
                                       size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream HEDDLE_CC_OR(nullptr));
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* source, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_CC_OR(nullptr));
cudaError_t cudaMemcpyFromArrayAsync(void* target, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream HEDDLE_CC_OR(nullptr));

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* texture,
                                    const struct cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const struct cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);

cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* reference, const void* pointer,
                            const struct cudaChannelFormatDesc* channels,
                            size_t bytes HEDDLE_CC_OR(0xffffffffu));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* reference, const void* pointer,
                              const struct cudaChannelFormatDesc* channels, size_t width, size_t height,
                              size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* channels);
cudaError_t cudaUnbindTexture(const struct textureReference* reference);
cudaError_t cudaGetTextureReference(const struct textureReference** reference, const void* symbol);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* reference);
cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc* channels);
cudaError_t cudaGetSurfaceReference(const struct surfaceReference** reference, const void* symbol);
#undef HEDDLE_CC_OR

#ifdef __cplusplus
}

// Channels of a texel type.
namespace heddle_cc {
template <cudaChannelFormatKind kind_of_all, int bits_of_each, int count_of_them>
struct ChannelsOf {
  static constexpr cudaChannelFormatKind kind = kind_of_all;
  static constexpr int bits = bits_of_each, count = count_of_them;
};
/// Channel format of a type. By default, a type has no channels; texel types have specialisations.
template <class T>
struct Channels : ChannelsOf<cudaChannelFormatKindNone, 0, 0> {};
#define HEDDLE_CC_CHANNELS(type, name, kind, bits)         \
  template <>                                              \
  struct Channels<type> : ChannelsOf<kind, bits, 1> {};    \
  template <>                                              \
  struct Channels<name##1> : ChannelsOf<kind, bits, 1> {}; \
  template <>                                              \
  struct Channels<name##2> : ChannelsOf<kind, bits, 2> {}; \
  template <>                                              \
  struct Channels<name##4> : ChannelsOf<kind, bits, 4> {};
HEDDLE_CC_CHANNELS(signed char, char, cudaChannelFormatKindSigned, 8)
HEDDLE_CC_CHANNELS(unsigned char, uchar, cudaChannelFormatKindUnsigned, 8)
HEDDLE_CC_CHANNELS(short, short, cudaChannelFormatKindSigned, 16)
HEDDLE_CC_CHANNELS(unsigned short, ushort, cudaChannelFormatKindUnsigned, 16)
HEDDLE_CC_CHANNELS(int, int, cudaChannelFormatKindSigned, 32)
HEDDLE_CC_CHANNELS(unsigned, uint, cudaChannelFormatKindUnsigned, 32)
HEDDLE_CC_CHANNELS(float, float, cudaChannelFormatKindFloat, 32)
template <>
struct Channels<char> : Channels<signed char> {};
#undef HEDDLE_CC_CHANNELS

static inline cudaChannelFormatDesc channels(int bits, int count, cudaChannelFormatKind kind) {
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}
}  // namespace heddle_cc

template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Of = heddle_cc::Channels<T>;
  return heddle_cc::channels(Of::bits, Of::count, Of::kind);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return heddle_cc::channels(16, 1, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return heddle_cc::channels(16, 2, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return heddle_cc::channels(16, 4, cudaChannelFormatKindFloat);
}

// Types of texture and surface references (CUDA 11 and older).

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int normalized_coordinates = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(normalized_coordinates, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int normalized_coordinates, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc channels)
      : textureReference{} {
    normalized = normalized_coordinates;
    filterMode = filter;
    for (cudaTextureAddressMode& each : addressMode) each = address;
    channelDesc = channels;
  }
};
template <class T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type> : public surfaceReference {};

template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* pointer, const cudaChannelFormatDesc& channels,
                                          size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, (const textureReference*)&reference, pointer, &channels, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* pointer, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* pointer, const cudaChannelFormatDesc& channels,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const textureReference*)&reference, pointer, &channels, width, height,
                           pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* pointer, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channels) {
  return cudaBindTextureToArray((const textureReference*)&reference, array, &channels);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array) {
  cudaChannelFormatDesc channels;
  const cudaError_t status = cudaGetChannelDesc(&channels, array);
  return status == cudaSuccess ? cudaBindTextureToArray(reference, array, channels) : status;
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return cudaUnbindTexture((const textureReference*)&reference);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const texture<T, type, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, (const textureReference*)&reference);
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& channels) {
  return cudaBindSurfaceToArray((const surfaceReference*)&reference, array, &channels);
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference, cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const surfaceReference*)&reference, array, nullptr);
}
#endif
