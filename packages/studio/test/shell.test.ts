/**
 * Outer walls and roofs that hide rooms. The oracle is what a camera sees: rays from the floors of rooms towards it, before and after, against
 * the triangles that turn their face to it.
 */
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import { FrontSide, Ray, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { runTask } from '../src/bake/run-task.ts';
import { createState } from '../src/state/state.ts';
import type { LevelData, MeshData, Shell, StudioState } from '../src/state/state.ts';
import { createPicking } from '../src/view/picking.ts';
import { findShell } from '../src/view/shell.ts';

async function open(name: string): Promise<{ state: StudioState; shell: Shell | undefined }> {
  const context = { onProgress: () => undefined, polite: false, held: undefined, baked: undefined };
  const loaded = await runTask({ type: 'scene', name }, context);
  if (loaded.kind !== 'level') throw new Error(`${name} is no level`);
  const { positions, indices } = loaded;
  const level = { id: 1, ...loaded, opened: { positions, indices }, correction: undefined } as LevelData;
  const { navMesh, report } = buildNavMesh({ positions, indices }, findLevelScene(name).options);
  const mesh = { id: 2, navMesh, report, bounds: loaded.bounds } as MeshData;
  const state = { ...createState(), level, mesh };
  return { state, shell: await findShell(level, mesh, createPicking().levelTree(state)!) };
}

it('shows the rooms of a house, and picks the surface in them', async () => {
  const { state, shell } = await open('house');
  expect(shell).toBeDefined();
  const picking = createPicking();
  const { bvh } = picking.levelTree(state)!;
  const towards = new Vector3(0.36, 0.68, 0.64).normalize();
  // The middle storey; its rooms are between the walls of the house.
  const floor: Vector3[] = [];
  for (let x = 0.6; x < 16; x += 0.5) for (let z = 8; z < 12; z += 0.5) floor.push(new Vector3(x, 2.85, z));
  const isSeen = (from: Vector3, hidden: (triangle: number) => boolean): boolean => {
    // From the camera, so that triangles that face it count.
    const ray = new Ray(from.clone().addScaledVector(towards, 100), towards.clone().negate());
    return !bvh.raycast(ray, FrontSide).some(({ faceIndex, distance }) => distance < 99.5 && !hidden(faceIndex!));
  };
  const before = floor.filter((point) => isSeen(point, () => false)).length;
  const after = floor.filter((point) => isSeen(point, (triangle) => shell!.triangles[triangle] === 1)).length;
  expect(before).toBe(0);
  expect(after / floor.length).toBeGreaterThan(0.15);
  expect(shell!.solid.length + shell!.outer.length).toBe(state.level!.indices.length);
  // A ray through the roof hits the floor below it.
  const ray = { origin: [2.5, 30, 3], direction: [0, -1, 0] } as const;
  expect(picking.pick(state, ray)!.point[1]).toBeGreaterThan(8);
  expect(picking.pick({ ...state, shell }, ray)!.point[1]).toBeLessThan(7);
});

it.each(['dungeon', 'terrain'])('%s has no rooms', async (name) => {
  expect((await open(name)).shell).toBeUndefined();
});
