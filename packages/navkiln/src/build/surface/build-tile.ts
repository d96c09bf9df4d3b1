/**
 * Builds one tile of a surface mesh, stage by stage.
 *
 * A tile depends on the triangles that come within its rim and on their order, and on nothing else. So it can be
 * built alone, and again after a level has changed; `buildFromSurface` builds its tiles in the same manner. The
 * surface in the rim only decides where borders are open.
 *
 * In: the triangles a tile sees.
 * Out: `TileData`, or null when nothing is left.
 * Cost: that of the stages.
 * Based on: own.
 */
import type { TileData, TileSettings } from '../../mesh/types.ts';
import { closeOverlaps } from './border.ts';
import { bridgeGaps } from './bridge.ts';
import type { OnGap } from './bridge.ts';
import { clearGround } from './clear.ts';
import { conformGround, stepReach, widestCrack } from './conform.ts';
import { fillHoles } from './holes.ts';
import { insetGround } from './inset.ts';
import { dropIslands, findIslands } from './islands.ts';
import { matchEdges } from './weld/match.ts';
import { mergeGround } from './merge.ts';
import type { Pieces } from './merge.ts';
import { findNearMisses } from './near-misses.ts';
import { GAP_HEIGHTS } from './options.ts';
import type { SurfaceConfig, SurfaceStage } from './options.ts';
import { ownGround } from './weld/own.ts';
import { thinOut } from './thin-out.ts';
import { createSurfaceTile } from './tile.ts';
import type { Ground, PointTable, Surroundings, TileInput, TileSquare } from './types.ts';
import { easeSteps, groupPoints } from './weld/vertices.ts';
import { weldGround, weldedGround } from './weld/weld.ts';
import type { WeldSpace } from './weld/weld.ts';

/** Totals over all tiles. */
export interface TileCounts {
  splitTriangles: number;
  steps: number;
  /** Islands inside tiles. */
  islands: number;
  droppedIslands: number;
}

export interface TileRun {
  config: SurfaceConfig;
  settings: TileSettings;
  space: WeldSpace;
  counts: TileCounts;
  stage: <T>(stage: SurfaceStage, work: () => T) => T;
  /** Called with the ground triangle that the first dropped island begins with. */
  dropped: (first: number) => void;
  /** Called for edges that nearly meet; undefined: these edges are not searched. */
  missed?: OnGap;
  /** Called for gaps that were joined. */
  bridged?: OnGap;
}

/** The result of a tile: null when it is empty. `source`: the ground triangle that each polygon begins with. */
export interface BuiltTile {
  tile: TileData | null;
  source: Int32Array;
}

export function buildTile(run: TileRun, input: TileInput, square: TileSquare | undefined): BuiltTile {
  const {
    config: { agent, clearance, islandMinArea, maxGap, maxVerticesPerPoly, mergeDegrees },
    counts,
    space,
    stage,
  } = run;
  const { table } = space;
  let ground = stage('weld', () => weldGround(input, square, space));
  let conforming = joinGround(run, ground, input);
  const reach = stepReach(agent, table);
  const joined = Math.max(maxGap ?? 0, table.tolerance);
  if (joined > table.tolerance) {
    const limits = { maxGap: joined, reach, extends: clearance !== false && agent.radius > 0 };
    const bridges = stage('bridge', () => bridgeGaps(conforming.ground, space, limits, run.bridged));
    if (bridges > 0) conforming = joinGround(run, weldedGround(space), input);
  }
  const { missed } = run;
  if (missed !== undefined) {
    // Wider gaps between islands are intended.
    const widest = Math.max(agent.radius, GAP_HEIGHTS * agent.height);
    stage('bridge', () => findNearMisses(conforming.ground, table, { joined, widest, reach }, missed));
  }
  if (agent.radius > 0) {
    // Walls are further away than the radius afterwards.
    conforming = stage('inset', () =>
      conform(run, insetGround(conforming.ground, table, agent), table, {
        ...input,
        wallVertex: new Int32Array(0),
      }),
    );
  }
  const hasSteps = conforming.steps > 0;
  ground = stage('islands', () => {
    const own = ownGround(conforming.ground, table, hasSteps);
    counts.steps += own.steps;
    // With several tiles, islands are counted when all tiles are joined.
    if (islandMinArea === 0 && square !== undefined) return own.ground;
    const islands = findIslands(own.ground, table);
    const kept = dropIslands(own.ground, table, islands, islandMinArea);
    counts.islands += islands.count - kept.dropped;
    counts.droppedIslands += kept.dropped;
    if (kept.dropped > 0) run.dropped(kept.firstDropped);
    return kept.ground;
  });
  counts.splitTriangles += ground.count;
  if (ground.count === 0) return { tile: null, source: new Int32Array(0) };
  if (agent.radius > 0) ground = stage('merge', () => thinOut(ground, table));
  const group = stage('merge', () => groupPoints(ground, table, hasSteps));
  const pieces = stage('merge', () => mergeGround(ground, table, group, maxVerticesPerPoly, mergeDegrees));
  const tile = stage('tile', () =>
    createSurfaceTile(ground, table, group, pieces, { settings: run.settings, x: square?.x ?? 0, z: square?.z ?? 0 }),
  );
  return { tile, source: sourcesOf(ground, pieces, tile.polyCount) };
}

/** Clears the surface and joins its edges. */
function joinGround(run: TileRun, ground: Ground, input: TileInput): { ground: Ground; steps: number } {
  const {
    config: { agent, clearance },
    space: { table },
    stage,
  } = run;
  const cleared = clearance === false ? ground : stage('clear', () => clearGround(ground, table, input, agent));
  // With a radius, joints end only after the inset: it would take each short end for a wall.
  return stage('conform', () =>
    agent.radius > 0
      ? fillHoles(
          conformGround(cleared, table, input, agent, widestCrack(run.config, table)),
          table,
          stepReach(agent, table),
        )
      : conform(run, cleared, table, input),
  );
}

/** Returns the ground triangle that each piece begins with. */
function sourcesOf({ count, source }: Ground, { piece }: Pieces, pieceCount: number): Int32Array {
  const out = new Int32Array(pieceCount);
  let at = 0;
  for (let t = 0; t < count; t++) if (piece[t] === t) out[at++] = source[t];
  return out;
}

function conform(
  { config }: TileRun,
  ground: Ground,
  table: PointTable,
  around: Surroundings,
): { ground: Ground; steps: number } {
  const { agent } = config;
  const reach = stepReach(agent, table);
  const cut = fillHoles(conformGround(ground, table, around, agent, widestCrack(config, table)), table, reach);
  const eased = easeSteps(cut.ground, table, reach, 2 * reach, cut.steps);
  const closed = closeOverlaps(eased.ground, table, 2 * reach);
  return closed === undefined ? eased : { ground: closed, steps: matchEdges(closed, table, reach) };
}
