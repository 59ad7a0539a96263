// Events of the page. SDL itself listens for mouse, wheel, keys and touches; what is here asks for a frame after each, and
// does what SDL cannot: browser keys, clipboard, screen keyboard, files, pinching on a touchpad.
import { listenForTyping } from './typing.js';

const DRAWN_AFTER = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'pointerleave', 'wheel', 'keydown',
  'keyup', 'keypress', 'touchstart', 'touchmove', 'touchend', 'touchcancel', 'focus', 'blur', 'resize'];

const BROWSER_KEYS = new Set(['F5', 'F11', 'F12']);
const BROWSER_LETTERS = new Set(['r', 't', 'w', 'l', 'n', 'p', 'j', 'k', 'u', '+', '-', '=', '0']);
const CLIPBOARD_LETTERS = new Set(['c', 'x', 'v']);

// Of the keypad, with NumLock: SDL takes these for function keys and would keep the browser from making text of them.
const isTypedOnKeypad = (event) => event.code?.startsWith('Numpad') && event.key?.length === 1;

function isForBrowser(event) {
  if (event.isComposing || event.keyCode === 229) return true; // an input method's, which delivers text later
  if (BROWSER_KEYS.has(event.key)) return true;
  if (!event.ctrlKey && !event.metaKey) return isTypedOnKeypad(event);
  const letter = event.key.toLowerCase();
  // Clipboard keys reach the program as the browser's copy, cut and paste events instead.
  return BROWSER_LETTERS.has(letter) || CLIPBOARD_LETTERS.has(letter) || (event.shiftKey && letter === 'i');
}

function listenForKeys(openFileDialog) {
  window.addEventListener('keydown', (event) => {
    if (isForBrowser(event)) {
      event.stopImmediatePropagation(); // before SDL, which would prevent what the browser does with it
    } else if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      if (event.key.toLowerCase() !== 'o') return;
      event.stopImmediatePropagation();
      openFileDialog();
    }
  }, true);
}

function listenForClipboard({ lab, strings, frames, host }) {
  const press = (name) => strings.withText(name, (address) => lab._lab_press_key(address));
  for (const name of ['copy', 'cut']) {
    document.addEventListener(name, (event) => {
      host.copied = null;
      host.isInCopyEvent = true;
      press(name);
      frames.settle();
      host.isInCopyEvent = false;
      if (host.copied !== null) event.clipboardData.setData('text/plain', host.copied);
      event.preventDefault();
    });
  }
  document.addEventListener('paste', (event) => {
    event.preventDefault();
    strings.withText(event.clipboardData.getData('text/plain'), (address) => lab._lab_set_clipboard(address));
    press('paste');
    frames.request();
  });
}

function listenForFiles({ lab, strings, frames, canvas }) {
  const chooser = document.getElementById('file');
  // One session is open at a time: of several files the first, and the program says so.
  const open = async ([file, ...others]) => {
    if (!file) return;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      strings.withText(file.name, (name) =>
        strings.withBytes(bytes, (address, size) => lab._lab_open(name, 1 + others.length, address, size)));
    } catch (error) {
      strings.withText(file.name, (name) => strings.withText(`cannot read ${file.name}: ${error.message}`, (sentence) =>
        lab._lab_show_unread(name, 1 + others.length, sentence)));
    }
    frames.request();
  };
  chooser.addEventListener('change', () => {
    open(chooser.files);
    chooser.value = ''; // so that the same file can be chosen again
  });
  window.addEventListener('dragover', (event) => event.preventDefault());
  window.addEventListener('drop', (event) => {
    event.preventDefault();
    open(event.dataTransfer.files);
  });
  // A dialog opens only inside an event, so the program has said beforehand where its button stands.
  const isOnButton = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    return lab._lab_is_in_file_dialog_area(event.clientX - left, event.clientY - top);
  };
  let wasPressedOnButton = false;
  canvas.addEventListener('pointerdown', (event) => (wasPressedOnButton = event.button === 0 && isOnButton(event)));
  canvas.addEventListener('pointerup', (event) => {
    if (wasPressedOnButton && isOnButton(event)) chooser.click();
    wasPressedOnButton = false;
  });
  return () => chooser.click();
}

// A drag goes on outside of the canvas, and of the page, until the button is let go.
function listenForMouseOutside({ lab, canvas }) {
  let isHeld = false; // what was pressed here, not what a page around us selects
  canvas.addEventListener('pointerdown', (event) => (isHeld = event.pointerType !== 'touch'));
  window.addEventListener('pointermove', (event) => {
    isHeld = isHeld && event.buttons !== 0;
    if (!isHeld || event.pointerType === 'touch') return;
    const { left, top, right, bottom } = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX, event.clientY];
    if (x < left || x >= right || y < top || y >= bottom) lab._lab_move_mouse(x - left, y - top);
  });
}

// Browsers report two fingers on a touchpad as a wheel with Ctrl held.
function listenForTouchpadPinch({ lab, frames, canvas }) {
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { left, top } = canvas.getBoundingClientRect();
    const step = Math.max(-25, Math.min(25, event.deltaY));
    lab._lab_pinch(event.clientX - left, event.clientY - top, Math.exp(-0.01 * step));
    frames.request();
  }, { capture: true, passive: false });
}

// The browser asks, in words of its own, before unsaved edits are lost.
function listenForLeaving({ lab }) {
  window.addEventListener('beforeunload', (event) => {
    if (!lab._lab_has_unsaved_changes()) return;
    event.preventDefault();
    event.returnValue = true; // browsers from before 2024 listen to this alone
  });
}

// The picture is lost with the graphics context; a fresh start brings it back. What the lost one held is given up while it is lost:
// the next one would complain of each object that is not its own.
function listenForLostGraphics({ lab, frames, canvas }) {
  const note = document.getElementById('lost');
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault(); // or it would not be restored
    frames.pause();
    lab._lab_forget_graphics();
    note.hidden = false;
  });
  canvas.addEventListener('webglcontextrestored', () => {
    note.hidden = true;
    frames.resume();
  });
}

export function listenForInput(page) {
  const { frames } = page;
  listenForTouchpadPinch(page);
  listenForMouseOutside(page);
  listenForClipboard(page);
  listenForKeys(listenForFiles(page));
  listenForTyping(page);
  listenForLeaving(page);
  for (const name of DRAWN_AFTER) window.addEventListener(name, frames.request, { passive: true });
  page.canvas.addEventListener('pointerleave', frames.request);
  document.addEventListener('visibilitychange', frames.request);
  listenForLostGraphics(page);
  page.canvas.addEventListener('contextmenu', (event) => event.preventDefault());
}
