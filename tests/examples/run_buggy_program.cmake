# Compiles the buggy program with FLAGS and runs it: it must end with 1, and its report must name the line.
set(program ${FOLDER}/partial_warp_sum${FLAGS})
execute_process(COMMAND ${OFFGRID} cc ${FLAGS} ${SOURCE} -o ${program} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${program} RESULT_VARIABLE status ERROR_VARIABLE report)
if(NOT status EQUAL 1 OR NOT report MATCHES "error\\[invalid-shuffle\\].*partial_warp_sum.cu:10")
  message(FATAL_ERROR "exit status ${status}, report:\n${report}")
endif()
