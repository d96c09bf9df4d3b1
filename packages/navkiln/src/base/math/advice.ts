/**
 * What messages about wrong arguments add when they recognize the slip: nothing, unless `base/advice/install.ts` was loaded. Entries for
 * Node and for development load it; bundles of pages that are published do not contain its texts.
 */

export interface Advice {
  /**
   * Returns text that follows a message about a wrong value, or '' if nothing is recognized. For an unknown key, returns the question that
   * replaces the list of known keys.
   *
   * @param path how the message calls the value; for an unknown key, the object that has it
   * @param value the wrong value, or the unknown key
   * @param mustBe what the message demands, or the known keys
   */
  of: (path: string, value: unknown, mustBe: string | readonly string[]) => string;
}

export const advice: Advice = { of: () => '' };
