# offgrid_add_kernels(TARGET [SOURCES] FILES... [ARCH sm_90] [INCLUDES DIRS...] [DEFINITIONS NAME=VALUE...] [FLAGS FLAGS...]
#                     [CHECKED] [FUZZ])
#
# A static library of CUDA or HIP sources for the emulator. Files named .cu and .hip go through `offgrid cc`, which knows
# their headers; all others are compiled as C++, with <cuda_runtime.h> and its kin in reach. INCLUDES, DEFINITIONS and what
# target_include_directories and target_compile_definitions add later hold for both kinds; FLAGS, as nvcc has them, for the
# first. CHECKED compiles the kernels with --checked, as does OFFGRID_CHECKED=ON for all libraries; one program links either
# checked kernels or others, not both. FUZZ compiles them with --fuzz (clang only). Whoever links TARGET gets the emulator with it.
function(offgrid_add_kernels target)
  cmake_parse_arguments(K "CHECKED;FUZZ" "ARCH" "SOURCES;INCLUDES;DEFINITIONS;FLAGS" ${ARGN})
  set(flags ${K_FLAGS})
  if(K_ARCH)
    list(APPEND flags -arch ${K_ARCH})
  endif()
  if(K_CHECKED OR OFFGRID_CHECKED)
    list(APPEND flags --checked)
  endif()
  if(K_FUZZ)
    list(APPEND flags --fuzz)
  endif()
  if(CMAKE_CXX_STANDARD AND NOT K_FLAGS MATCHES "-std")
    list(PREPEND flags -std=c++${CMAKE_CXX_STANDARD})
  endif()
  # Asked for when the build files are written, so that later additions to the target count.
  set(folders "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>")
  set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>>")

  set(objects "")
  set(others "")
  foreach(source IN LISTS K_SOURCES K_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.(cu|hip)$")
      list(APPEND others ${source})
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source FILENAME name)
    string(MD5 mark ${source})
    string(SUBSTRING ${mark} 0 8 mark)  # files of one name in two folders
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels/${mark}/${name}.o)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels/${mark})
    add_custom_command(OUTPUT ${object}
      COMMAND offgrid::command cc -c ${flags}
        "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        -MD -MF ${object}.d -o ${object} ${source}
      DEPENDS ${source} offgrid::command
      DEPFILE ${object}.d
      COMMENT "Compiling kernels ${name} for the emulator"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()

  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${target} STATIC ${objects} ${others})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC ${K_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${K_DEFINITIONS})
  target_link_libraries(${target} PUBLIC offgrid::runtime)
endfunction()
