// Text by way of a hidden input, focused while the program wants text: screen keyboards and input methods write only into
// inputs. What they write is passed on as the difference to what stood there before.

// Something to delete, so that the backspace of a keyboard without key codes is seen.
const NOTHING_TYPED = ' ';
const NAMED_KEYS = new Set(['Enter', 'Backspace', 'Tab', 'Escape']);

export function listenForTyping({ lab, strings, frames, canvas }) {
  const typing = document.getElementById('typing');
  let written = (typing.value = NOTHING_TYPED);
  const press = (name) => strings.withText(name, (address) => lab._lab_press_key(address));

  function reset() {
    written = typing.value = NOTHING_TYPED;
  }

  function passOn() {
    const before = [...written];
    const now = [...typing.value];
    let same = 0;
    while (same < before.length && same < now.length && before[same] === now[same]) ++same;
    for (let i = same; i < before.length; ++i) press('Backspace');
    strings.withText(now.slice(same).join(''), (address) => lab._lab_type_text(address));
    written = typing.value;
  }

  typing.addEventListener('input', (event) => {
    passOn();
    if (!event.isComposing) reset();
    frames.request();
  });
  typing.addEventListener('compositionend', () => (passOn(), reset(), frames.request()));
  // SDL listens on the window: it would type a second time.
  typing.addEventListener('keypress', (event) => (event.stopPropagation(), frames.request()));
  typing.addEventListener('keydown', (event) => {
    if (event.code || !NAMED_KEYS.has(event.key)) return;
    event.preventDefault();
    press(event.key);
    frames.request();
  });

  // Focus follows what the program wants, but is never taken from other elements of a page around us.
  function follow() {
    const focused = document.activeElement;
    if (focused !== typing && focused !== canvas && focused !== document.body) return;
    const wanted = lab._lab_wants_text() ? typing : canvas;
    if (focused === wanted) return;
    reset();
    wanted.focus({ preventScroll: true });
  }
  frames.afterFrame.push(follow);
  // Phones open the keyboard only if the focus moves inside the touch itself, so the click is drawn at once.
  window.addEventListener('touchend', frames.settle, { passive: true });
}
