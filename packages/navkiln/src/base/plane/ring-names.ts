/**
 * Remembers where the rings of a 2D map come from, such as "town.geojson, feature 3", for messages about them. A ring that is copied has no
 * name.
 *
 * Cost: constant.
 * Based on: own.
 */

const names = /* @__PURE__ */ new WeakMap<object, string>();

/** Names a ring. Returns the ring. */
export function nameRing<T extends object>(ring: T, name: string | undefined): T {
  if (name !== undefined) names.set(ring, name);
  return ring;
}

/** Returns the name of a ring; undefined when it has none. */
export function ringNameOf(ring: object): string | undefined {
  return names.get(ring);
}
