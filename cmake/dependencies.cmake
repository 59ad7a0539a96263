# Third-party sources. None are committed: each is fetched at configure time, pinned and checked.
#
# On Debian and its relatives they come as Debian's own source archives from whatever mirror the machine is set up with;
# elsewhere from upstream at a pinned commit. FETCHCONTENT_SOURCE_DIR_<NAME> points at a copy on disk instead.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)

# Prints the machine's Debian mirror, empty where there is none.
function(find_debian_mirror result)
  set(mirror "")
  find_program(APT_GET_PROGRAM apt-get)
  if(APT_GET_PROGRAM)
    execute_process(COMMAND ${APT_GET_PROGRAM} indextargets --format "$(REPO_URI)" "Created-By: Packages"
                    OUTPUT_VARIABLE uris ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "\n" ";" uris "${uris}")
    foreach(uri IN LISTS uris)
      if(uri MATCHES "/debian/$" AND NOT mirror)
        set(mirror ${uri})
      endif()
    endforeach()
  endif()
  set(${result} "${mirror}" PARENT_SCOPE)
endfunction()

find_debian_mirror(DEBIAN_MIRROR)

# fetch_sources(NAME POOL <path on a Debian mirror> SHA256 <of that archive> GIT <repository> COMMIT <pinned>)
# leaves the folder in ${NAME}_SOURCE_DIR. Only sources are taken: no project's own CMake is run.
macro(fetch_sources name)
  cmake_parse_arguments(FETCH "" "POOL;SHA256;GIT;COMMIT" "" ${ARGN})
  string(TOLOWER ${name} lower_name)
  if(DEBIAN_MIRROR)
    FetchContent_Declare(${name} URL "${DEBIAN_MIRROR}${FETCH_POOL}" URL_HASH "SHA256=${FETCH_SHA256}"
                         DOWNLOAD_EXTRACT_TIMESTAMP OFF SOURCE_SUBDIR sources-only)
  else()
    FetchContent_Declare(${name} GIT_REPOSITORY "${FETCH_GIT}" GIT_TAG "${FETCH_COMMIT}" SOURCE_SUBDIR sources-only)
  endif()
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR "${${lower_name}_SOURCE_DIR}")
endmacro()
