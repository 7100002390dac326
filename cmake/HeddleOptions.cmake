# Compiler options and third-party packages, once for the whole tree.

find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS json graph)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Protobuf REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive)

# Warnings, include root, and the arithmetic promises: no contraction of a * b + c, so that every host gives the
# same digits.
add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
# Everything stands in the program and in the CUDA runtime, a shared library (testbench/cudart). Nobody replaces its
# functions from outside, so that calls within a file stay direct.
add_compile_options(-fPIC -fno-semantic-interposition)
if(HEDDLE_WERROR)
  target_compile_options(heddle_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What GCC 12 says of strings after inlining is wrong, and hangs on the length of the checkout's path (GCC bugs 105329,
  # 105651).
  target_compile_options(heddle_options INTERFACE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                                  -Wno-stringop-overread -Wno-error=maybe-uninitialized)
else()
  # Loops over lanes may run side by side (models/isa/lanes/lane_loops.h); Clang warns of each that it runs one by one.
  target_compile_options(heddle_options INTERFACE -Wno-pass-failed)
endif()

# Debian's SystemC is built as C++17; C++20 code links against it only with this definition.
add_library(heddle_systemc INTERFACE)
target_link_libraries(heddle_systemc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(heddle_systemc INTERFACE SC_CPLUSPLUS=201703L)

option(HEDDLE_UNITY "compile files in groups" OFF)
# Headers that most files include are precompiled: one set for folders without SystemC, one for models with SystemC, one for
# testbench. Every file still includes the headers that it uses (scripts/check builds with HEDDLE_PCH=OFF).
# The sets contain Heddle's own headers only in builds with groups of files: a change of one of them compiles all files again.
option(HEDDLE_PCH "precompile common headers" ON)
set(CMAKE_PCH_PROLOGUE "")  # CMake's "#pragma GCC system_header" would turn off the warnings of Heddle's headers
set(plain_headers)
set(model_headers)
set(run_headers)
if(HEDDLE_UNITY)
  set(plain_headers [["models/core/fields.h"]] [["models/core/registry.h"]] [["models/isa/program.h"]])
  set(model_headers ${plain_headers} [["models/core/gauge.h"]] [["models/core/interfaces.h"]] [["models/core/probe.h"]] [["models/core/stats.h"]]
                    [["models/ports/in_flight.h"]] [["models/ports/warp_context.h"]] [["models/time/ticking.h"]])
  set(run_headers ${model_headers} [["models/compiler/pipeline.h"]] [["models/gpu/gpu.h"]] [["models/reference/reference.h"]]
                  [["testbench/run/run_session.h"]] [["testbench/run/scenario.h"]])
endif()
set(heddle_common_headers <fmt/format.h> <algorithm> <array> <cstdint> <functional> <map> <memory> <string> <vector>)
function(heddle_headers name)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "// Carries precompiled headers.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE heddle_options fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${heddle_common_headers} ${ARGN})
endfunction()
if(HEDDLE_PCH)
  heddle_headers(heddle_headers_plain ${plain_headers})
  heddle_headers(heddle_headers_systemc <systemc> <tlm> ${model_headers})
  target_link_libraries(heddle_headers_systemc PRIVATE heddle_systemc)
  if(run_headers)
    heddle_headers(heddle_headers_run <systemc> <tlm> ${run_headers})
    target_link_libraries(heddle_headers_run PRIVATE heddle_systemc)
  endif()
endif()
# heddle_takes_headers(name plain|systemc|run|test|sanitized)
function(heddle_takes_headers name set)
  if(set STREQUAL "run" AND NOT run_headers)
    set(set systemc)
  endif()
  if(HEDDLE_PCH)
    target_precompile_headers(${name} REUSE_FROM heddle_headers_${set})
  endif()
endfunction()

# For a build of everything, files are compiled in groups, as what they take from headers costs more than what they
# say. The names in files' anonymous namespaces then meet: a file whose names clash with others' has a namespace of its
# own around them, or stands under SEPARATE, too. For hands, each file is compiled alone.
# The tests' build has larger groups.
set(heddle_group_size 24)
if(HEDDLE_WERROR)
  set(heddle_group_size 40)
endif()
function(heddle_groups name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE ${heddle_group_size})
  if(ARGN)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# heddle_library(name SOURCES ... [SEPARATE ...] LIBS ...): an OBJECT library, so that self-registering implementations are kept.
function(heddle_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;SEPARATE;LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  heddle_groups(${name} ${ARG_SEPARATE})
  target_link_libraries(${name} PUBLIC heddle_options ${ARG_LIBS})
  if(NOT ARG_LIBS MATCHES "heddle_(systemc|ports|sm|gpu|run)")
    heddle_takes_headers(${name} plain)
  elseif(CMAKE_CURRENT_SOURCE_DIR MATCHES "/testbench/[a-z]+$")
    heddle_takes_headers(${name} run)
  else()
    heddle_takes_headers(${name} systemc)
  endif()
endfunction()
