/** Defaults that are known without loading the queue. */

/** Attempts at a job before it waits in the list of failed jobs. */
export const DEFAULT_ATTEMPTS = 5;
/** Milliseconds before the second attempt; the pause doubles from one to the next. */
export const DEFAULT_BACKOFF_MS = 1000;
