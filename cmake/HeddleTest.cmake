# heddle_test(name SOURCES ... [SEPARATE ...] LIBS ... [LABELS ...] [TIMEOUT s]): one GoogleTest binary, one process a test case.
# Tests with SystemC link testing_main, whose sc_main runs the tests (libsystemc brings a main of its own).

find_package(GTest REQUIRED)
include(GoogleTest)

# Tests are compiled for a quick build: their time goes into the models that they link.
add_library(heddle_test_options INTERFACE)
target_compile_options(heddle_test_options INTERFACE -O1)
if(HEDDLE_PCH)
  heddle_headers(heddle_headers_test <gtest/gtest.h> <systemc> <tlm>)
  target_link_libraries(heddle_headers_test PRIVATE heddle_systemc GTest::gtest heddle_test_options)
endif()

# The entry of all test programs.
add_library(heddle_test_main OBJECT ${CMAKE_SOURCE_DIR}/tests/support/test_main.cpp)
target_link_libraries(heddle_test_main PRIVATE heddle_options heddle_systemc GTest::gtest fmt::fmt heddle_test_options)
heddle_takes_headers(heddle_test_main test)

# heddle_test_library(name SOURCES ... LIBS ...): what several test programs share.
function(heddle_test_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  heddle_groups(${name})
  target_link_libraries(${name} PUBLIC heddle_options heddle_systemc fmt::fmt heddle_test_options ${ARG_LIBS})
  target_link_libraries(${name} PRIVATE GTest::gtest)
  heddle_takes_headers(${name} test)
endfunction()

function(heddle_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;SEPARATE;LIBS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_executable(${name} ${ARG_SOURCES} $<TARGET_OBJECTS:heddle_test_main>)
  heddle_groups(${name} ${ARG_SEPARATE})
  target_link_libraries(${name} PRIVATE heddle_options heddle_systemc GTest::gtest ${ARG_LIBS} heddle_test_options)
  heddle_takes_headers(${name} test)
  gtest_discover_tests(${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
