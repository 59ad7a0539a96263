// What the program asks of the browser (app/platform_web*.cpp call these by `Module.host`).

// Inter's letters are this much of the line that Dear ImGui calls a font's size.
const LETTER_PER_LINE = 0.83;

// Draws characters that the embedded fonts lack with the browser's own fonts.
function createGlyphs() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const missing = new Map(); // per font: the picture of a character that no font has

  function picture(text, font) {
    context.font = font;
    const measure = context.measureText(text);
    const left = Math.floor(-measure.actualBoundingBoxLeft) - 1;
    const top = Math.floor(-measure.actualBoundingBoxAscent) - 1;
    const width = Math.ceil(measure.actualBoundingBoxRight) + 1 - left;
    const height = Math.ceil(measure.actualBoundingBoxDescent) + 1 - top;
    context.canvas.width = width;
    context.canvas.height = height;
    context.font = font;
    context.fillText(text, -left, -top);
    const rgba = context.getImageData(0, 0, width, height).data;
    return { advance: measure.width, left, top, width, height, rgba };
  }

  const areEqual = (a, b) =>
    a.width === b.width && a.height === b.height && a.rgba.every((value, i) => value === b.rgba[i]);

  return function rasterizeGlyph(text, size_px) {
    const font = `${size_px * LETTER_PER_LINE}px Inter, system-ui, sans-serif`;
    if (!missing.has(font)) missing.set(font, picture('\u{10FFFD}', font));
    const glyph = picture(text, font);
    if (areEqual(glyph, missing.get(font))) return null;
    const { rgba } = glyph;
    glyph.colored = false;
    for (let i = 0; i < rgba.length; i += 4) if (rgba[i] | rgba[i + 1] | rgba[i + 2]) glyph.colored = true;
    // What was drawn in black is only coverage, which Dear ImGui wants in white.
    if (!glyph.colored) for (let i = 0; i < rgba.length; i += 4) rgba[i] = rgba[i + 1] = rgba[i + 2] = 255;
    return glyph;
  };
}

// localStorage throws where the page may not store anything.
function createPreferences() {
  const prefix = 'attention-lab.';
  const attempt = (use) => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  return {
    loadPreference: (key) => attempt(() => localStorage.getItem(prefix + key)) ?? '',
    storePreference: (key, value) => attempt(() => localStorage.setItem(prefix + key, value)),
  };
}

function saveFile(name, bytes) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// SDL gives the canvas other sizes for a moment, to see who decides on them, and points where pixels are meant; with a context, each
// waits for the graphics processor. So meanwhile it sees properties that are nobody's size.
function keepSize(canvas, isKept) {
  for (const side of ['width', 'height']) {
    if (isKept) Object.defineProperty(canvas, side, { value: canvas[side], writable: true, configurable: true });
    else delete canvas[side];
  }
}

export function createHost(canvas) {
  const host = {
    isMac: /mac|iphone|ipad/i.test(navigator.platform),
    copied: null, // what the program copied last
    // Outside a copy event (a button "copy") the browser allows it while the click is fresh.
    writeClipboard(text) {
      host.copied = text;
      if (!host.isInCopyEvent) navigator.clipboard?.writeText(text).catch(() => {});
    },
    isInCopyEvent: false,
    matches: (query) => window.matchMedia(query).matches,
    setTitle: (title) => (document.title = title),
    saveFile,
    keepCanvasSize: (isKept) => keepSize(canvas, isKept),
    rasterizeGlyph: createGlyphs(),
    ...createPreferences(),
  };
  return host;
}
