/**
 * Tiny random levels and maps with random options, through all builders: each mesh is valid, loads from its bytes and
 * saves again to the same bytes, and a second bake has the same bytes. Levels with extreme numbers (1e300, NaN,
 * denormals) are built or refused, and end.
 *
 * `npm run soak -- bakes` runs the same trials at length. NAVKILN_SEED sets the first seed, NAVKILN_BAKES the number of
 * trials per kind.
 */
import { expect, it } from 'vitest';
import { KINDS, createTrial } from '../../../../tools/soak/bakes.mjs';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { cutByDiagonals } from '../../src/build/polygon/diagonal/diagonal.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel, moveLevel } from '../../src/world/levels/levels.ts';
import { updateWorld } from '../../src/world/levels/update.ts';
import { createSurfaceWorld } from '../../src/world/levels/surface.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);
const BAKES = Number(process.env.NAVKILN_BAKES ?? 40);

const trial = createTrial({
  buildNavMesh,
  optionsFromSettings,
  buildFromSurface,
  buildFromPolygons,
  cutByDiagonals,
  createWorld,
  createSurfaceWorld,
  addLevel,
  moveLevel,
  updateWorld,
  validateNavMesh,
  saveNavMesh,
  loadNavMesh,
});

/** Seeds whose mesh was not valid: polygons that turn back at the end of a wall, or are not convex. */
const FAILED: readonly (readonly [kind: string, seed: number])[] = [
  ['surface', 779],
  ['surface', 2197],
  ['surface', 6820],
  ['surface', 10207],
  ['surface', 11560],
  ['surface', 14405],
  ['voxel', 16889],
  ['voxel', 25834],
  ['voxel', 25929],
];

it.each(FAILED)('builds a sound mesh: %s, seed %i', (kind, seed) => {
  expect(trial(kind, seed)).toMatchObject({ outcome: 'sound', what: '' });
});

it.each(KINDS)(`%s: ${BAKES} random trials from seed ${SEED}`, (kind: string) => {
  // Bakes with extreme numbers may fill the memory of their limit.
  const count = kind === 'extreme' ? BAKES / 4 : BAKES;
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  for (let seed = SEED; seed < SEED + count; seed++) {
    const { outcome, what } = trial(kind, seed);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (outcome === 'failed') failures.push(`seed ${seed}: ${what}`);
  }
  expect(failures).toEqual([]);
  expect(outcomes.sound).toBeGreaterThan(count / 10);
});
