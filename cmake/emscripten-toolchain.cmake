# One toolchain file for both ways to have Emscripten: its own SDK (EMSDK is set) and Debian's package.
if(DEFINED ENV{EMSDK})
  include("$ENV{EMSDK}/upstream/emscripten/cmake/Modules/Platform/Emscripten.cmake")
else()
  include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
  # Linking at -O2 needs acorn, which Debian puts where only Debian's own Node.js looks by itself.
  set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
  set(CMAKE_C_LINKER_LAUNCHER ${CMAKE_CXX_LINKER_LAUNCHER})
  set(ENV{NODE_PATH} /usr/share/nodejs) # for the checks at configure time
endif()
