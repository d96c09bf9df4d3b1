/** Tells whether a bake needs advice. The advice itself is in advice.ts, which is loaded when it is needed. */
import type { NavMesh } from 'navkiln';
import type { BuildWarning } from 'navkiln/build';
import { deriveConfig } from './settings.ts';
import type { StudioState } from './state.ts';

/** Share of the triangles that face one direction below which the walkable surface is suspiciously small. */
const TINY_SHARE = 0.01;
/** How many times more area must face another direction than up to suspect that direction. */
export const ELSEWHERE = 10;
/** Levels of more agent heights are suspected to be in centimeters when they cannot be baked. */
export const HUGE = 400;

/** Returns whether the last bake failed in a known way, or gave no walkable surface or almost none. */
export function needsAdvice(state: StudioState): boolean {
  const { mesh, level, map, job } = state;
  if (level !== undefined && mesh === undefined && job.status === 'failed') {
    const [width, , depth] = level.measure.size;
    return Math.max(width, depth) > HUGE * heightOf(state);
  }
  if (mesh?.report === undefined) return false;
  // A map has no other fault, so its area, which takes long for a large map, is not needed.
  if (level === undefined) return map !== undefined && mesh.navMesh.polyCount === 0;
  const area = surfaceArea(mesh.navMesh);
  // Without a warning, it is empty because its tiles were removed by hand.
  if (area === 0) return emptyWarning(state) !== undefined;
  const { up, down, plusZ, minusZ } = level.measure;
  const most = Math.max(up, down, plusZ, minusZ);
  return area < TINY_SHARE * most || most > ELSEWHERE * up;
}

/** Returns whether a level of a file is so large that it was most likely exported in another unit. */
export function seemsHuge(state: StudioState): boolean {
  const { level, source, edits } = state;
  if (level === undefined || source?.kind !== 'files' || edits.correction !== undefined) return false;
  const [width, , depth] = level.measure.size;
  return Math.max(width, depth) > HUGE * heightOf(state);
}

export function emptyWarning({ mesh }: StudioState): BuildWarning | undefined {
  const warnings = (mesh?.report?.warnings ?? []) as readonly BuildWarning[];
  return warnings.find(({ code }) => code === 'empty-result');
}

const areas = new WeakMap<NavMesh, number>();

/** Returns the area of all polygons, seen from above. */
export function surfaceArea(mesh: NavMesh): number {
  const known = areas.get(mesh) ?? measureSurface(mesh);
  areas.set(mesh, known);
  return known;
}

function measureSurface({ tileSlotCount, tileState, tilePolyStart, tilePolyCount, ...mesh }: NavMesh): number {
  const { polyEdgeStart, polyVertexCount, edgeVertex, vertices } = mesh;
  let double = 0;
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1) continue;
    for (let poly = tilePolyStart[slot]; poly < tilePolyStart[slot] + tilePolyCount[slot]; poly++) {
      const [start, count] = [polyEdgeStart[poly], polyVertexCount[poly]];
      for (let k = 0; k < count; k++) {
        const [a, b] = [3 * edgeVertex[start + k], 3 * edgeVertex[start + ((k + 1) % count)]];
        double += vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2];
      }
    }
  }
  return Math.abs(double) / 2;
}

export function heightOf({ mesh, settings }: StudioState): number {
  return mesh?.navMesh.agent.height ?? deriveConfig(settings)?.agent.height ?? 2;
}
