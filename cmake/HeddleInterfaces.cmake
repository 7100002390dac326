# What a plugin and the program that loads it must agree on: a hash of Heddle's version and of every header that is
# installed. Both carry it (models/core/interfaces.h), each as computed from the headers that it was compiled with.

# heddle_interface_headers(ROOT variable): the installed headers, by their paths below ROOT, in one order everywhere.
function(heddle_interface_headers root variable)
  set(glob_options)
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(glob_options CONFIGURE_DEPENDS)
  endif()
  file(GLOB_RECURSE headers ${glob_options} RELATIVE ${root} ${root}/models/*.h ${root}/power/*.h ${root}/testbench/*.h)
  list(FILTER headers EXCLUDE REGEX "^testbench/(kernels|cosim|scenarios)/")
  list(SORT headers)
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# heddle_interfaces(ROOT VERSION variable): "0.1.0-0123456789abcdef".
function(heddle_interfaces root version variable)
  heddle_interface_headers(${root} headers)
  set(all "")
  foreach(header ${headers})
    file(SHA256 ${root}/${header} hash)
    string(APPEND all "${header} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${variable} "${version}-${hash}" PARENT_SCOPE)
endfunction()

# As a script: -DROOT=FOLDER -DVERSION=0.1.0 -DOUT=FILE -P writes a header with the definition.
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  heddle_interfaces(${ROOT} ${VERSION} interfaces)
  file(WRITE ${OUT} "#define HEDDLE_INTERFACES \"${interfaces}\"\n")
endif()
