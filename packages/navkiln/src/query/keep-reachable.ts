/**
 * Keeps mesh that nothing leads to disabled while tiles change: the option `keepReachable` of bakes and worlds, and a function of its own.
 *
 * In: points. Out: flags of polygons: those that no point leads to have other flags until `restore`.
 * Cost: that of `pruneUnreachable`, for each change.
 * Based on: own.
 */
import { checkArray, checkKeys, refuse } from '../base/data/refuse.ts';
import { plural } from '../base/data/plural.ts';
import { readPoint } from '../base/math/point.ts';
import type { PointLike } from '../base/math/point.ts';
import { isPoint2d } from '../base/math/point-2d.ts';
import type { PointLike2d } from '../base/math/point-2d.ts';
import { mapToMesh } from '../mesh/map-plane.ts';
import { polyIndexOf } from '../mesh/ref.ts';
import type { ReachKeeper, ReachWarning } from '../mesh/reach-keeper.ts';
import type { NavMesh, PolyRef } from '../mesh/types.ts';
import { restoreFlags } from './area.ts';
import { polyGroundArea } from './random/ground-sampler.ts';
import { pruneUnreachable } from './flood/prune.ts';
import type { PruneOptions, PruneResult } from './flood/prune.ts';

/** Leaves out mesh that no point leads to. Made by `createKeepReachable`. It may serve several meshes. */
export interface KeepReachable extends ReachKeeper {
  /** What the last `prune` left out; undefined before the first. */
  result: PruneResult | undefined;
  /** Gives the polygons that were left out their flags back. Without the option, call it before tiles change. */
  restore: (mesh: NavMesh) => void;
  /** Leaves out what no point leads to. Without the option, call it after tiles have changed. */
  prune: (mesh: NavMesh) => void;
}

/**
 * Returns a value for the option `keepReachable` of bakes and worlds, which leave out mesh that no point leads to: its polygons get flags
 * that no filter passes. A world does so again after each change. A disabled name counts as a wall.
 *
 * Without the option, call `restore` before `addTile` or `removeTile`, and `prune` after it.
 *
 * @param points points or refs, as for `pruneUnreachable`; points [x, y] or { x, y } are those of a 2D map; at least one
 * @throws TypeError unless `points` is an array of points; RangeError without points and for unknown options
 */
export function createKeepReachable(
  points: readonly (PointLike | PointLike2d | PolyRef)[],
  options: PruneOptions = {},
): KeepReachable {
  const caller = 'createKeepReachable';
  checkArray(caller, 'points', points);
  if (points.length === 0) refuse(caller, 'points.length', 0, '> 0: a position of an agent');
  checkKeys(caller, options, ['filter', 'size', 'flags', 'halfExtents']);
  const texts = points.map((point, i) => {
    if (typeof point === 'number') return `the ref ${point}`;
    if (isOfMap(point))
      return `[${mapToMesh(MAP, point)
        .filter((_, axis) => axis !== 1)
        .join(', ')}]`;
    const read = new Float64Array(3);
    readPoint(read, point, caller, `points[${i}]`);
    return `[${read.join(', ')}]`;
  });
  const seedsOn = (mesh: NavMesh): (PointLike | PolyRef)[] =>
    points.map((point) => (typeof point !== 'number' && isOfMap(point) ? mapToMesh(mesh, point) : point) as PointLike);
  /** What is left out of each mesh. */
  const done = new WeakMap<NavMesh, PruneResult>();
  /** The text of the last warnings about each mesh. */
  const told = new WeakMap<NavMesh, string>();
  const kept: KeepReachable = {
    result: undefined,
    restore(mesh) {
      const before = done.get(mesh);
      if (before !== undefined) restoreFlags(mesh, before.backup);
      done.delete(mesh);
    },
    prune(mesh) {
      kept.restore(mesh);
      kept.result = pruneUnreachable(mesh, seedsOn(mesh), options);
      done.set(mesh, kept.result);
    },
    update(by, { navMesh: mesh, report }, { strict }) {
      if (done.has(mesh)) return;
      kept.prune(mesh);
      const warnings = mesh.polyCount === 0 ? [] : warningsOf(mesh, kept.result!, texts);
      if (strict === true) {
        const missed = warnings.find(({ code }) => code === 'points-off-mesh');
        if (missed !== undefined) throw new Error(`${by}: ${missed.message} (${missed.code}, ${missed.count})`);
      }
      const text = JSON.stringify(warnings);
      if (text !== told.get(mesh)) report.warnings.push(...warnings);
      told.set(mesh, text);
    },
  };
  return kept;
}

/** A map whose y points down. */
const MAP = { mapYSign: 1 };

/** Returns whether a point has two numbers. */
function isOfMap(point: PointLike | PointLike2d): point is PointLike2d {
  if (!isPoint2d(point)) return false;
  return 'x' in point ? !('z' in point) : point.length === 2;
}

function warningsOf(
  mesh: NavMesh,
  { prunedCount, missedSeeds, backup, status }: PruneResult,
  texts: readonly string[],
): ReachWarning[] {
  const warnings: ReachWarning[] = [];
  const where = {} as ReachWarning['where'];
  if (missedSeeds.length > 0) {
    const count = missedSeeds.length;
    const names = missedSeeds.map((i) => texts[i]).join(', ');
    const rest = status === 'no-seeds' ? 'nothing is left out' : 'the others decide what is left out';
    const message =
      `keepReachable: no mesh is within two radii of ${plural(count, 'point')} (${names}), and ${rest}; ` +
      `move ${count === 1 ? 'it' : 'them'} onto the mesh`;
    warnings.push({ code: 'points-off-mesh', stage: 'reach', count, message, where });
  }
  if (prunedCount > 0) {
    let area = 0;
    for (const ref of backup.polys) area += polyGroundArea(mesh, polyIndexOf(mesh, ref as PolyRef));
    area = Number(area.toPrecision(6));
    const message =
      `keepReachable: ${plural(prunedCount, 'polygon')} of ${Number(area.toPrecision(3))} square units left out, because no point leads ` +
      'there; add a point to keep a part';
    warnings.push({ code: 'unreachable-left-out', stage: 'reach', count: prunedCount, area, message, where });
  }
  return warnings;
}
