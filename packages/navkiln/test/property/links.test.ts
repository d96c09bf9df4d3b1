/**
 * Automatic links on random levels: no body on any of them touches the level, at places that the search did not use, and few jumps
 * that brute force finds are missing. Seeds are printed. `NAVKILN_LINKS` sets the number of levels, `NAVKILN_SEED` the first seed.
 */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { findLinkCandidates } from '../../src/build/links/find.ts';
import type { AutoLink, AutoLinkOptions } from '../../src/build/links/types.ts';
import { setLinkEnabled } from '../../src/mesh/change/links.ts';
import { addAutoLinks } from '../../src/build/links/add.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { seeded } from '../unit/meshes.ts';
import { boxLevel, mix, penetration, randomLevel } from './links-levels.ts';
import type { Level } from './links-levels.ts';

const LEVELS = Number(process.env.NAVKILN_LINKS ?? 1);
const FIRST = Number(process.env.NAVKILN_SEED ?? 11);
/** Distance of take-offs that brute force tries. */
const SPACING = 0.7;
const ALL: AutoLinkOptions = { jump: {}, drop: {}, climb: {}, vault: {}, minDetour: 0 };
const OPTIONS = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.3, maxSlopeDegrees: 45 }, regionMinArea: 0.2 };

/** Jumps of all levels. */
const all = { covered: 0, feasible: 0 };

/** On level 101, a body's lowest point lay 5 mm above the true one where the allowance of a jump's end stops to count. */
const SEEDS = [101, ...Array.from({ length: LEVELS }, (_, i) => FIRST + i)];

describe.each(SEEDS)('links of level %i', (seed) => {
  const level = randomLevel(seed);
  // Every other level in tiles that are shorter than two jumps.
  const { navMesh } = buildNavMesh(level, { ...OPTIONS, tileSize: seed % 2 === 0 ? 4 : 0 });
  const { links, report } = findLinkCandidates(navMesh, level, ALL);

  it('touch nothing', () => {
    const next = seeded(seed);
    let worst = -Infinity;
    for (const link of links) {
      for (let i = 0; i < 4; i++) {
        // From anywhere on one end to anywhere on the other, as paths may.
        const a = mix(link.start[0], link.start[1], next());
        const b = mix(link.end[0], link.end[1], i === 0 ? 1 - next() ** 3 : next());
        const steps = Array.from({ length: 7 }, next);
        worst = Math.max(worst, penetration(navMesh, level, link, a, b, steps));
      }
    }
    expect(links.length).toBeGreaterThan(5);
    expect(worst, `seed ${seed}: ${links.length} links`).toBeLessThan(1e-6);
  });

  it('are nearly all that brute force finds', { timeout: 120_000 }, () => {
    const { covered, feasible } = recall(navMesh, level, links, seed);
    const per = (100 * links.length) / report.borderLength;
    process.stdout.write(
      `seed ${seed}: ${links.length} links, ${per.toFixed(1)} per 100 m of wall, recall ${covered} of ${feasible}\n`,
    );
    all.covered += covered;
    all.feasible += feasible;
    if (seed !== SEEDS[LEVELS]) return;
    expect(all.feasible).toBeGreaterThan(50);
    expect(all.covered / all.feasible, `${all.covered} of ${all.feasible}`).toBeGreaterThanOrEqual(0.98);
  });

  it('are the same for another order of triangles', () => {
    const order = Array.from({ length: level.indices.length / 3 }, (_, i) => i).reverse();
    const indices = order.flatMap((t) => [level.indices[3 * t + 1], level.indices[3 * t + 2], level.indices[3 * t]]);
    expect(findLinkCandidates(navMesh, { positions: level.positions, indices }, ALL).links).toEqual(links);
  });

  it('stay as they are when they are found again', () => {
    const { navMesh: mesh } = buildNavMesh(level, OPTIONS);
    const first = addAutoLinks(mesh, level, ALL);
    setLinkEnabled(mesh, first.refs[0], false);
    const bytes = saveNavMesh(mesh);
    const again = addAutoLinks(mesh, level, ALL);
    expect([again.added, again.removed]).toEqual([0, 0]);
    expect(Buffer.compare(saveNavMesh(mesh), bytes)).toBe(0);
    const less = addAutoLinks(mesh, level, { ...ALL, except: [first.links[0].id] });
    expect([less.added, less.removed, less.report.excepted]).toEqual([0, 1, 1]);
  });
});

it(
  'a crowd of 100 crosses a level that needs jumps, climbs and drops, and everyone arrives',
  { timeout: 60_000 },
  () => {
    const level = boxLevel([
      [0, -1, 0, 14, 0, 12],
      [15.2, -1, 0, 22, 0.4, 12],
      // A terrace across the whole width, with a ledge on both sides.
      [22, -1, 0, 28, 1.4, 12],
      [28, -1, 0, 33, 0.4, 12],
      [34, -1, 0, 48, -0.4, 12],
    ]);
    const { navMesh } = buildNavMesh(level, { agent: { maxClimb: 0.3 } });
    const begin = [1, 0, 6];
    expect(findPath(navMesh, begin, [47, -0.4, 6]).status).toBe('partial');
    const { links } = addAutoLinks(navMesh, level, { jump: { maxRise: 0.5 }, drop: {}, climb: {} });
    expect(new Set(links.map(({ kind }) => kind))).toEqual(new Set(['climb', 'jump']));
    expect(findPath(navMesh, begin, [47, -0.4, 6]).status).toBe('complete');
    const crowd = createCrowd(navMesh, { maxAgents: 100 });
    const agents = Array.from({ length: 100 }, (_, i) => {
      const [x, z] = [1 + 1.1 * (i % 10), 0.8 + 1.15 * Math.floor(i / 10)];
      const agent = addAgent(crowd, [x, 0, z]);
      moveAgentTo(crowd, agent, [47.5 - x, -0.4, z]);
      return agent;
    });
    const isAcross = (agent: (typeof agents)[number]): boolean => getAgent(crowd, agent)!.position[0] > 34;
    let tick = 0;
    while (tick < 60 * 120 && !(tick % 60 === 0 && agents.every(isAcross))) {
      stepCrowd(crowd);
      tick++;
    }
    process.stdout.write(`100 agents are across after ${tick / 60} s\n`);
    expect(agents.filter((agent) => !isAcross(agent))).toEqual([]);
  },
);

/**
 * Samples take-offs on walls and landings in three directions from each. Every take-off with a jump that is clear, by the judge of
 * links-levels.ts, and whose landing is no short walk away, should have a link that begins near it and ends near the landing.
 */
function recall(mesh: NavMesh, level: Level, links: readonly AutoLink[], seed: number) {
  const next = seeded(seed + 1000);
  const steps = Array.from({ length: 17 }, (_, i) => i / 16);
  let feasible = 0;
  let covered = 0;
  for (const { from, to } of longWalls(mesh)) {
    const [dx, dz] = [to[0] - from[0], to[2] - from[2]];
    const length = Math.sqrt(dx * dx + dz * dz);
    for (let s = SPACING * next(); s < length; s += SPACING) {
      for (const turn of [0, 0.5, -0.5]) {
        const scale = 1 / Math.sqrt(1 + turn * turn) / length;
        const out = [(-dz + turn * dx) * scale, 0, (dx + turn * dz) * scale];
        const at = mix(from, to, s / length).map((value, axis) => value - 0.08 * out[axis]);
        const landing = landingFrom(mesh, level, at, out, steps);
        if (landing === undefined) continue;
        feasible++;
        if (links.some((link) => isNear(link, at, landing))) covered++;
        else if (process.env.NAVKILN_SHOW)
          console.log(
            'missing',
            seed,
            turn,
            at.map((v) => v.toFixed(2)),
            landing.map((v) => v.toFixed(2)),
          );
      }
    }
  }
  return { covered, feasible };

  function isNear(link: AutoLink, from: number[], landing: number[]): boolean {
    for (const [start, end] of link.bothWays
      ? [
          [link.start, link.end],
          [link.end, link.start],
        ]
      : [[link.start, link.end]]) {
      if (toSegment(from, start) > 1) continue;
      const there = mix(end[0], end[1], 0.5);
      const path = findPath(mesh, there, landing);
      if (path.status === 'complete' && path.length < 3) return true;
    }
    return false;
  }
}

/** Returns where a jump in this direction can land: the nearest position that is clear. */
function landingFrom(mesh: NavMesh, level: Level, at: number[], out: number[], steps: number[]): number[] | undefined {
  for (let distance = 1; distance <= 2.3; distance += 0.15) {
    for (const drop of [0, 0.45, 0.9]) {
      const aim = at.map((value, k) => value + distance * out[k] - (k === 1 ? drop : 0));
      const { found, point } = findNearest(mesh, aim, { halfExtents: [1e-3, 0.25, 1e-3] });
      if (!found || Math.abs(point[0] - aim[0]) + Math.abs(point[2] - aim[2]) > 1e-6) continue;
      const rise = point[1] - at[1];
      if (rise > 0.25 || rise < -0.95) continue;
      const walk = findPath(mesh, at, point);
      if (walk.status === 'complete' && walk.length < 3 * distance) continue;
      const jump = { kind: 'jump', distance } as const;
      if ([0.125, 0.25, 0.5].some((peak) => penetration(mesh, level, { ...jump, peak }, at, point, steps) < -0.02))
        return point;
    }
  }
  return undefined;
}

/** Walls that are at least two radii and two cells long. */
function longWalls(mesh: NavMesh): { from: number[]; to: number[] }[] {
  const walls: { from: number[]; to: number[] }[] = [];
  for (let poly = 0; poly < mesh.polyCount; poly++) {
    const first = mesh.polyEdgeStart[poly];
    const count = mesh.polyVertexCount[poly];
    for (let k = 0; k < count; k++) {
      if (mesh.edgeNeighbor[first + k] !== -1) continue;
      const [from, to] = [first + k, first + ((k + 1) % count)].map((e) => {
        const at = 3 * mesh.edgeVertex[e];
        return Array.from(mesh.vertices.subarray(at, at + 3));
      });
      if (Math.sqrt((from[0] - to[0]) ** 2 + (from[2] - to[2]) ** 2) >= 1.2) walls.push({ from, to });
    }
  }
  return walls;
}

function toSegment(p: readonly number[], [a, b]: AutoLink['start']): number {
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]];
  const lengthSq = dx * dx + dz * dz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[2] - a[2]) * dz) / lengthSq)) : 0;
  return Math.sqrt((p[0] - a[0] - t * dx) ** 2 + (p[1] - a[1] - t * (b[1] - a[1])) ** 2 + (p[2] - a[2] - t * dz) ** 2);
}
