# Compiles the buggy program and runs it: it must end with 1, and its report must name the line.
execute_process(COMMAND ${OFFGRID} cc ${SOURCE} -o ${FOLDER}/partial_warp_sum COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/partial_warp_sum RESULT_VARIABLE status ERROR_VARIABLE report)
if(NOT status EQUAL 1 OR NOT report MATCHES "error\\[invalid-shuffle\\].*partial_warp_sum.cu:10")
  message(FATAL_ERROR "exit status ${status}, report:\n${report}")
endif()
