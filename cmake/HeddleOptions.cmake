# Compiler options and third-party packages, once for the whole tree.

find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS json graph)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)

# Warnings, include root, and the arithmetic promises: no contraction of a * b + c, so that every host gives the
# same digits.
add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(heddle_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
if(HEDDLE_WERROR)
  target_compile_options(heddle_options INTERFACE -Werror)
endif()

# Debian's SystemC is built as C++17; C++20 code links against it only with this definition.
add_library(heddle_systemc INTERFACE)
target_link_libraries(heddle_systemc INTERFACE PkgConfig::SYSTEMC)
target_compile_definitions(heddle_systemc INTERFACE SC_CPLUSPLUS=201703L)

# The headers that nearly every file wants, compiled once: for the floors without SystemC, and for those with it. Every
# file still includes what it uses (scripts/check builds with HEDDLE_PCH=OFF).
option(HEDDLE_PCH "precompile common headers" ON)
set(heddle_common_headers <fmt/format.h> <algorithm> <array> <cstdint> <functional> <map> <memory> <string> <vector>)
function(heddle_headers name)
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "// Carries precompiled headers.\n")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE heddle_options fmt::fmt)
  target_precompile_headers(${name} PRIVATE ${heddle_common_headers} ${ARGN})
endfunction()
if(HEDDLE_PCH)
  heddle_headers(heddle_headers_plain)
  heddle_headers(heddle_headers_systemc <systemc> <tlm>)
  target_link_libraries(heddle_headers_systemc PRIVATE heddle_systemc)
endif()

# heddle_library(name SOURCES ... LIBS ...): an OBJECT library, so that self-registering implementations are kept.
function(heddle_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC heddle_options ${ARG_LIBS})
  if(HEDDLE_PCH AND ARG_LIBS MATCHES "heddle_(systemc|ports|sm|gpu|run)")
    target_precompile_headers(${name} REUSE_FROM heddle_headers_systemc)
  elseif(HEDDLE_PCH)
    target_precompile_headers(${name} REUSE_FROM heddle_headers_plain)
  endif()
endfunction()
