# Installs BUILD into a folder, builds the consumer against it, and runs both programs from there.
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
  endif()
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
step(${CMAKE_COMMAND} -S ${SOURCE}/all -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_CXX_FLAGS=-O0 -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/consumer/consumer)
# The library's command line with a part of the consumer.
step(${WORK}/build/consumer/own_program run quickstart --scheduler consumers-own --quiet)
# The reference as a library.
execute_process(COMMAND ${WORK}/build/reference/saxpy OUTPUT_VARIABLE out RESULT_VARIABLE status ERROR_VARIABLE error)
if(NOT status EQUAL 0 OR NOT out STREQUAL "12\n24\n36\n48\n")
  message(FATAL_ERROR "the reference as a library: ${status}\n${out}${error}")
endif()
# Plugins in the installed program.
set(example ${SOURCE}/../../../examples/plugin)
set(plugins ${WORK}/build/plugin)
step(${prefix}/bin/heddle run quickstart --scheduler youngest --quiet --plugin ${plugins}/youngest.so)
execute_process(COMMAND ${prefix}/bin/heddle --plugin ${plugins}/repeat_latch.so run quickstart
                        --with ${example}/repeat-latch.json --technology joint-40nm
                        --technology ${example}/latch-energy.json --against plain
                OUTPUT_VARIABLE out RESULT_VARIABLE status ERROR_VARIABLE error)
if(NOT status EQUAL 0 OR NOT out MATCHES "\n    latch  ")
  message(FATAL_ERROR "a stage with its energy: ${status}\n${out}${error}")
endif()
execute_process(COMMAND ${prefix}/bin/heddle run quickstart --scheduler youngest --quiet RESULT_VARIABLE status
                ERROR_VARIABLE error)
if(NOT status EQUAL 1 OR NOT error MATCHES "youngest")
  message(FATAL_ERROR "a scheduler without its plugin: ${status} ${error}")
endif()
include(${SOURCE}/plugins.cmake)
# The installed compiler for kernels finds its headers.
find_program(clang NAMES clang-14 clang)
if(clang)
  foreach(width "" -m32)
    step(${prefix}/bin/heddle-cc ${width} ${SOURCE}/../../launch/programs/talk.cu -o ${WORK}/talk.ptx)
    step(${prefix}/bin/heddle compile ${WORK}/talk.ptx --kernel talk)
  endforeach()
  step(${prefix}/bin/heddle run --launch saxpy/small --gpu fermi-gtx480 --set address_size=32-bit --quiet)
endif()
foreach(file man/man1/heddle.1 bash-completion/completions/heddle fish/vendor_completions.d/heddle.fish)
  file(SIZE ${prefix}/share/${file} bytes)
  if(bytes LESS 1000)
    message(FATAL_ERROR "${file} has ${bytes} bytes")
  endif()
endforeach()
step(${prefix}/bin/heddle run ${prefix}/share/heddle/configs/scenarios/bfs.json --out ${WORK}/results --quiet)
# A pack repeats a launch whose folder is gone, with an installation in another place.
file(COPY ${SOURCE}/../../../testbench/kernels/saxpy/small.json ${SOURCE}/../../../testbench/kernels/saxpy/kernel.ptx
     DESTINATION ${WORK}/mine)
step(${prefix}/bin/heddle run --launch ${WORK}/mine/small.json --gpu fermi-gtx480 --out ${WORK}/packed --quiet)
step(${prefix}/bin/heddle pack ${WORK}/packed -o ${WORK}/mine.heddle)
file(REMOVE_RECURSE ${WORK}/mine ${WORK}/packed)
file(RENAME ${prefix} ${WORK}/moved)
execute_process(COMMAND ${WORK}/moved/bin/heddle rerun ${WORK}/mine.heddle OUTPUT_VARIABLE out RESULT_VARIABLE status
                ERROR_VARIABLE error)
if(NOT out STREQUAL "equal: all counters of 1 launch\n")
  message(FATAL_ERROR "a pack: ${status}\n${out}${error}")
endif()
