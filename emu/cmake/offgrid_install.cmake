# What `cmake --install` puts where: bin/offgrid, lib/liboffgrid_emu.a, the emulator's headers below include/offgrid, and the
# package that find_package(offgrid) reads.
include(CMakePackageConfigHelpers)

install(TARGETS offgrid_emu EXPORT offgridTargets ARCHIVE DESTINATION lib)
install(TARGETS offgrid_runtime EXPORT offgridTargets)
install(TARGETS offgrid EXPORT offgridTargets RUNTIME DESTINATION bin)
install(CODE [[
  foreach(name IN ITEMS offgrid-nvcc offgrid-hipcc)
    file(CREATE_LINK offgrid "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/${name}" SYMBOLIC)
  endforeach()
]])
install(DIRECTORY ${PROJECT_SOURCE_DIR}/emu/include/ DESTINATION include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/emu/compat/include/ DESTINATION include/offgrid/compat)

install(EXPORT offgridTargets NAMESPACE offgrid:: DESTINATION lib/cmake/offgrid)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/offgridConfig.cmake.in ${PROJECT_BINARY_DIR}/install/offgridConfig.cmake
  INSTALL_DESTINATION lib/cmake/offgrid)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/install/offgridConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/install/offgridConfig.cmake ${PROJECT_BINARY_DIR}/install/offgridConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/offgrid_add_kernels.cmake DESTINATION lib/cmake/offgrid)
