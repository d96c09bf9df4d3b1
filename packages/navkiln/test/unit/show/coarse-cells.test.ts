/**
 * Stairs of eight steps whose risers are at most the climb are walkable, or the diagnosis names cells with which they are: the cell height
 * that rounds the climb down, or cells that are wider than a tread. The oracle is how the stairs were built, and `verifyNavMesh`.
 *
 * NAVKILN_SEED sets the seed of the angles, NAVKILN_STEPS the number of risers.
 */
import { describe, expect, it } from 'vitest';
import { addBox, addFloor, createBuilder, finishMesh } from '../../../../scenes/src/builder.ts';
import { createRandom, nextFloat } from '../../../../scenes/src/random.ts';
import { cosTurn, sinTurn } from '../../../../scenes/src/turn.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../../src/build/voxel/options.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { finerCellHeight } from '../../../src/show/diagnose/cell-height.ts';
import { diagnoseBake } from '../../../src/show/diagnose/diagnose.ts';
import { verifyNavMesh } from '../../../src/show/verify/verify.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const STEPS = Number(process.env['NAVKILN_STEPS'] ?? 2);

interface Stairs {
  positions: Float64Array;
  indices: Uint32Array;
  bottom: number[];
  top: number[];
}

/** Returns stairs of eight steps with exact risers, between two floors, turned by a share of a turn. */
function stairsOf(riser: number, tread: number, turn: number): Stairs {
  const builder = createBuilder();
  addFloor(builder, [-6, -4, 6, 8], 0);
  // Heights are whole numbers until they are multiplied.
  for (let k = 0; k < 8; k++) addBox(builder, [k * tread, 0, 0], [(k + 1) * tread, k + 1, 4]);
  addBox(builder, [8 * tread, 7, -3], [8 * tread + 6, 8, 7]);
  const { positions, indices } = finishMesh(builder);
  const [c, s] = [cosTurn(turn), sinTurn(turn)];
  const place = (p: ArrayLike<number>): number[] => [c * p[0] + s * p[2], riser * p[1], c * p[2] - s * p[0]];
  const moved = Float64Array.from(positions);
  for (let i = 0; i < moved.length; i += 3) moved.set(place(positions.subarray(i, i + 3)), i);
  const [bottom, top] = [
    [-4, 0, 2],
    [8 * tread + 3, 8, 2],
  ].map(place);
  return { positions: moved, indices, bottom, top };
}

const isWalkable = (level: Stairs, options: BuildOptions): boolean =>
  findPath(buildNavMesh(level, options).navMesh, level.bottom, level.top).status === 'complete';

/** Returns what is wrong: stairs that are lost without a word, or a remedy that does not help. */
function faultOf(level: Stairs, options: BuildOptions): string | undefined {
  const { navMesh } = buildNavMesh(level, options);
  const { findings } = diagnoseBake(level, options, navMesh);
  const found = findings.find(({ code }) => code === 'coarse-cells');
  if (findPath(navMesh, level.bottom, level.top).status === 'complete')
    return found && `walkable, but ${found.message}`;
  if (found === undefined) return 'lost without a word';
  const after = { ...options, ...found.changes };
  if (!isWalkable(level, after)) return `not repaired: ${found.message}`;
  const { lost, invented } = verifyNavMesh(level, buildNavMesh(level, after).navMesh, { pairs: 30 });
  return lost + invented > 0 ? `lost ${lost}, invented ${invented}: ${found.message}` : undefined;
}

describe(`stairs of eight steps of at most 47 degrees (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const risers = Array.from({ length: STEPS }, (_, k) => 0.22 + (0.08 * k) / Math.max(1, STEPS - 1));

  it('with default cells, all are walkable where a tread is wider than a cell', () => {
    const faults: string[] = [];
    for (const riser of risers)
      for (const radius of [0.2, 0.3, 0.4, 0.5])
        for (const maxClimb of [riser, 0.3, 0.4]) {
          const turn = nextFloat(random);
          const level = stairsOf(riser, 0.3, turn);
          const agent = { radius, height: 1.8, maxClimb };
          if (!isWalkable(level, { agent }))
            faults.push(`riser ${riser}, radius ${radius}, climb ${maxClimb}, turn ${turn}`);
        }
    expect(faults).toEqual([]);
  });

  it('a cell height that rounds the climb down is named, with one that does not', () => {
    const faults: string[] = [];
    for (const riser of risers)
      for (const cellHeight of [0.2, 0.1, 0.05])
        for (const maxClimb of [riser, 0.3]) {
          const turn = nextFloat(random);
          const fault = faultOf(stairsOf(riser, 0.3, turn), { agent: { maxClimb }, cellHeight });
          if (fault !== undefined)
            faults.push(`riser ${riser}, climb ${maxClimb}, cells ${cellHeight}, turn ${turn}: ${fault}`);
        }
    expect(faults).toEqual([]);
  });

  it('cells that are wider than a tread are named', () => {
    const faults: string[] = [];
    for (const riser of risers)
      for (const tread of [0.28, 0.3]) {
        const turn = nextFloat(random);
        const fault = faultOf(stairsOf(riser, tread, turn), { agent: { radius: 0.6, maxClimb: riser } });
        if (fault !== undefined) faults.push(`riser ${riser}, tread ${tread}, turn ${turn}: ${fault}`);
      }
    expect(faults).toEqual([]);
    const level = stairsOf(0.28, 0.25, 0);
    const options = { agent: { radius: 0.6, maxClimb: 0.4 } };
    const { findings } = diagnoseBake(level, options, buildNavMesh(level, options).navMesh);
    expect(findings[0]).toMatchObject({ code: 'coarse-cells', changes: { cellSize: 0.15 } });
    expect(findings[0].message).toMatch(
      /^cells of 0\.3 are too coarse, and stairs are lost at .*with cellSize 0\.15, a part of 3\d/,
    );
  });

  it('a cell height that divides the climb is round', () => {
    expect([finerCellHeight(0.3, 0.2), finerCellHeight(0.22, 0.1), finerCellHeight(0.4, 0.2)]).toEqual([
      0.15,
      0.055,
      undefined,
    ]);
  });
});
