/**
 * Levels whose parts do not quite meet: gaps up to `maxGap` are joined, wider ones are not, and each is reported.
 *
 * A kit of slabs at any angle, some of them a step higher, with gaps of random widths between them, which may be wedges.
 * The oracle knows which gaps are narrow enough. A fence in a gap keeps it closed.
 */
import { monotonePartition } from '../../src/build/voxel/regions/monotone.ts';
import { describe, expect, it } from 'vitest';
import { findLevelScene } from 'navkiln-scenes';
import { createRandom } from '../../src/base/data/random.ts';
import { areOnOneIsland, refreshIslands } from '../../src/mesh/islands.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { findDistanceToWall } from '../../src/query/walk/wall.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded } from '../unit/meshes.ts';
import { buildValid, floors, soup, wall } from '../unit/build/surface/levels.ts';

const SEEDS = Number(process.env.NAVKILN_GAP_SEEDS ?? 12);
const MAX_GAP = 0.2;
const CLIMB = 0.4;

interface Kit {
  positions: number[];
  /** The middle of each slab, and whether it is joined to the one before. */
  middles: number[][];
  isJoined: boolean[];
  isNarrow: boolean[];
}

/** A row of slabs with a gap before each but the first. */
function randomKit(seed: number): Kit {
  const next = seeded(seed);
  const turn = 2 * Math.PI * next();
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const far = next() < 0.3 ? 2000 : 10;
  const move = [far * next(), 3 * next(), far * next()];
  const place = (xyz: readonly number[]): number[] => {
    const [x, y, z] = xyz;
    return [cos * x - sin * z + move[0], y + move[1], sin * x + cos * z + move[2]];
  };
  const positions: number[] = [];
  const add = (flat: readonly number[]): void => {
    for (let k = 0; k < flat.length; k += 3) positions.push(...place(flat.slice(k, k + 3)));
  };
  const middles: number[][] = [];
  const isJoined: boolean[] = [];
  const isNarrow: boolean[] = [];
  const width = 3 + 3 * next();
  let y = 0;
  // Where the last slab ends, on both sides.
  let [left, right] = [0, 0];
  for (let k = 0; k < 6; k++) {
    const kind = next();
    // Narrow gaps, wedges and wide gaps.
    const gap = kind < 0.6 ? 0.02 + 0.15 * next() : 0.3 + 0.3 * next();
    const hasFence = next() < 0.15;
    const wedge = kind < 0.3 && !hasFence ? 0.1 * gap * next() : gap;
    const step = next() < 0.4 ? 0.35 * next() : 0;
    const [from0, from1] = k === 0 ? [0, 0] : [left + gap, right + wedge];
    y += k === 0 ? 0 : step;
    const [to0, to1] = [Math.max(from0, from1) + 2 + 2 * next(), Math.max(from0, from1) + 2 + 2 * next()];
    // The top, and sides that hang down from it.
    const ring = [
      [from0, y, 0],
      [from1, y, width],
      [to1, y, width],
      [to0, y, 0],
    ];
    add([ring[0], ring[1], ring[2], ring[0], ring[2], ring[3]].flat());
    ring.forEach(([x, , z], i) => add(wall(x, z, ring[(i + 1) % 4][0], ring[(i + 1) % 4][2], y - 0.3, y)));
    if (hasFence && k > 0) {
      const [at0, at1] = [(left + from0) / 2, (right + from1) / 2];
      add(wall(at0 + (at0 - at1) / 8, -width / 8, at1 + (at1 - at0) / 8, (9 * width) / 8, y - 1, y + 2));
    }
    middles.push(place([(from0 + from1 + to0 + to1) / 4, y, width / 2]));
    isJoined.push(gap < MAX_GAP && !hasFence);
    isNarrow.push(gap < MAX_GAP);
    [left, right] = [to0, to1];
  }
  return { positions, middles, isJoined, isNarrow };
}

describe('gaps', () => {
  it.each(Array.from({ length: SEEDS }, (_, k) => k + 1))('are joined up to maxGap, seed %i', (seed) => {
    const { positions, middles, isJoined, isNarrow } = randomKit(seed);
    const next = seeded(seed + 1e6);
    const halfExtents = [0.02, 0.1, 0.02];
    for (const tileSize of [undefined, 3 + 6 * next()]) {
      const agent = { radius: next() < 0.3 ? 0 : MAX_GAP * (1.2 + 2 * next()), maxClimb: CLIMB };
      const { navMesh, report } = buildValid(soup(positions), {
        agent,
        maxGap: MAX_GAP,
        ...(tileSize && { tileSize }),
      });
      for (let k = 1; k < middles.length; k++) {
        const { status } = findPath(navMesh, middles[k - 1], middles[k], { halfExtents });
        expect(status === 'complete', `gap ${k}, ${JSON.stringify(agent)}, tiles ${tileSize}`).toBe(isJoined[k]);
      }
      const joined = report.warnings.find(({ code }) => code === 'joined-gaps');
      expect(joined !== undefined).toBe(isNarrow.includes(true, 1));
      for (const { width } of joined?.gaps ?? []) expect(width).toBeLessThanOrEqual(MAX_GAP + 1e-9);
    }
  });

  it('are filled where they cross', () => {
    const slabs = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [3.1 * i, 3.1 * j, 3.1 * i + 3, 3.1 * j + 3, 0]));
    const level = soup(floors(...slabs), wall(0, 0, 9.2, 0, 0, 2));
    const { navMesh } = buildValid(level, { agent: { radius: 0.4 } });
    // No hole is left: the wall nearest to a crossing is the border.
    for (const at of [
      [3.05, 0, 3.05],
      [6.15, 0, 6.15],
    ])
      expect(findDistanceToWall(navMesh, at, 5, { halfExtents: [0.1, 0.1, 0.1] }).distance).toBeGreaterThan(2.5);
  });

  it.each(['tower', 'house'])('of the scene %s lose no path that a voxel bake has', (name) => {
    const { create, options } = findLevelScene(name);
    const { positions, indices } = create();
    const surface = buildValid({ positions, indices }, { agent: options.agent }).navMesh;
    const rest = { filterLedges: false, regionMinArea: 0, partition: monotonePartition };
    const voxels = buildNavMesh(
      { positions, indices },
      { agent: options.agent, cellSize: 0.2, cellHeight: 0.1, ...rest },
    );
    const { navMesh } = voxels;
    refreshIslands(surface);
    const random = createRandom(5);
    const ends: { surface: number; voxel: number; at: readonly number[] }[] = [];
    while (ends.length < 100) {
      const at = findRandomPoint(navMesh, random).point;
      const voxel = findNearest(navMesh, at, { halfExtents: [1e-3, 0.01, 1e-3] });
      if (!voxel.found || findDistanceToWall(navMesh, at, 1).distance < 0.42) continue;
      const near = findNearest(surface, at, { halfExtents: [0.01, options.agent!.maxClimb! + 0.2, 0.01] });
      expect(near.found, at.join(', ')).toBe(true);
      ends.push({ surface: near.poly, voxel: voxel.poly, at });
    }
    let joined = 0;
    for (let k = 1; k < ends.length; k++) {
      const [a, b] = [ends[k - 1], ends[k]];
      if (areOnOneIsland(navMesh, a.voxel, b.voxel) !== 1) continue;
      joined++;
      expect(areOnOneIsland(surface, a.surface, b.surface), `${a.at} to ${b.at}`).toBe(1);
    }
    expect(joined).toBeGreaterThan(15);
  });
});
