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

# Where Debian's font packages are missing: the same fonts upstream, at pinned commits.
set(inter_upstream https://github.com/rsms/inter/raw/5d16a30212d49137aecadd7cc87237f906a88f2a/docs/font-files)
set(mono_upstream https://github.com/JetBrains/JetBrainsMono/raw/19371302b95d218af43299bce79ddbddd0bc364d/fonts/ttf)

# find_font(<variable> <file> <Debian's folder> <upstream's folder>)
function(find_font variable name folder upstream)
  set(downloaded ${PROJECT_BINARY_DIR}/whole_fonts/${name})
  find_file(FONT_${name} ${name} PATHS /usr/share/fonts/${folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(FONT_${name})
    set(downloaded ${FONT_${name}})
  elseif(NOT EXISTS ${downloaded})
    file(DOWNLOAD ${upstream}/${name} ${downloaded}.part STATUS status)
    if(NOT status MATCHES "^0;")
      message(FATAL_ERROR "${name} is neither in /usr/share/fonts/${folder} nor to be had from ${upstream}: ${status}")
    endif()
    file(RENAME ${downloaded}.part ${downloaded})
  endif()
  set(${variable} ${downloaded} PARENT_SCOPE)
endfunction()

# embed_font(<whole font> <list of characters>): no layout tables and no hinting, since stb_truetype reads neither. The names
# that are kept are the family's, and copyright and licence, which every copy must carry.
function(embed_font whole characters)
  get_filename_component(name ${whole} NAME)
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
            --layout-features= --no-hinting --desubroutinize --name-IDs=0,1,2,13,14 --notdef-outline
            --drop-tables+=GSUB,GPOS,GDEF,DSIG,FFTM,STAT,meta
    DEPENDS ${whole} ${PROJECT_SOURCE_DIR}/cmake/${characters} VERBATIM)
endfunction()

foreach(style Regular SemiBold Bold Italic)
  find_font(whole Inter-${style}.otf opentype/inter ${inter_upstream})
  embed_font(${whole} fonts.txt)
endforeach()
foreach(style Regular Bold)
  find_font(whole JetBrainsMono-${style}.ttf truetype/jetbrains-mono ${mono_upstream})
  embed_font(${whole} fonts.txt)
endforeach()

# Without it, rarer signs come from the machine's own fonts like any other character.
find_file(FONT_DejaVuSans.ttf DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu
          NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(FONT_DejaVuSans.ttf)
  embed_font(${FONT_DejaVuSans.ttf} fonts_signs.txt)
endif()
