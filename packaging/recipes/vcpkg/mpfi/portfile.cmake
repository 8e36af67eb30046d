# vcpkg has no MPFI. Its archive's SHA-512 is not known here: 0 makes vcpkg stop and print the sum that it found, which has to
# be held against the SHA-256 of packaging/sources.txt by hand before it is put here.
vcpkg_download_distfile(archive URLS "https://perso.ens-lyon.fr/nathalie.revol/softwares/mpfi-1.5.4.tar.bz2"
  FILENAME "mpfi-1.5.4.tar.bz2" SHA512 0)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")
vcpkg_configure_make(SOURCE_PATH "${source}" AUTOCONFIG OPTIONS
  "--with-gmp=${CURRENT_INSTALLED_DIR}" "--with-mpfr=${CURRENT_INSTALLED_DIR}")
vcpkg_install_make()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/COPYING.LESSER")
