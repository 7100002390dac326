# cmake --install: the program, its data, the CUDA runtime of `heddle exec`, and the library for find_package(heddle).
#
# Target heddle_product builds all that is installed, which is all that README.md uses; scripts/demo builds it. What is
# installed and built must be in heddle_built.
#
# The library is one static archive of all parts. Programs must take the whole of it, because schedulers, stages,
# passes and memories register themselves: heddleConfig.cmake says so to the linker.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(heddle_objects)
foreach(part ${heddle_parts})
  list(APPEND heddle_objects $<TARGET_OBJECTS:${part}>)
endforeach()
foreach(set baseline avx2)
  if(TARGET heddle_lanes_${set})
    list(APPEND heddle_objects $<TARGET_OBJECTS:heddle_lanes_${set}>)
  endif()
endforeach()
# The command line, without the main function: own programs have theirs (testbench/cli/program.h).
list(APPEND heddle_objects $<FILTER:$<TARGET_OBJECTS:heddle_cli>,EXCLUDE,main[.]cpp> $<TARGET_OBJECTS:heddle_pack> $<TARGET_OBJECTS:heddle_synthesis>
                           $<TARGET_OBJECTS:heddle_rtl_tables>)
add_library(heddle_archive STATIC ${heddle_objects})
set_target_properties(heddle_archive PROPERTIES OUTPUT_NAME heddle LINKER_LANGUAGE CXX)

get_property(heddle_runtimes GLOBAL PROPERTY heddle_runtimes)
get_property(heddle_linker_names GLOBAL PROPERTY heddle_linker_names)
set(heddle_built heddle heddle_archive ${heddle_runtimes})

# The first of all rules: an error that names the command, in place of CMake's of the first file that it does not find.
set(heddle_files)
foreach(target ${heddle_built})
  list(APPEND heddle_files $<TARGET_FILE:${target}>)
endforeach()
add_custom_target(heddle_product DEPENDS ${heddle_files})
install(CODE "
  foreach(file ${heddle_files})
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file} is not built (allowed: scripts/demo, or cmake --build ${CMAKE_BINARY_DIR} --target heddle_product, before the installation)\")
    endif()
  endforeach()")
install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${CMAKE_SOURCE_DIR}/scripts/heddle-cc DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS heddle_archive ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${heddle_runtimes} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
install(FILES ${heddle_linker_names} DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/power ${CMAKE_SOURCE_DIR}/testbench
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle FILES_MATCHING PATTERN "*.h" PATTERN "kernels" EXCLUDE
        PATTERN "cosim" EXCLUDE PATTERN "scenarios" EXCLUDE)
install(CODE "
  set(program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/heddle\")
  set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  file(MAKE_DIRECTORY \${share}/man/man1 \${share}/bash-completion/completions \${share}/fish/vendor_completions.d)
  execute_process(COMMAND \${program} man OUTPUT_FILE \${share}/man/man1/heddle.1 COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \${program} completion bash OUTPUT_FILE \${share}/bash-completion/completions/heddle COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \${program} completion fish OUTPUT_FILE \${share}/fish/vendor_completions.d/heddle.fish COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heddle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/python
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle FILES_MATCHING PATTERN "*.v")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/formats DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/docs)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/testbench/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/testbench
        FILES_MATCHING PATTERN "*.json" PATTERN "*.ptx" PATTERN "*.cu" PATTERN "shim.h" PATTERN "textures.h" PATTERN "matrix.h" PATTERN "heddle_cc.h" PATTERN "clang_flags" REGEX "/include/"
        REGEX "/kernel32[.]ptx$" EXCLUDE)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/testbench/kernels/compile DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/testbench/kernels)

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/heddleConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/heddleConfig.cmake ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/HeddleInterfaces.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
