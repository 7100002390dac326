# Plugins that the installed program refuses, each with one line and status 1, without running anything. Part of run.cmake.
function(refused expected)
  execute_process(COMMAND ${prefix}/bin/heddle ${ARGN} list presets RESULT_VARIABLE status OUTPUT_VARIABLE out
                  ERROR_VARIABLE error)
  if(NOT status EQUAL 1 OR NOT error MATCHES "^error: --plugin [^\n]*${expected}[^\n]*\n$" OR out)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}${error}")
  endif()
endfunction()
set(plugin ${plugins}/youngest.so)
set(refused_plugins ${WORK}/build/refused)

file(COPY_FILE ${plugin} ${WORK}/copy.so)
refused("\"youngest\" is registered twice" --plugin ${plugin} --plugin ${WORK}/copy.so)
refused("is loaded already" --plugin ${plugin} --plugin ${plugin})

# Truncated plugins: in the code, and just before the end.
file(SIZE ${plugin} bytes)
math(EXPR last "${bytes} - 1")
math(EXPR half "${bytes} / 2")
foreach(length 0 40 64 4096 ${half} ${last})
  execute_process(COMMAND head -c ${length} ${plugin} OUTPUT_FILE ${WORK}/cut.so)
  refused("(is no shared object|is cut short)" --plugin ${WORK}/cut.so)
endforeach()

refused("throws while it is loaded: not today" --plugin ${refused_plugins}/throws.so)
refused("has no part" --plugin ${refused_plugins}/empty.so)
refused("does not say which of Heddle's headers" --plugin ${refused_plugins}/stranger.so)

# A plugin that is built with one more virtual function in an interface.
set(header ${prefix}/include/heddle/models/scheduler/i_scheduler_policy.h)
file(READ ${header} text)
string(REPLACE "virtual bool choose(" "virtual void one_more() {}\n  virtual bool choose(" changed "${text}")
if(changed STREQUAL text)
  message(FATAL_ERROR "no choose() in ${header}")
endif()
file(WRITE ${header} "${changed}")
step(${CMAKE_COMMAND} --build ${WORK}/build --target youngest)
refused("was built with the headers [^ ]*, this program with" --plugin ${plugin})
file(WRITE ${header} "${text}")
# copy.so was built with the installed headers.
step(${prefix}/bin/heddle --plugin ${WORK}/copy.so list presets)
