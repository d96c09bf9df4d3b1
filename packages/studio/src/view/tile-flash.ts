/** Lets rebuilt tiles flash: their surface is bright for a moment. Loaded with the first rebuilt tile. */
import { navMeshTriangles } from 'navkiln/debug';
import { findTile } from 'navkiln/kernel';
import { originOf } from '../state/state.ts';
import type { StudioState } from '../state/state.ts';
import { drawingOf } from './debug-geometry.ts';
import { disposeObject, drawn } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import type { Palette } from './palette.ts';
import type { View } from './view.ts';

const SECONDS = 0.7;
const OPACITY = 0.75;
/** Surfaces that fade at a time. */
const MAX_FLASHES = 12;

let fading = 0;

/** Flashes the tiles that the last bake of the state has rebuilt. */
export function flashTiles(view: View, state: StudioState, palette: Palette): void {
  const { mesh } = state;
  if (mesh?.rebuilt === undefined || fading >= MAX_FLASHES) return;
  const { navMesh } = mesh;
  const polys = new Set<number>();
  for (const [x, z] of mesh.rebuilt) {
    const slot = findTile(navMesh, x, z);
    if (slot < 0) continue;
    for (let i = 0; i < navMesh.tilePolyCount[slot]; i++) polys.add(navMesh.tilePolyStart[slot] + i);
  }
  if (polys.size === 0) return;
  const geometry = navMeshTriangles(navMesh, { lift: 0.03, filter: (poly) => polys.has(poly) });
  const style = { color: palette.portal, colors: undefined, opacity: OPACITY, lift: 3, order: 4, isGhost: true };
  const object = drawn(drawingOf(geometry, originOf(state), style as Partial<Drawing>));
  view.root.add(object);
  fading++;
  let left = SECONDS;
  const stop = view.onFrame((seconds) => {
    left -= seconds;
    if (left <= 0) {
      stop();
      fading--;
      view.root.remove(object);
      disposeObject(object);
    } else (object as unknown as { material: { opacity: number } }).material.opacity = (OPACITY * left) / SECONDS;
    return true;
  });
  view.invalidate();
}
