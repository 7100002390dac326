# heddle_all: every model, the launch reader, the run and its outputs, under one name for programs and tests. The
# libraries are OBJECT libraries, because their parts register themselves: a program links this target, or the
# libraries one by one, never both.

set(heddle_parts)
foreach(part core isa ptx compiler reference time ports frontend scheduler banks stages operands exec memory gating folding sm gpu power launch estimate run
             output view analysis experiment comparison why program)
  if(TARGET heddle_${part})
    list(APPEND heddle_parts heddle_${part})
  endif()
endforeach()

set(heddle_parts ${heddle_parts} CACHE INTERNAL "")

add_library(heddle_all INTERFACE)
foreach(part ${heddle_parts})
  target_link_libraries(heddle_all INTERFACE ${part} $<TARGET_OBJECTS:${part}>)
endforeach()
