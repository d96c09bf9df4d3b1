/**
 * Verifies a navigation mesh against its level: whether there is mesh where an agent can stand and walk, and only
 * there.
 *
 * The level decides, through its triangles alone: vertical lines on a grid with a random offset cut all triangles
 * exactly, and the space that a body needs around each floor is tested against them. Nothing is shared with the bakes.
 * Distances within a margin of a cell decide nothing, so that a verdict is sure: a place counts as standable only
 * when a slightly larger body fits, and as impossible only when a slightly smaller one does not.
 *
 * In: a level and a mesh. Out: shares, and the places that are wrong.
 * Cost: linear in the triangles and the lines; 0.3 to 2 s for a level of 100 m at cells of 0.2.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { AgentShape, NavMesh } from '../../mesh/types.ts';
import type { PolygonMap } from '../../build/polygon/options.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import { connectFloors, drawPairs } from './connections.ts';
import { findFalseDoors } from './doors.ts';
import { IS_SURE } from './floors.ts';
import { compareGround } from './ground.ts';
import { makeGrid } from './shapes/grid.ts';
import type { Grid } from './shapes/grid.ts';
import { BEYOND_LEVEL, findOutside } from './outside.ts';
import { readOptions, setupFor } from './setup.ts';
import type { Setup } from './setup.ts';
import { listInvented, listLost } from './split.ts';
import { leaveOutHoles, leaveOutUnreachable } from './scope.ts';
import { readSource } from './source.ts';
import type { Source } from './source.ts';
import { cutSurface } from './surface.ts';
import type { FaultKind, FaultPlace, VerifyFigures, VerifyOptions, VerifyResult, VerifyWarning } from './types.ts';
import { tryWalks } from './walks.ts';
import { listWarnings } from './warnings.ts';

/**
 * Verifies a navigation mesh against the level that it was baked from.
 *
 * @param level the triangles that the bake took, or the 2D map
 * @throws TypeError, RangeError for unknown or invalid options, and a level without area
 */
export function verifyNavMesh(
  level: TriangleInput | PolygonMap,
  mesh: NavMesh,
  options: VerifyOptions = {},
): VerifyResult {
  checkNavMesh('verifyNavMesh', mesh);
  readOptions(options);
  return verifySource(readSource(level), mesh, options);
}

/** Does what `verifyNavMesh` does with a level that was read. @internal */
export function verifySource(source: Source, mesh: NavMesh, options: VerifyOptions): VerifyResult {
  const given = readOptions(options);
  const box = boundsOf(source, options.bounds);
  const warnings: VerifyWarning[] = [];
  const bodies: { name: string; size: number; body: AgentShape }[] =
    mesh.sizes.length === 0
      ? [{ name: '', size: -1, body: mesh.agent }]
      : mesh.sizes.map((body, size) => ({ name: body.name, size, body }));
  const runs = bodies.map(({ name, size, body }) => {
    const setup = setupFor(mesh, body, options, source.cellFor);
    const spacing = options.spacing ?? setup.cell;
    const grid = makeGrid(box.min, box.max, { seed: given.seed, spacing, maxColumns: given.maxColumns });
    const figures = verifySize({ source, box, grid, mesh, setup, size, options: { ...options, ...given } });
    for (const place of figures.places) if (name !== '') place.size = name;
    return { name, agent: setup.agent, grid, setup, figures };
  });
  const { figures, grid, setup } = runs[0];
  const worst = runs.length === 1 ? figures : worstOf(runs.map((run) => run.figures));
  warnings.push(...listWarnings(source, mesh, grid, setup, worst));
  if (worst.places.length > given.maxPlaces) {
    const count = worst.places.length - given.maxPlaces;
    warnings.push({ code: 'places-omitted', count, message: `${count} more places are not listed (maxPlaces).` });
    worst.places = worst.places.slice(0, given.maxPlaces);
  }
  return {
    ...worst,
    seed: given.seed,
    spacing: grid.spacing,
    agent: setup.agent,
    warnings,
    sizes: mesh.sizes.length === 0 ? [] : runs.map((run) => ({ name: run.name, agent: run.agent, ...run.figures })),
  };
}

/** Returns the part of the level's box within bounds. Their heights count for nothing: lines are endless. */
function boundsOf({ min, max }: Source, bounds: VerifyOptions['bounds']): { min: number[]; max: number[] } {
  const box = { min: [...min], max: [...max] };
  for (const axis of bounds === undefined ? [] : [0, 2]) {
    box.min[axis] = Math.max(box.min[axis], bounds!.min[axis]);
    box.max[axis] = Math.min(box.max[axis], bounds!.max[axis]);
    if (!(box.min[axis] < box.max[axis]))
      refuse('verifyNavMesh', 'options.bounds', bounds, 'a box that overlaps the level');
  }
  return box;
}

interface Run {
  source: Source;
  /** The part of the level's box that is verified. */
  box: { min: number[]; max: number[] };
  grid: Grid;
  mesh: NavMesh;
  setup: Setup;
  size: number;
  options: VerifyOptions & { pairs: number; seed: number };
}

function verifySize({ source, box, grid, mesh, setup, size, options }: Run): VerifyFigures {
  const { pairs, seed, volumes, keepReachable } = options;
  const floors = source.floorsOn(grid, setup);
  if (volumes !== undefined) leaveOutHoles(grid, floors, volumes.list, setup);
  if (keepReachable !== undefined) leaveOutUnreachable(grid, floors, keepReachable, setup);
  const surface = cutSurface(mesh, grid, size);
  const ground = compareGround(grid, floors, surface, setup);
  const { poly, sureCount, meshCount } = ground;
  const outside = findOutside(mesh, box, grid, surface, setup, options.bounds);
  const outsideArea = outside.reduce((sum, { area }) => sum + area, 0);
  const connections = connectFloors(grid, floors, setup);
  const covered: number[] = [];
  for (let p = 0; p < floors.count; p++) if ((floors.state[p] & IS_SURE) !== 0 && poly[p] >= 0) covered.push(p);
  const list = Int32Array.from(covered);
  const drawn = drawPairs(connections, list, (p) => surface.part[poly[p]], pairs, seed);
  // Lines that are too far apart miss ways, so nothing is surely separate.
  const isCoarse = grid.spacing > 1.001 * setup.cell;
  if (isCoarse) drawn.invented = 0;
  const doors = findFalseDoors(mesh, surface.isUsed, setup);
  const walks = tryWalks({ grid, floors, poly, mesh, size }, list, pairs, seed);
  const compared = { grid, floors, connections, mesh, surface, poly };
  const cell = grid.spacing * grid.spacing;
  const meshArea = meshCount * cell + outsideArea;
  const placeOf = (kind: FaultKind, position: [number, number, number], area: number): FaultPlace => ({
    kind,
    position,
    area,
    cause: null,
    remedy: null,
  });
  return {
    coverage: sureCount === 0 ? 1 : ground.coveredCount / sureCount,
    overreach: meshArea === 0 ? 0 : (ground.overreachCount * cell + outsideArea) / meshArea,
    insideSolids: meshArea === 0 ? 0 : (ground.insideCount * cell) / meshArea,
    ...drawn,
    falseDoors: doors.reduce((sum, { length }) => sum + length, 0),
    invisibleWalls: walks.walls.length,
    straightWalks: walks.count,
    sureArea: sureCount * cell,
    meshArea,
    places: [
      ...ground.uncovered.map(({ position, count }) => placeOf('uncovered', position, count * cell)),
      ...ground.overreach.map(({ position, count }) => placeOf('overreach', position, count * cell)),
      ...outside.map(({ position, area }) => ({ ...placeOf('overreach', position, area), cause: BEYOND_LEVEL })),
      ...listLost(compared),
      ...(isCoarse ? [] : listInvented(compared)),
      ...doors.map(({ position, length }) => placeOf('false-door', position, length)),
      ...walks.walls.map(({ position, length }) => placeOf('invisible-wall', position, length)),
    ].sort((a, b) => b.area - a.area),
  };
}

/** Returns the worst of each figure, and all places. */
function worstOf(all: VerifyFigures[]): VerifyFigures {
  const most = (key: Exclude<keyof VerifyFigures, 'places'>): number => Math.max(...all.map((one) => one[key]));
  return {
    coverage: Math.min(...all.map((one) => one.coverage)),
    overreach: most('overreach'),
    insideSolids: most('insideSolids'),
    lost: most('lost'),
    invented: most('invented'),
    pairs: most('pairs'),
    falseDoors: most('falseDoors'),
    invisibleWalls: most('invisibleWalls'),
    straightWalks: most('straightWalks'),
    sureArea: most('sureArea'),
    meshArea: most('meshArea'),
    places: all.flatMap((one) => one.places).sort((a, b) => b.area - a.area),
  };
}
