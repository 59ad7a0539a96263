# One toolchain file for both ways to have Emscripten: its own SDK (EMSDK is set) and Debian's package.
if(DEFINED ENV{EMSDK})
  include("$ENV{EMSDK}/upstream/emscripten/cmake/Modules/Platform/Emscripten.cmake")
else()
  include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
  # Debian's acorn lies where only Debian's own Node.js looks by itself; linking at -O2 needs it.
  set(ENV{NODE_PATH} /usr/share/nodejs)
endif()
