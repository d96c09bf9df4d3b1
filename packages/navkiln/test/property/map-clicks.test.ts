/**
 * One rule for a point outside the walkable area of a 2D map: it means the nearest walkable point, at any distance. Queries, paths, path
 * followers and the orders of a crowd give the same point, on random maps and at random points, with and without a radius, as one tile and in tiles.
 * The distance is that to the nearest wall, by brute force. NAVKILN_CLICKS sets the maps per kind (default 3), and NAVKILN_SEED the first seed.
 */
import { describe, expect, it } from 'vitest';
import { followPath } from '../../src/agents/corridor/follow.ts';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { addAgent, teleportAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveGroupTo } from '../../src/agents/crowd/orders/group.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { patrolAgent } from '../../src/agents/crowd/orders/patrol.ts';
import { agentSlotOf } from '../../src/agents/crowd/state/ids.ts';
import type { AgentId, Crowd } from '../../src/agents/crowd/state/types.ts';
import { mapToMesh, meshToMap } from '../../src/mesh/map-plane.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../src/query/map/path-2d.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { seeded } from '../unit/meshes.ts';
import { distanceToRings, ringsInWorld } from '../unit/build/polygon/map-oracle.ts';
import { KINDS, randomMap } from '../unit/build/polygon/random-maps.ts';
import type { Kind } from '../unit/build/polygon/random-maps.ts';

type P = [number, number];

const MAPS = Number(process.env.NAVKILN_CLICKS ?? 3);
const SEED = Number(process.env.NAVKILN_SEED ?? 1);

function placeOf(crowd: Crowd, id: AgentId, of: 'position' | 'goal'): P {
  const slot = agentSlotOf(crowd, id);
  return meshToMap(crowd.mesh, crowd.agents[of].subarray(3 * slot, 3 * slot + 3));
}

/** Checks random points of a map. Returns how many lay outside the walkable area. */
function tryMap(kind: Kind, seed: number): number {
  const random = seeded(13 * seed + KINDS.indexOf(kind));
  const map = randomMap(kind, seed);
  const all = map.polygons.flatMap(({ outline }) => outline) as P[];
  const low = [0, 1].map((axis) => Math.min(...all.map((p) => p[axis])));
  const size = [0, 1].map((axis) => Math.max(...all.map((p) => p[axis])) - low[axis]);
  const radius = random() < 0.5 ? 0 : 0.01 * Math.max(...size);
  const tileSize = random() < 0.5 ? 0 : Math.max(...size) / 3;
  const { navMesh, report, stages } = buildFromPolygons(map, { radius, tileSize });
  if (navMesh.polyCount === 0) return 0;
  const rings = ringsInWorld(stages.ground, report.frame);
  const crowd = createCrowd(navMesh, { maxAgents: 4 });
  const start = findNearest2d(navMesh, all[0]).point;
  const agent = addAgent(crowd, mapToMesh(navMesh, start), { radius: radius || 0.1 });
  let outside = 0;
  for (let k = 0; k < 12; k++) {
    const click = low.map((from, axis) => from + size[axis] * (3 * random() - 1)) as P;
    const name = `${kind}, seed ${seed}, at ${click.join(', ')}`;
    const { point, distance, isInside } = findNearest2d(navMesh, click);
    if (!isInside) {
      outside++;
      // Borders of tiles are among the rings, but the walkable area lies behind them.
      if (tileSize === 0) expect(distance, name).toBeCloseTo(distanceToRings(rings, click), 6);
    }
    const at = mapToMesh(navMesh, click);
    expect(meshToMap(navMesh, findNearest(navMesh, at).point), name).toEqual(point);
    const path = findPath2d(navMesh, start, click);
    const other = findPath(navMesh, mapToMesh(navMesh, start), at);
    expect([path.endDistance, other.endDistance, other.status], name).toEqual([distance, distance, path.status]);
    if (path.status === 'complete') expect(path.points.at(-1), name).toEqual(point);
    expect(followPath(navMesh, mapToMesh(navMesh, start), at).reason, name).toBe(path.reason);
    expect(moveAgentTo(crowd, agent, at), name).toBe('accepted');
    expect(placeOf(crowd, agent, 'goal'), name).toEqual(point);
    expect(patrolAgent(crowd, agent, [at, mapToMesh(navMesh, start)]), name).toBe('accepted');
    expect(moveGroupTo(crowd, [agent], at), name).not.toContain('off-mesh');
    expect(teleportAgent(crowd, agent, at), name).toBe('accepted');
    expect(placeOf(crowd, agent, 'position'), name).toEqual(point);
    const added = addAgent(crowd, at, { radius: radius || 0.1 });
    if (crowd.addFailure !== 'full') expect(placeOf(crowd, added, 'position'), name).toEqual(point);
  }
  return outside;
}

describe('a click outside the walkable area means the nearest walkable point', () => {
  it.each(KINDS)('%s', (kind) => {
    let outside = 0;
    for (let seed = SEED; seed < SEED + MAPS; seed++) outside += tryMap(kind, seed);
    expect(outside).toBeGreaterThan(0);
  });
});
