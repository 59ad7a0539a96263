// Threads need two headers that most static hosts do not send. There a service worker (isolating_worker.js) adds them, from
// the next visit on. So nobody waits for it, no page is loaded twice, and nothing that is open gets lost; where it cannot be
// registered, everything stays as it was.
import { countThreads, embeddedProgram } from './program.js';

const QUIET_ms = 2000; // after the first picture the browser has other things to do

export function prepareIsolation() {
  const isOfUse = !window.crossOriginIsolated && countThreads() > 1 && !embeddedProgram();
  // Within another page's frame it is that page which decides.
  const isPossible = /^https?:$/.test(window.location.protocol) && window.top === window && 'serviceWorker' in navigator;
  if (!isOfUse || !isPossible) return;
  setTimeout(() => navigator.serviceWorker.register('isolating_worker.js').catch(() => {}), QUIET_ms);
}
