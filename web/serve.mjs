// A static server for development, without dependencies: node serve.mjs [--root FOLDER] [--port N]
// Takes the next free port where the first is in use, and says at which address it is.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

// Nothing is cached, since files change under development.
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};
// From other origins, which threads need.
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

// The file that a request means, or null: outside of the root, links followed, there is nothing to have.
async function findFile(root, url) {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    if (path.includes('\0')) return null;
    let file = await realpath(join(root, path));
    if (file !== root && !file.startsWith(root + sep)) return null;
    if ((await stat(file)).isDirectory()) file = join(file, 'index.html');
    const { size } = await stat(file);
    return { file, size };
  } catch {
    return null;
  }
}

async function answer({ root, headers }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return response.writeHead(405, headers).end();
  const found = await findFile(root, request.url);
  if (!found) return response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('not found\n');
  const type = TYPES[extname(found.file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': found.size });
  if (request.method === 'HEAD') return response.end();
  createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
}

// Resolves to { url, close } once the server listens, only on this machine. Port 0: any free one. Not isolated: as a static
// host that sends no headers of its own.
export async function serve({ root, port = 8080, lastPort = port ? port + 50 : 0, isolated = true }) {
  const site = { root: await realpath(resolve(root)), headers: isolated ? { ...HEADERS, ...ISOLATION } : HEADERS };
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise((done, fail) => {
    server.once('listening', done);
    server.on('error', (error) => {
      if (error.code !== 'EADDRINUSE' || port >= lastPort) return fail(error);
      server.listen(++port, '127.0.0.1');
    });
    server.listen(port, '127.0.0.1');
  });
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { url: `http://localhost:${server.address().port}/`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { root: { type: 'string' }, port: { type: 'string', default: '8080' } } });
  const root = values.root ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'build', 'web', 'site');
  try {
    const { url } = await serve({ root, port: Number(values.port) });
    console.log(`Attention Lab is at ${url} (Ctrl+C ends)`);
  } catch (error) {
    console.error(`serve: ${error.message}`);
    process.exitCode = 1;
  }
}
