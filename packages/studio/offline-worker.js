/**
 * The service worker of the page. The build replaces FILES and VERSION. Pages come from the network while there is one; all
 * other files have names with a hash of their content, so a stored one is never outdated.
 */
const NAME = `navkiln-studio ${VERSION}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('navkiln-studio ') && name !== NAME;
  const drop = (names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(
    caches
      .keys()
      .then(drop)
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  if (request.url.includes('/open/')) return;
  const stored = (key) => caches.open(NAME).then((cache) => cache.match(key, { ignoreSearch: true }));
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => stored('./').then((page) => page ?? Response.error())));
  } else event.respondWith(stored(request).then((file) => file ?? fetch(request)));
});
