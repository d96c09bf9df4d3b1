/** The areas of a mesh: which are in use, their names and their costs. */
import { AREA_GROUND } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { StudioState } from './state.ts';

/** Returns the number of polygons of each area in use, by area id. */
export function areasInUse({
  tileSlotCount,
  tileState,
  tilePolyStart,
  tilePolyCount,
  polyArea,
}: NavMesh): Map<number, number> {
  const counts = new Map<number, number>();
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1) continue;
    for (let i = 0; i < tilePolyCount[slot]; i++) {
      const area = polyArea[tilePolyStart[slot] + i];
      counts.set(area, (counts.get(area) ?? 0) + 1);
    }
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/** Returns whether there are other areas than ground. */
export function hasAreas({ mesh }: StudioState): boolean {
  return mesh !== undefined && [...areasInUse(mesh.navMesh).keys()].some((area) => area !== AREA_GROUND);
}

/** Returns the name of an area: that of the 2D map, the one that the user gave, or its number. */
export function nameOfArea({ mesh, edits }: StudioState, area: number): string {
  const ofMap = mesh?.areas?.find(({ id }) => id === area)?.name;
  return ofMap ?? edits.areaNames?.[area] ?? (area === AREA_GROUND ? 'Ground' : `Area ${area}`);
}

/** Returns the cost of an area without the user's: that of the 2D map, or 1. */
export function ownCostOf({ mesh }: StudioState, area: number): number {
  return mesh?.areas?.find(({ id }) => id === area)?.cost ?? 1;
}

/** Returns the numbers of the flags that are set: '1, 3', or 'none'. */
export function flagsText(flags: number): string {
  const numbers = Array.from({ length: 16 }, (_, i) => i + 1).filter((number) => (flags >> (number - 1)) & 1);
  return numbers.length === 0 ? 'none' : numbers.join(', ');
}
