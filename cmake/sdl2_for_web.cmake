# SDL2 for the page, compiled from its sources: SDL's own CMake would spend four minutes on checks whose outcome
# include/SDL_config_emscripten.h already holds. Sound, joysticks, sensors and renderers are left out.
fetch_sources(sdl2
  POOL pool/main/libs/libsdl2/libsdl2_2.26.5+dfsg.orig.tar.gz
  SHA256 b3f2c822151804125d08db94c65852f711c2e5df2145a59da120748dc32eb9c3
  GIT https://github.com/libsdl-org/SDL.git COMMIT release-2.26.5)

set(sdl2_folders . atomic cpuinfo events file libm loadso/dummy locale misc misc/emscripten power power/emscripten stdlib thread
    thread/generic timer timer/unix video video/emscripten video/yuv2rgb)
set(sdl2_files "")
foreach(folder IN LISTS sdl2_folders)
  file(GLOB files CONFIGURE_DEPENDS ${sdl2_SOURCE_DIR}/src/${folder}/*.c)
  list(APPEND sdl2_files ${files})
endforeach()

add_third_party_library(attention_sdl2 ${sdl2_files} ${PROJECT_SOURCE_DIR}/cmake/sdl2_left_out.c)
target_include_directories(attention_sdl2 SYSTEM PUBLIC ${sdl2_SOURCE_DIR}/include)
target_compile_definitions(attention_sdl2 PRIVATE
  SDL_AUDIO_DISABLED SDL_JOYSTICK_DISABLED SDL_LOADSO_DUMMY SDL_SENSOR_DISABLED SDL_RENDER_DISABLED)
