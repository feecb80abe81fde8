// Service worker of the page: shows the page without a connection. The build puts `build` before it: `version`, which
// differs between builds, and `files`, which the home page needs. It keeps these files only, never an answer of the API.
const scope = new URL(self.registration.scope);
const prefix = `tapster ${scope.pathname} `;
const cacheName = prefix + build.version;

self.addEventListener('install', (event) => {
  const requests = build.files.map((file) => new Request(new URL(file, scope), { cache: 'reload' }));
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const removeOld = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(prefix) && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname))
    return;
  const path = url.pathname.slice(scope.pathname.length);
  if (/^(?:api|healthz)(?:\/|$)/.test(path)) return;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => cachedDocument(request)));
  else if (build.files.includes(path)) event.respondWith(cachedFile(request, path));
});

/** Files named by a hash of their content never change; the others are read from the daemon while it answers. */
async function cachedFile(request, path) {
  const read = async () =>
    (await (await caches.open(cacheName)).match(new URL(path, scope))) ?? fetch(request);
  return path.startsWith('assets/') ? read() : fetch(request).catch(read);
}

/** The page at any address: its files are found relative to the base, which is that of the home page here. */
async function cachedDocument(request) {
  const reply = await (await caches.open(cacheName)).match(scope);
  // Files such as exports and pictures are opened by navigation as well.
  if (reply === undefined || /\.\w+$/.test(new URL(request.url).pathname)) return Response.error();
  const text = (await reply.text()).replace(/<base href="[^"]*">/, `<base href="${scope.pathname}">`);
  const headers = new Headers(reply.headers);
  for (const name of ['Content-Encoding', 'Content-Length', 'ETag']) headers.delete(name);
  return new Response(text, { headers });
}
