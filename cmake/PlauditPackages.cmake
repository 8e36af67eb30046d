# For those who do not use CMake: plaudit.pc for pkg-config. And `cpack` in the build tree makes a
# Debian package of all that `cmake --install` installs.

# The libraries that the archives need, by the names that linkers know.
set(libraries)
if(PLAUDIT_FFTW)
  list(APPEND libraries ${FFTW3_LIBRARY})
endif()
list(APPEND libraries ${MPFI_LIBRARY} ${ARB_LIBRARY} ${FLINT_LIBRARY} ${MPFR_LIBRARY} ${GMP_LIBRARY}
  ${CMAKE_DL_LIBS})
set(folders "")  # of libraries that the linker does not look in by itself
foreach(library IN LISTS libraries)
  get_filename_component(folder "${library}" DIRECTORY)
  if(IS_ABSOLUTE "${folder}" AND NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND folders "-L${folder}")
  endif()
endforeach()
list(REMOVE_DUPLICATES folders)
list(TRANSFORM libraries REPLACE "^.*/lib([^/]+)\\.(so|a|dylib|tbd)$" "\\1")
list(TRANSFORM libraries PREPEND "-l")
list(PREPEND libraries ${folders})
list(APPEND libraries -pthread)
list(JOIN libraries " " libraries)
set(layers "-lplaudit_verification -lplaudit_checker -lplaudit_accountants -lplaudit_proof \
-lplaudit_mechanisms -lplaudit_lib")
set(libs "Libs: -L\${libdir} -lplaudit ${layers} ${libraries}")
if(TARGET plaudit_shared)  # which -lplaudit finds before the archive; numbers are MPFR's
  list(JOIN folders " " where)
  set(libs "Libs: -L\${libdir} -lplaudit ${where} -lmpfr -lgmp\nLibs.private: ${layers} ${libraries}")
endif()
# The prefix is known when it is installed.
file(READ "${PROJECT_SOURCE_DIR}/cmake/plaudit.pc.in" pkg_config)
string(REPLACE "@CMAKE_INSTALL_PREFIX@" "\${pcfiledir}/@up@" pkg_config "${pkg_config}")
string(REGEX REPLACE "[^/]+" ".." up "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
string(CONFIGURE "${pkg_config}" pkg_config @ONLY)
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/plaudit.pc" CONTENT "${pkg_config}")
install(FILES "${PROJECT_BINARY_DIR}/plaudit.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

if(PROJECT_IS_TOP_LEVEL AND NOT SKBUILD)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_CONTACT "plaudit")
  set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION "math")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # What the headers and archives want of those who build with them; the program needs none of it.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, libboost-dev, libmpfr-dev, libmpfi-dev, libgmp-dev, libflint-dev, libfftw3-dev")
  include(CPack)
endif()
