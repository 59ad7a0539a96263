// A service worker that does one thing: it adds, to the page and to the script of its threads, the headers that isolate them
// from other origins, which browsers ask for before threads may share memory. It stores nothing and answers nothing itself,
// so that nobody ever sees an old page because of it; other pages of the same host it leaves alone.
'use strict';

const PAGES = ['./', 'index.html'].map((name) => new URL(name, self.location).pathname);
const THREADS = new URL('attention_lab_threads.worker.js', self.location).pathname;

async function isolated(request) {
  const response = await fetch(request);
  if (response.status === 0) return response; // a redirection, which is the browser's to follow
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const isPage = event.request.mode === 'navigate' && PAGES.includes(pathname);
  const isThreads = event.request.destination === 'worker' && pathname === THREADS;
  if (isPage || isThreads) event.respondWith(isolated(event.request));
});
