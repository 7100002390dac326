# Verilated blocks, and the C++ by which they are known (testbench/cosim/rtl_model.h).
#
# All verilate() calls of a library are made on one target: two would put two copies of the run time into it.

set(heddle_rtl_folder ${CMAKE_SOURCE_DIR}/rtl)

# heddle_rtl_library(NAME): a library for blocks. They consist of many small files, which are compiled as one: their
# common headers take nearly all of the time. Not so the run time, of which the linker must find one copy where two
# such libraries meet (in tests). The tests' build optimises less: half the time to compile.
function(heddle_rtl_library name)
  file(GLOB run_time ${VERILATOR_ROOT}/include/*.cpp)
  set_source_files_properties(${run_time} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(HEDDLE_WERROR)
    set_source_files_properties(${run_time} PROPERTIES COMPILE_OPTIONS -O0)
  endif()
  add_library(${name} STATIC)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0 SYSTEM ON)
  target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:$<IF:$<BOOL:${HEDDLE_WERROR}>,-O1,-O2>>)
endfunction()

# heddle_block(LIBRARY MODULE [FOLDER folder] [MUTANT name] [NAME=VALUE[,VALUE...] ...]): the Verilog module
# FOLDER/MODULE.v (rtl/ unless told otherwise) with these parameters; a parameter of several values makes as many
# blocks.
function(heddle_block library module)
  cmake_parse_arguments(ARG "" "FOLDER;MUTANT" "" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${heddle_rtl_folder})
  endif()
  set(variants "+")  # each a text of +NAME=VALUE
  foreach(parameter ${ARG_UNPARSED_ARGUMENTS})
    string(REGEX MATCH "^([A-Z_0-9]+)=([0-9,]+)$" matched "${parameter}")
    if(NOT matched)
      message(FATAL_ERROR "block ${module}: \"${parameter}\" is not NAME=VALUE[,VALUE...]")
    endif()
    set(name ${CMAKE_MATCH_1})
    string(REPLACE "," ";" values ${CMAKE_MATCH_2})
    set(longer)
    foreach(variant ${variants})
      foreach(value ${values})
        list(APPEND longer "${variant}+${name}=${value}")
      endforeach()
    endforeach()
    set(variants ${longer})
  endforeach()

  get_property(number TARGET ${library} PROPERTY heddle_blocks)
  foreach(variant ${variants})
    math(EXPR number "${number}+1")
    string(REGEX MATCHALL "[A-Z_0-9]+=[0-9]+" parameters ${variant})
    heddle_one_block(${library} V${library}_${number} ${module} "${ARG_FOLDER}" "${ARG_MUTANT}" "${parameters}")
  endforeach()
  set_property(TARGET ${library} PROPERTY heddle_blocks ${number})
endfunction()

# One Verilated class, and its entry. Verilator runs while CMake does, and anew when the Verilog has changed: what it
# wrote tells the ports.
function(heddle_one_block library class module folder mutant parameters)
  file(GLOB sources ${folder}/*.v)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/verilated/${class})
  foreach(source ${sources})
    if(${source} IS_NEWER_THAN ${made}/${class}.h)
      file(REMOVE ${made}/verilator_args.txt)
    endif()
  endforeach()
  list(TRANSFORM parameters PREPEND "-G" OUTPUT_VARIABLE arguments)
  if(mutant)
    list(APPEND arguments -Wno-WIDTH -Wno-UNUSED)
  endif()
  verilate(${library} PREFIX ${class} TOP_MODULE ${module} SOURCES ${folder}/${module}.v DIRECTORY ${made}
           INCLUDE_DIRS ${folder}
           VERILATOR_ARGS -O3 --noassert --x-assign fast --x-initial fast ${arguments})

  set(ports)
  file(STRINGS ${made}/${class}.h declarations REGEX "^ *VL_(IN|OUT)(8|16|64|W)?\\(&[A-Za-z_0-9]+,[0-9]+,0[,0-9]*\\);")
  foreach(declaration ${declarations})
    string(REGEX MATCH "VL_(IN|OUT)[0-9W]*\\(&([A-Za-z_0-9]+),([0-9]+),0" matched "${declaration}")
    math(EXPR width "${CMAKE_MATCH_3}+1")
    string(COMPARE EQUAL ${CMAKE_MATCH_1} OUT output)
    string(REPLACE "1" "true" output ${output})
    string(REPLACE "0" "false" output ${output})
    string(APPEND ports "\n      {\"${CMAKE_MATCH_2}\", ${width}, ${output}, block.${CMAKE_MATCH_2}},")
  endforeach()
  string(REGEX REPLACE "([A-Z_0-9]+)=([0-9]+);?" "{\"\\1\", \\2}, " values "${parameters}")
  set_property(TARGET ${library} APPEND_STRING PROPERTY heddle_includes "#include \"${class}.h\"\n")
  set_property(TARGET ${library} APPEND_STRING PROPERTY heddle_entries
    "const RtlModelRegistration<${class}> ${class}_entry{\"${module}\", \"${mutant}\", {${values}}, [](${class}& block) {
  return std::vector<Port>{${ports}
  }@SEMICOLON@
}}@SEMICOLON@
")
endfunction()

# heddle_rtl_entries(LIBRARY VARIABLE): writes the C++ with the entries of all blocks of a library, which belongs into
# the program itself, and names the file in VARIABLE.
function(heddle_rtl_entries library variable)
  get_property(includes TARGET ${library} PROPERTY heddle_includes)
  get_property(entries TARGET ${library} PROPERTY heddle_entries)
  string(REPLACE "@SEMICOLON@" ";" entries "${entries}")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${library}_entries.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
    "// Written by CMake (RtlBlocks.cmake): the Verilated blocks of ${library}, with their ports.\n\n${includes}\n#include \"testbench/cosim/verilated_model.h\"\n\nnamespace heddle::cosim {\nnamespace {\n\n${entries}\n}  // namespace\n}  // namespace heddle::cosim\n")
  # Headers of Verilator want to come before those of SystemC.
  set_source_files_properties(${file} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  set(${variable} ${file} PARENT_SCOPE)
endfunction()
