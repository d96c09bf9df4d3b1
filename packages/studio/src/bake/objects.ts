/** Joins the groups of a level file to objects: groups of the same name and material are one. Loaded with the first file. */
import type { LevelGroup } from 'navkiln/io';
import type { LevelObject } from '../state/state.ts';

export function objectsOf(groups: readonly LevelGroup[]): LevelObject[] {
  const objects = new Map<string, LevelObject & { ranges: (readonly [number, number])[] }>();
  for (const { name, material, triangleStart, triangleCount } of groups) {
    const key = JSON.stringify([name, material]);
    const found = objects.get(key) ?? { name, material, triangleCount: 0, ranges: [] };
    found.ranges.push([triangleStart, triangleCount]);
    found.triangleCount += triangleCount;
    objects.set(key, found);
  }
  return [...objects.values()];
}
