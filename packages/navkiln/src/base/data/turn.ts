/**
 * Returns control to the event loop, so that messages, timers and drawing run.
 *
 * Pages wait at least 4 ms in nested timers of 0 ms, so a message is used there; Node has an immediate.
 *
 * Based on: own.
 */
interface Scope {
  setImmediate?: (act: () => void) => void;
}

/** Resolves in a later turn of the event loop. */
export function nextTurn(): Promise<void> {
  const { setImmediate: soon } = globalThis as Scope;
  return new Promise((resolve) => {
    if (soon !== undefined) soon(resolve);
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }
  });
}
