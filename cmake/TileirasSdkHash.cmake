# cmake -D ROOTS=<folder>[,<folder>] -D VERSION=<x.y.z> -D OUTPUT=<SdkHash.h> -P TileirasSdkHash.cmake
#
# Writes the hash of the SDK's headers: the names and contents of all that plugins can include, below folders
# `…/include/tileiras`. The folders of a build (written and generated headers) and the one of its installation give the
# same. The file is left alone where nothing has changed.
string(REPLACE "," ";" roots "${ROOTS}")
set(entries)
foreach(root IN LISTS roots)
  file(GLOB_RECURSE files RELATIVE "${root}" "${root}/*.h" "${root}/*.td" "${root}/*.inc")
  # The hash itself, and the headers of the libraries that run kernels, which are installed beside the SDK.
  list(FILTER files EXCLUDE REGEX "^(Plugin/SdkHash\\.h|Launch/.*|Run/.*)$")
  foreach(file IN LISTS files)
    file(SHA256 "${root}/${file}" hash)
    list(APPEND entries "${file} ${hash}")
  endforeach()
endforeach()
list(SORT entries)
string(SHA256 hash "${entries}")
string(SUBSTRING "${hash}" 0 16 hash)
string(REPLACE "." "_" version "${VERSION}")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
// SdkHash.h - generated: which headers a plugin is built with. Made from all the others, and included by none of them.
#define TILEIRAS_SDK_VERSION @version@
#define TILEIRAS_SDK_HASH @hash@
]] @ONLY)
