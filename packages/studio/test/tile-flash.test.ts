/** The flash of rebuilt tiles: it covers them and nothing else, fades, and goes. */
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { Box3, Group, Vector3 } from 'three';
import type { Mesh, MeshBasicMaterial } from 'three';
import { expect, it } from 'vitest';
import { createState } from '../src/state/state.ts';
import type { MeshData } from '../src/state/state.ts';
import { LIGHT } from '../src/view/palette.ts';
import { flashTiles } from '../src/view/tile-flash.ts';
import type { View } from '../src/view/view.ts';

const TILE = 8;

it('covers the rebuilt tiles, fades within a second, and is removed', () => {
  const { create, options } = findLevelScene('courtyard');
  const { navMesh } = buildNavMesh(create(), { ...options, tileSize: TILE });
  expect(navMesh.tileState.filter((one) => one === 1).length).toBeGreaterThan(4);
  const rebuilt = [
    [navMesh.tileX[0], navMesh.tileZ[0]],
    [navMesh.tileX[3], navMesh.tileZ[3]],
  ] as [number, number][];
  const state = { ...createState(), mesh: { id: 1, navMesh, rebuilt } as unknown as MeshData };
  const root = new Group();
  let step: ((seconds: number) => boolean) | undefined;
  const view = {
    root,
    invalidate: () => undefined,
    onFrame(next: (seconds: number) => boolean) {
      step = next;
      return () => void (step = undefined);
    },
  } as unknown as View;
  flashTiles(view, state, LIGHT);
  const flash = root.children[0] as Mesh;
  flash.geometry.computeBoundingBox();
  const wanted = new Box3();
  for (const slot of [0, 3]) {
    const [x0, y0, z0, x1, y1, z1] = navMesh.tileBounds.subarray(6 * slot, 6 * slot + 6);
    wanted.expandByPoint(new Vector3(x0, y0, z0)).expandByPoint(new Vector3(x1, y1 + 0.1, z1));
  }
  expect(wanted.containsBox(flash.geometry.boundingBox!)).toBe(true);
  const triangles = flash.geometry.index!.count / 3;
  const ofTiles = [0, 3].reduce((sum, slot) => {
    const first = navMesh.tilePolyStart[slot];
    const polys = Array.from({ length: navMesh.tilePolyCount[slot] }, (_, i) => first + i);
    return sum + polys.reduce((count, poly) => count + navMesh.polyDetailTriCount[poly], 0);
  }, 0);
  expect(triangles).toBe(ofTiles);
  const opacities: number[] = [];
  for (let frame = 0; frame < 60 && step !== undefined; frame++) {
    opacities.push((flash.material as MeshBasicMaterial).opacity);
    expect(step(1 / 60)).toBe(true);
  }
  expect(opacities.length).toBeLessThan(60);
  expect(opacities).toEqual(opacities.toSorted((a, b) => b - a));
  expect(new Set(opacities).size).toBeGreaterThan(20);
  expect(root.children).toHaveLength(0);
  // A full bake does not flash.
  flashTiles(view, { ...state, mesh: { ...state.mesh, rebuilt: undefined } }, LIGHT);
  expect(root.children).toHaveLength(0);
});
