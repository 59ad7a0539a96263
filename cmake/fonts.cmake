# The fonts that are embedded, into ${font_files}: Inter for text, JetBrains Mono for numbers, DejaVu Sans for signs that both
# lack; cut down by pyftsubset to the characters of fonts.txt and fonts_signs.txt (whole where there is no pyftsubset).
set(font_folder ${PROJECT_BINARY_DIR}/fonts)
file(MAKE_DIRECTORY ${font_folder})
set(font_files "")

# The machine's own Python has Debian's fonttools; the first python3 on the path may be another.
find_program(FONT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FONT_PYTHON python3)
set(has_fonttools 1)
if(FONT_PYTHON)
  execute_process(COMMAND ${FONT_PYTHON} -c "import fontTools.subset" RESULT_VARIABLE has_fonttools ERROR_QUIET)
endif()
if(NOT has_fonttools EQUAL 0)
  message(STATUS "No fonttools: the fonts are embedded whole, and the download grows by a megabyte")
endif()

# embed_font(<file> <Debian's folder> <list of characters>): no layout tables and no hinting, since stb_truetype reads neither.
function(embed_font name folder characters)
  find_file(FONT_${name} ${name} PATHS /usr/share/fonts/${folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  set(whole ${FONT_${name}})
  set(result ${font_folder}/${name})
  set(font_files ${font_files} ${result} PARENT_SCOPE)
  if(NOT has_fonttools EQUAL 0)
    add_custom_command(OUTPUT ${result} COMMAND ${CMAKE_COMMAND} -E copy ${whole} ${result} DEPENDS ${whole})
    return()
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/${characters} ranges REGEX "^U\\+")
  list(TRANSFORM ranges REPLACE "#.*" "")
  list(JOIN ranges " " ranges)
  add_custom_command(OUTPUT ${result}
    COMMAND ${FONT_PYTHON} -m fontTools.subset ${whole} --output-file=${result} --unicodes=${ranges}
            --layout-features= --no-hinting --desubroutinize --name-IDs=1,2,13 --notdef-outline
            --drop-tables+=GSUB,GPOS,GDEF,DSIG,FFTM,STAT,meta
    DEPENDS ${whole} ${PROJECT_SOURCE_DIR}/cmake/${characters} VERBATIM)
endfunction()

foreach(style Regular SemiBold Bold Italic)
  embed_font(Inter-${style}.otf opentype/inter fonts.txt)
endforeach()
foreach(style Regular Bold)
  embed_font(JetBrainsMono-${style}.ttf truetype/jetbrains-mono fonts.txt)
endforeach()
embed_font(DejaVuSans.ttf truetype/dejavu fonts_signs.txt)
