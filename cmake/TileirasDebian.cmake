# Run by CPack before it makes the Debian package: what Debian's policy asks of a package besides its programs.
set(root "${CPACK_TEMPORARY_DIRECTORY}")
set(doc "${root}/usr/share/doc/${CPACK_PACKAGE_NAME}")
file(MAKE_DIRECTORY "${doc}" "${root}/usr/share/lintian/overrides")

file(WRITE "${doc}/copyright" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tileiras
Upstream-Contact: ${CPACK_PACKAGE_CONTACT}

Files: *
Copyright: The tileiras project
License: Apache-2.0 with LLVM exception
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
 .
 LLVM Exceptions to the Apache 2.0 License: as an exception, if, as a result of
 your compiling your source code, portions of this Software are embedded into an
 Object form of such source code, you may redistribute such embedded portions in
 such Object form without complying with the conditions of Sections 4(a), 4(b)
 and 4(d) of the License. In addition, if you combine or link compiled forms of
 this Software with software that is licensed under the GPLv2 (\"Combined
 Software\") and if a court of competent jurisdiction determines that the patent
 provision (Section 3), the indemnity provision (Section 9) or other Section of
 the License conflicts with the conditions of the GPLv2, you may retroactively
 and prospectively choose to deem waived or otherwise exclude such Section(s) of
 the License, but only in their entirety and only with respect to the Combined
 Software.
")
if(EXISTS "${doc}/hiredis-copyright")
  file(READ "${doc}/hiredis-copyright" hiredis)
  string(REGEX MATCH "License: BSD-3-Clause\n Redistribution.*" terms "${hiredis}")
  file(APPEND "${doc}/copyright" "
Files: usr/lib/libtileiras.so.*
Copyright: The tileiras project
  2006-2011, Salvatore Sanfilippo <antirez@gmail.com>
  2010-2011, Pieter Noordhuis <pcnoordhuis@gmail.com>
License: Apache-2.0 with LLVM exception and BSD-3-Clause
Comment: hiredis, under BSD-3-Clause, is linked into this library

${terms}")
  file(REMOVE "${doc}/hiredis-copyright")
endif()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${doc}/changelog" "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}. What has changed is in
    /usr/share/doc/${CPACK_PACKAGE_NAME}/CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9nf "${doc}/changelog" COMMAND_ERROR_IS_FATAL ANY)

# Programs find the package's libraries by where they are, so that an installation without a package may be moved.
file(WRITE "${root}/usr/share/lintian/overrides/${CPACK_PACKAGE_NAME}" "# An installation may be moved: its parts find each other relative to where they are.
${CPACK_PACKAGE_NAME}: custom-library-search-path
# LLVM and MLIR, linked into one library of the package, which nobody else uses.
${CPACK_PACKAGE_NAME}: embedded-library
")

# Who links the package's libraries depends on it.
if(NOT CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA)
  return() # it has none
endif()
file(GLOB libraries RELATIVE "${root}/usr/lib" "${root}/usr/lib/lib*.so.*")
set(shlibs "")
foreach(library IN LISTS libraries)
  if(library MATCHES "^lib(.+)[.]so[.]([0-9]+)$")
    string(APPEND shlibs "lib${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CPACK_PACKAGE_NAME} (>= ${CPACK_PACKAGE_VERSION})\n")
  endif()
endforeach()
file(WRITE "${CPACK_TILEIRAS_CONTROL_DIR}/shlibs" "${shlibs}")
