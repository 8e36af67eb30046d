# Installs the public headers, the layers as static archives and the package for
# find_package(plaudit), with the find modules that its users need at link time.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/plaudit")
set(shared "")
if(TARGET plaudit_shared)
  set(shared plaudit_shared)
endif()
install(TARGETS plaudit_lib plaudit_mechanisms plaudit_accountants plaudit_proof plaudit_checker
  plaudit_verification plaudit plaudit_plugin ${shared}
  EXPORT plaudit-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT plaudit-targets NAMESPACE plaudit:: DESTINATION "${package_dir}")
if(TARGET plaudit_cli)
  install(TARGETS plaudit_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # The manual and the completions of shells, as the program itself writes them.
  if(NOT CMAKE_CROSSCOMPILING)
    set(written "")
    foreach(page IN ITEMS
        "man|plaudit.1|${CMAKE_INSTALL_MANDIR}/man1"
        "completion bash|plaudit|${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        "completion zsh|_plaudit|${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
        "completion fish|plaudit.fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
      string(REPLACE "|" ";" page "${page}")
      list(GET page 0 command)
      list(GET page 1 name)
      list(GET page 2 destination)
      string(REPLACE " " ";" command "${command}")
      set(file "${PROJECT_BINARY_DIR}/pages/${name}")
      add_custom_command(OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/pages"
        COMMAND plaudit_cli ${command} > "${file}" DEPENDS plaudit_cli VERBATIM)
      list(APPEND written "${file}")
      install(FILES "${file}" DESTINATION "${destination}" OPTIONAL)  # where only a part was built
    endforeach()
    add_custom_target(plaudit_pages ALL DEPENDS ${written})
  endif()
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
# The pages to which headers, theorems and messages point, by the paths that they say.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING
  PATTERN "*.md" PATTERN "*.schema.json" PATTERN "published" EXCLUDE PATTERN "audits" EXCLUDE)
