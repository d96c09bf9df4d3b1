/**
 * Runs a function, and replaces the function name in its error messages by that of the function that the user called.
 */

/**
 * Runs `work`. In RangeErrors and TypeErrors that it throws, replaces the part of the message that matches
 * `pattern`: the name of the function, unless a caller passes another pattern. @internal
 */
export function renameRefusals<T>(caller: string, work: () => T, pattern: RegExp = /^\w+/): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      error.message = error.message.replace(pattern, caller);
    }
    throw error;
  }
}
