# The probes with naive emulation in place of what they pin: not one may pass. Its twin, the same probes with the real
# emulation, is the test DeviceTests.Probes.
execute_process(COMMAND ${PROGRAM} run RESULT_VARIABLE status OUTPUT_VARIABLE results ERROR_QUIET)
string(REGEX MATCHALL "pass +probe[^\n]*" passed "${results}")
if(NOT passed STREQUAL "" OR NOT status EQUAL 1)
  list(JOIN passed "\n  " passed)
  message(FATAL_ERROR "exit status ${status}; these probes do not see naive emulation:\n  ${passed}")
endif()
string(REGEX MATCH "0 passed, ([0-9]+) failed, 0 skipped, ([0-9]+) waived" tally "${results}")
math(EXPR noticed "${CMAKE_MATCH_1} + ${CMAKE_MATCH_2}")
if(noticed LESS 150)
  message(FATAL_ERROR "${noticed} probes; there are at least 150")
endif()
