/**
 * Level kits whose stairs and ramps miss a floor: where, by how much, and what joins them. The oracle is how the kit was built: the step,
 * the gap and their place. Each remedy is applied to the whole level, which `verifyNavMesh` then judges.
 *
 * NAVKILN_SEED sets the seed of the angles and sizes, NAVKILN_KITS the number of kits.
 */
import { createVolumes } from '../../../src/build/voxel/volumes.ts';
import { describe, expect, it } from 'vitest';
import { addBox, addFloor, addRamp, createBuilder, finishMesh } from '../../../../scenes/src/builder.ts';
import type { MeshBuilder } from '../../../../scenes/src/builder.ts';
import { createRandom, nextFloat, nextRange } from '../../../../scenes/src/random.ts';
import { cosTurn, sinTurn } from '../../../../scenes/src/turn.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../../src/build/voxel/options.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { diagnoseBake } from '../../../src/show/diagnose/diagnose.ts';
import type { IslandGap } from '../../../src/show/diagnose/island-gaps.ts';
import { verifyNavMesh } from '../../../src/show/verify/verify.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const KITS = Number(process.env['NAVKILN_KITS'] ?? 12);

interface Kit {
  positions: Float64Array;
  indices: Uint32Array;
  /** The middle of the side of the floor that the stairs or the ramp should reach. */
  edge: number[];
  bottom: number[];
  top: number[];
}

/** Turns a kit about y by a share of a turn, and moves it. */
function placed(builder: MeshBuilder, turn: number, points: number[][]): Kit {
  const { positions, indices } = finishMesh(builder);
  const [c, s] = [cosTurn(turn), sinTurn(turn)];
  const place = (p: ArrayLike<number>): number[] => [c * p[0] + s * p[2] + 3, p[1] + 1, c * p[2] - s * p[0] - 2];
  const moved = Float64Array.from(positions);
  for (let i = 0; i < moved.length; i += 3) moved.set(place(positions.subarray(i, i + 3)), i);
  const [edge, bottom, top] = points.map(place);
  return { positions: moved, indices, edge, bottom, top };
}

interface Miss {
  step: number;
  gap?: number;
  turn: number;
  isRamp?: boolean;
}

/** Returns stairs of eight steps or a ramp from a floor to one above, which misses it by a step and a gap. */
function kitOf({ step, gap = 0, turn, isRamp = false }: Miss): Kit {
  const builder = createBuilder();
  addFloor(builder, [-5, -4, 4, 6], 0);
  const [run, rise, width] = [4, 1.8, 2.6];
  if (isRamp) addRamp(builder, [0, 0, run, width], { bottom: -0.2, low: 0, high: rise, up: 2 });
  else
    for (let k = 0; k < 8; k++)
      addBox(builder, [(k * run) / 8, 0, 0], [((k + 1) * run) / 8, ((k + 1) * rise) / 8, width]);
  const y = rise + step;
  addBox(builder, [run + gap, y - 0.2, -3], [run + gap + 6, y, 5]);
  return placed(builder, turn, [
    [run + gap / 2, rise + step / 2, width / 2],
    [-3, 0, 0],
    [run + gap + 4, y, 1],
  ]);
}

function gapsOf(kit: Kit, options: BuildOptions = {}): IslandGap[] {
  return diagnoseBake(kit, options, buildNavMesh(kit, options).navMesh).islandGaps;
}

const isJoined = (kit: Kit, options: BuildOptions = {}, level: Kit = kit): boolean =>
  findPath(buildNavMesh(level, options).navMesh, kit.bottom, kit.top).status === 'complete';

/** Distance from the side of the floor, in plan. */
const missedBy = (kit: Kit, { position }: IslandGap, turn: number): number =>
  Math.abs(cosTurn(turn) * (position[0] - kit.edge[0]) - sinTurn(turn) * (position[2] - kit.edge[2]));

const optionsOf = ({ changes }: IslandGap): BuildOptions => ({
  agent: { maxClimb: changes['agent.maxClimb'] ?? 0.4 },
  ...(changes['cellHeight'] !== undefined && { cellHeight: changes['cellHeight'] }),
});

describe(`kits that miss a floor (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const turns = Array.from({ length: KITS }, (_, k) => (k === 0 ? 0 : nextFloat(random)));

  it('a step of 0.01 to 2 climbs: places above the climb are named, and what joins them does', () => {
    const climb = 0.4;
    const faults: string[] = [];
    turns.forEach((turn, k) => {
      const isRamp = k % 2 === 1;
      // Every third is near a limit.
      const limits = [0.41, 0.5, 0.52, 0.78, 0.79, 0.82, 0.9];
      const step = k % 3 === 0 ? limits[(k / 3) % limits.length] : nextRange(random, 0.01, 2) * climb;
      const kit = kitOf({ step, turn, isRamp });
      const name = `${isRamp ? 'ramp' : 'stairs'}, step ${step.toFixed(3)}, turn ${turn}`;
      const gaps = gapsOf(kit);
      const isOne = isJoined(kit);
      // Heights are rounded to cells, so a step of up to a cell more may be climbed.
      if (step <= climb && !isOne) faults.push(`${name}: not joined`);
      if (step > climb + 0.11 && isOne) faults.push(`${name}: joined`);
      if (isOne || step > 2 * climb) {
        if (gaps.length > 0) faults.push(`${name}: named, ${gaps[0].message}`);
        return;
      }
      const [found] = gaps;
      if (found === undefined) return faults.push(`${name}: not named`);
      if (found.kind !== 'step' || Math.abs(found.step - step) > 0.06) faults.push(`${name}: ${found.message}`);
      if (missedBy(kit, found, turn) > 0.2) faults.push(`${name}: at ${found.position.join()}`);
      const options = optionsOf(found);
      if (options.agent!.maxClimb! > step + 0.2) faults.push(`${name}: ${found.message}, which is too much`);
      const { navMesh } = buildNavMesh(kit, options);
      const { lost, invented, falseDoors } = verifyNavMesh(kit, navMesh, { pairs: 40 });
      if (!isJoined(kit, options) || lost + invented + falseDoors > 0) faults.push(`${name}: not joined by the remedy`);
      return undefined;
    });
    expect(faults).toEqual([]);
  });

  it('a gap under two cells: it is named, and closing it joins the parts', () => {
    const faults: string[] = [];
    let named = 0;
    turns.forEach((turn, k) => {
      const isRamp = k % 2 === 0;
      const gap = k % 4 === 0 ? [0.35, 0.39, 0.41, 0.45, 0.3, 0.05][(k / 4) % 6] : nextRange(random, 0.02, 0.6);
      const step = nextRange(random, -0.1, 0.1);
      const kit = kitOf({ step, gap, turn, isRamp });
      const name = `${isRamp ? 'ramp' : 'stairs'}, gap ${gap.toFixed(3)}, turn ${turn}`;
      const gaps = gapsOf(kit);
      if (isJoined(kit) || gap > 0.4) {
        if (gaps.length > 0) faults.push(`${name}: named, ${gaps[0].message}`);
        return;
      }
      const [found] = gaps;
      if (found === undefined) return faults.push(`${name}: not named`);
      named++;
      if (found.kind !== 'gap' || Math.abs(found.gap - gap) > 0.02) faults.push(`${name}: ${found.message}`);
      if (missedBy(kit, found, turn) > 0.1) faults.push(`${name}: at ${found.position.join()}`);
      if (!isJoined(kit, {}, kitOf({ step, turn, isRamp }))) faults.push(`${name}: not joined when closed`);
      return undefined;
    });
    expect(faults).toEqual([]);
    expect(named).toBeGreaterThan(0);
  });
});

describe('places', () => {
  it('one floor, and floors a storey apart, have none', () => {
    expect(gapsOf(kitOf({ step: 0.2, turn: 0.1 }))).toEqual([]);
    const builder = createBuilder();
    addFloor(builder, [0, 0, 10, 10], 0);
    addBox(builder, [4, 1.2, 4], [9, 1.4, 9]);
    expect(
      gapsOf(
        placed(builder, 0.05, [
          [0, 0, 0],
          [1, 0, 1],
          [6, 1.4, 6],
        ]),
      ),
    ).toEqual([]);
  });

  it('a wall is no step, and furniture is no part', () => {
    const builder = createBuilder();
    addFloor(builder, [0, 0, 20, 10], 0);
    addBox(builder, [10, -0.5, 0], [10.3, 3, 10]);
    for (let k = 0; k < 4; k++) addBox(builder, [2 + 4 * k, 0, 2], [4 + 4 * k, 0.6, 4]);
    expect(
      gapsOf(
        placed(builder, 0.3, [
          [0, 0, 0],
          [1, 0, 1],
          [19, 0, 1],
        ]),
      ),
    ).toEqual([]);
  });

  it('in tiles, with volumes and areas of triangles', () => {
    const kit = kitOf({ step: 0.6, turn: 0.2 });
    const areas = new Uint8Array(kit.indices.length / 3).fill(5);
    const options: BuildOptions = {
      tileSize: 4,
      volumes: createVolumes([{ type: 'box', min: [90, 0, 90], max: [91, 1, 91], area: 0 }]),
    };
    const { navMesh } = buildNavMesh({ ...kit, areas }, options);
    const { islandGaps, untriedGaps } = diagnoseBake({ ...kit, areas }, options, navMesh);
    expect(islandGaps[0]).toMatchObject({ kind: 'step', gap: 0, area: expect.any(Number) });
    expect(untriedGaps).toBe(0);
    expect(isJoined(kit, { ...options, ...optionsOf(islandGaps[0]) })).toBe(true);
  });
});
