/** Adds the wrong part of a scene to error messages. Based on: own. */

/**
 * Returns the result of `work`. When another function throws for a part of the setup, the error also names the caller
 * and the part: `startCrowdRun: setup.agents[3]: addAgent: options.radius is -1; must be > 0`.
 */
export function locating<T>(caller: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    if (!(error instanceof Kind)) throw error;
    throw new Kind(`${caller}: ${path === '' ? '' : `${path}: `}${error.message}`, { cause: error });
  }
}
