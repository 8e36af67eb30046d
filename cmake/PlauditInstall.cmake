# Installs the public headers, the layers as static archives and the package for
# find_package(plaudit), with the find modules that its users need at link time.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/plaudit")
install(TARGETS plaudit_lib plaudit_mechanisms plaudit_accountants plaudit_checker
  plaudit_verification plaudit plaudit_plugin
  EXPORT plaudit-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT plaudit-targets NAMESPACE plaudit:: DESTINATION "${package_dir}")
if(TARGET plaudit_cli)
  install(TARGETS plaudit_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/plaudit-config.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/plaudit-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/plaudit-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/plaudit-config.cmake"
  "${PROJECT_BINARY_DIR}/cmake/plaudit-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindMPFR.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindFLINT.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindMPFI.cmake"
  DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/api/plaudit"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
