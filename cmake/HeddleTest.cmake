# heddle_test(name SOURCES ... [SEPARATE ...] LIBS ... [LABELS ...] [TIMEOUT s] [OPTIMISED]): one GoogleTest binary, one process a test case.
# Tests with SystemC link testing_main, whose sc_main runs the tests (libsystemc brings a main of its own).

find_package(GTest REQUIRED)
include(GoogleTest)

# Code of tests runs little, but takes as long to compile as all models: Clang without optimisation takes a third of GCC's time
# (clang++-14, which scripts/setup installs; without it the compiler of everything is taken). The models stay GCC's.
add_library(heddle_test_options INTERFACE)
set(heddle_test_launcher)
find_program(HEDDLE_CLANG clang++-14)
if(HEDDLE_CLANG AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(heddle_test_launcher ${CMAKE_SOURCE_DIR}/cmake/as_clang ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
if(heddle_test_launcher OR CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(heddle_test_options INTERFACE $<IF:$<BOOL:$<TARGET_PROPERTY:HEDDLE_OPTIMISED>>,-O1,-O0> -Wno-unknown-warning-option -Wno-pass-failed
                                                       -Wno-pragma-system-header-outside-header -Wno-overloaded-virtual -Wno-shadow)
else()
  target_compile_options(heddle_test_options INTERFACE -O1)
endif()
function(heddle_test_compiler)
  if(heddle_test_launcher)
    set_target_properties(${ARGN} PROPERTIES CXX_COMPILER_LAUNCHER "${heddle_test_launcher}")
  endif()
endfunction()

if(HEDDLE_PCH)
  set(test_headers ${run_headers})
  if(test_headers)
    list(APPEND test_headers [["tests/support/simulation.h"]])
  endif()
  heddle_headers(heddle_headers_test <gtest/gtest.h> <systemc> <tlm> ${test_headers})
  target_link_libraries(heddle_headers_test PRIVATE heddle_systemc GTest::gtest heddle_test_options)
  heddle_test_compiler(heddle_headers_test)
endif()

# What all test programs link in the place of the parts: one library. Its own functions call each other directly, so that the
# tests' copies of inline functions, which are not optimised, stay out of the models.
add_library(heddle_for_tests SHARED)
foreach(part ${heddle_parts})
  target_sources(heddle_for_tests PRIVATE $<TARGET_OBJECTS:${part}>)
endforeach()
target_link_libraries(heddle_for_tests PRIVATE heddle_lanes_baseline $<TARGET_NAME_IF_EXISTS:heddle_lanes_avx2> Threads::Threads ${CMAKE_DL_LIBS}
                                       PUBLIC heddle_options heddle_systemc Boost::json SQLite::SQLite3 ZLIB::ZLIB protobuf::libprotobuf-lite fmt::fmt)
target_link_options(heddle_for_tests PRIVATE LINKER:-Bsymbolic-functions)
set_target_properties(heddle_for_tests PROPERTIES LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# The entry of all test programs.
add_library(heddle_test_main OBJECT ${CMAKE_SOURCE_DIR}/tests/support/test_main.cpp)
target_link_libraries(heddle_test_main PRIVATE heddle_options heddle_systemc GTest::gtest fmt::fmt heddle_test_options)
heddle_takes_headers(heddle_test_main test)
heddle_test_compiler(heddle_test_main)

# heddle_test_library(name SOURCES ... LIBS ...): what several test programs share.
function(heddle_test_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  heddle_groups(${name})
  target_link_libraries(${name} PUBLIC heddle_options heddle_systemc fmt::fmt heddle_test_options ${ARG_LIBS})
  target_link_libraries(${name} PRIVATE GTest::gtest)
  heddle_takes_headers(${name} test)
  heddle_test_compiler(${name})
endfunction()

function(heddle_test name)
  cmake_parse_arguments(ARG "OPTIMISED" "TIMEOUT" "SOURCES;SEPARATE;LIBS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${ARG_SOURCES} $<TARGET_OBJECTS:heddle_test_main>)
  heddle_groups(${name} ${ARG_SEPARATE})
  list(REMOVE_ITEM ARG_LIBS heddle_all ${heddle_parts})
  target_link_libraries(${name} PRIVATE heddle_for_tests heddle_options heddle_systemc GTest::gtest ${ARG_LIBS} heddle_test_options)
  if(ARG_OPTIMISED)  # the test's own loops take longest
    set_target_properties(${name} PROPERTIES HEDDLE_OPTIMISED ON)
  else()
    heddle_takes_headers(${name} test)
  endif()
  heddle_test_compiler(${name})
  gtest_discover_tests(${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
