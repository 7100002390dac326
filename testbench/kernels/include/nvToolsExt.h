/* SPDX-License-Identifier: Apache-2.0
   Replaces the header of this name of NVIDIA's Tools Extension: marks and ranges on the host, which nothing records
   here. Its functions do nothing, so there is no library to link. */
#ifndef HEDDLE_CC_NV_TOOLS_EXT_H
#define HEDDLE_CC_NV_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#define HEDDLE_CC_NVTX(name, ...) \
  static inline void name(__VA_ARGS__) {}
#define HEDDLE_CC_NVTX_RESULT(type, value, name, ...) \
  static inline type name(__VA_ARGS__) { return value; }
HEDDLE_CC_NVTX(nvtxInitialize, const void* r)
HEDDLE_CC_NVTX(nvtxMarkEx, const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX(nvtxMarkA, const char* m)
HEDDLE_CC_NVTX(nvtxMarkW, const wchar_t* m)
HEDDLE_CC_NVTX_RESULT(nvtxRangeId_t, 0, nvtxRangeStartEx, const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX_RESULT(nvtxRangeId_t, 0, nvtxRangeStartA, const char* m)
HEDDLE_CC_NVTX_RESULT(nvtxRangeId_t, 0, nvtxRangeStartW, const wchar_t* m)
HEDDLE_CC_NVTX(nvtxRangeEnd, nvtxRangeId_t id)
HEDDLE_CC_NVTX_RESULT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX_RESULT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, const char* m)
HEDDLE_CC_NVTX_RESULT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, const wchar_t* m)
static inline int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
HEDDLE_CC_NVTX(nvtxNameCategoryA, uint32_t c, const char* n)
HEDDLE_CC_NVTX(nvtxNameOsThreadA, uint32_t t, const char* n)
HEDDLE_CC_NVTX_RESULT(nvtxDomainHandle_t, NULL, nvtxDomainCreateA, const char* n)
HEDDLE_CC_NVTX_RESULT(nvtxDomainHandle_t, NULL, nvtxDomainCreateW, const wchar_t* n)
HEDDLE_CC_NVTX(nvtxDomainDestroy, nvtxDomainHandle_t d)
HEDDLE_CC_NVTX(nvtxDomainMarkEx, nvtxDomainHandle_t d, const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX_RESULT(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, nvtxDomainHandle_t d,
                      const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX(nvtxDomainRangeEnd, nvtxDomainHandle_t d, nvtxRangeId_t id)
HEDDLE_CC_NVTX_RESULT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, nvtxDomainHandle_t d,
                      const nvtxEventAttributes_t* e)
HEDDLE_CC_NVTX_RESULT(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, nvtxDomainHandle_t d)
HEDDLE_CC_NVTX(nvtxDomainNameCategoryA, nvtxDomainHandle_t d, uint32_t c, const char* n)
HEDDLE_CC_NVTX_RESULT(nvtxStringHandle_t, NULL, nvtxDomainRegisterStringA, nvtxDomainHandle_t d,
                      const char* n)
#undef HEDDLE_CC_NVTX
#undef HEDDLE_CC_NVTX_RESULT

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#endif

#endif
