// What frames cost while something goes on.
import { quantile } from './quantile.mjs';

const ms = (us) => (us / 1000).toFixed(1);
export const summary = (us) => us.length === 0 ? 'no frame'
  : `median ${ms(quantile(us, 0.5))} ms, 95 % ${ms(quantile(us, 0.95))}, greatest ${ms(quantile(us, 1))} (${us.length} frames)`;

// Of the frames that are drawn while `act` goes on, in microseconds: C++, of it the engine's last run, and the times between them, which
// hold the drawing.
export async function framesOf(page, act) {
  await page.evaluate(() => {
    const recorded = { cpp: [], engine: [], gaps: [] };
    window.recorded = recorded; // who comes after begins another
    let n = attentionLab.frames(), last = null;
    const look = () => {
      if (attentionLab.frames() !== n) {
        const now = performance.now();
        recorded.cpp.push(attentionLab.frameMicroseconds());
        recorded.engine.push(attentionLab.engineMicroseconds());
        if (last !== null) recorded.gaps.push(1000 * (now - last));
        last = now;
      }
      n = attentionLab.frames();
      if (window.recorded === recorded) requestAnimationFrame(look);
    };
    look();
  });
  await act();
  return page.evaluate(() => {
    const { recorded } = window;
    window.recorded = null;
    return recorded;
  });
}
