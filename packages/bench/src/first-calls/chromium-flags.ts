/**
 * Flags for a Chromium without a window that calls no other servers. It also runs in containers, without the rights for a sandbox and with
 * little shared memory.
 */
export const HEADLESS_FLAGS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];
