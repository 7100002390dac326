# cmake --install: the program, its data, and the library for find_package(heddle).
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
add_library(heddle_archive STATIC ${heddle_objects})
set_target_properties(heddle_archive PROPERTIES OUTPUT_NAME heddle LINKER_LANGUAGE CXX)

install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS heddle_archive ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/models ${CMAKE_SOURCE_DIR}/power ${CMAKE_SOURCE_DIR}/testbench
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle FILES_MATCHING PATTERN "*.h" PATTERN "kernels" EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle FILES_MATCHING PATTERN "*.v")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/formats DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/docs)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/testbench/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/testbench
        FILES_MATCHING PATTERN "*.json" PATTERN "*.ptx" PATTERN "*.cu")

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/heddleConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/heddleConfig.cmake ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
