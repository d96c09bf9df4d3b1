/** The box around a mesh. */
import type { NavMesh } from './types.ts';

/** Sets `out` to min xyz, max xyz of all tiles with polygons. Returns false, and leaves `out` as it is, when there are none. */
export function setMeshBox(
  out: Float64Array,
  { tileSlotCount, tileState, tilePolyCount, tileBounds }: NavMesh,
): boolean {
  let isFound = false;
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1 || tilePolyCount[slot] === 0) continue;
    for (let k = 0; k < 3; k++) {
      const low = tileBounds[6 * slot + k];
      const high = tileBounds[6 * slot + 3 + k];
      if (!isFound || low < out[k]) out[k] = low;
      if (!isFound || high > out[3 + k]) out[3 + k] = high;
    }
    isFound = true;
  }
  return isFound;
}
