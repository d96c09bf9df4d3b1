/**
 * Registers the service worker, with which the page works offline after the first visit. A page on this computer needs none,
 * unless its address has ?offline.
 */
export function registerOffline(): void {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  if (!('serviceWorker' in navigator) || (isLocal && !location.search.includes('offline'))) return;
  // Without it the page works, but only online.
  navigator.serviceWorker.register('./offline.js').catch(() => undefined);
}
