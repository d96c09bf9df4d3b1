/**
 * Filters that close kinds of links, on random worlds in tiles with two sizes and many links. Oracle: a copy of the mesh without these
 * links. NAVKILN_SIZES sets the number of further seeds from NAVKILN_SEED on.
 */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../src/agents/crowd/step.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { LINK_KINDS } from '../../src/mesh/link-kinds.ts';
import { addLink, getLink, listLinks, removeLink } from '../../src/mesh/change/links.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { buildPathIndex } from '../../src/query/index/build.ts';
import { findIndexedPath } from '../../src/query/index/find.ts';
import { createAgentTypes } from '../../src/query/agent-types.ts';
import { explainPath } from '../../src/query/explain/explain.ts';
import { createFilter } from '../../src/query/create-filter.ts';
import { findReachable } from '../../src/query/flood/reachable.ts';
import { findIslands } from '../../src/query/islands.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findDetailedPath } from '../../src/query/path/details.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { trackSizeIslands } from '../../src/query/track-sizes.ts';
import { buildRouteGraph } from '../../src/query/routes/build.ts';
import { findRoutedPath } from '../../src/query/routes/find.ts';
import { AGENT, seeded } from '../unit/meshes.ts';
import { TILE, squaresTile } from '../unit/mesh/tiled-meshes.ts';

const MORE = Number(process.env.NAVKILN_SIZES ?? 0);
const FIRST = Number(process.env.NAVKILN_SEED ?? 1000);
const SEEDS = [3, ...Array.from({ length: MORE }, (_, i) => FIRST + i)];
const SIDE = 5;
const BODY = { height: 2, maxClimb: 0.4, maxSlopeDegrees: 45, rules: [] };
const SIZES = [0.3, 0.6].map((radius, i) => ({ name: `size ${i}`, radius, ...BODY }));
const HALF_EXTENTS = 1;

/** Islands of squares that links join. */
function randomWorld(random: () => number, linkCount: number): NavMesh {
  const mesh = createNavMesh({
    agent: AGENT,
    cellSize: 0.25,
    cellHeight: 0.1,
    tileSize: TILE,
    origin: [0, 0, 0],
    sizes: SIZES,
  });
  for (let x = 0; x < SIDE; x++) {
    for (let z = 0; z < SIDE; z++) {
      const tile = squaresTile(
        x,
        z,
        0,
        3,
        () => random() < 0.62,
        () => 0,
      );
      tile.polySizes = Uint16Array.from({ length: tile.polyCount }, () => (random() < 0.8 ? 3 : 1));
      addTile(mesh, tile);
    }
  }
  for (let i = 0; i < linkCount; i++) {
    addLink(mesh, {
      start: findRandomPoint(mesh, random).point,
      end: findRandomPoint(mesh, random).point,
      bothWays: random() < 0.6,
      kind: LINK_KINDS[Math.floor(random() * LINK_KINDS.length)],
      ...(random() < 0.4 ? { cost: random() * 30 } : {}),
      ...(random() < 0.3 ? { sizes: [SIZES[Math.floor(random() * 2)].name] } : {}),
    });
  }
  return mesh;
}

const namesOf = (mask: number) => LINK_KINDS.filter((_, k) => ((mask >> k) & 1) === 1);

function without(mesh: NavMesh, mask: number): NavMesh {
  const copy = structuredClone(mesh);
  for (const ref of listLinks(copy)) if (namesOf(mask).includes(getLink(copy, ref)!.kind)) removeLink(copy, ref);
  return copy;
}

describe.each(SEEDS)('closed kinds of links, seed %i', (seed) => {
  const random = seeded(seed);
  const mesh = randomWorld(random, 70);
  trackSizeIslands(mesh);
  const place = (): [number, number, number] => findRandomPoint(mesh, random).point;

  it('are as closed as links that are not there', () => {
    expect(validateNavMesh(mesh)).toEqual([]);
    const index = buildPathIndex(mesh);
    const graphs = SIZES.map(({ name: size }) => buildRouteGraph(mesh, { size }));
    let longer = 0;
    let cut = 0;
    let explained = 0;
    for (let i = 0; i < 10; i++) {
      const mask = Math.floor(random() * 31) + 1;
      const size = i % 2;
      const filter = createFilter({ size, closedLinks: namesOf(mask) });
      const plain = createFilter({ size });
      const bare = without(mesh, mask);
      trackSizeIslands(bare);
      const bareGraph = buildRouteGraph(bare, { size: SIZES[size].name });
      for (let k = 0; k < 30; k++) {
        const [a, b] = [place(), place()];
        const where = `seed ${seed}, closed ${namesOf(mask).join()}, size ${size}: ${JSON.stringify([a, b])}`;
        const own = { filter, halfExtents: HALF_EXTENTS };
        const other = { filter: plain, halfExtents: HALF_EXTENTS };
        const path = findPath(mesh, a, b, own);
        const want = findPath(bare, a, b, other);
        expect([path.status, path.reason, path.points.at(-1)], where).toEqual([
          want.status,
          want.reason,
          want.points.at(-1),
        ]);
        const exact = findOptimalPath(mesh, a, b, own);
        const wantExact = findOptimalPath(bare, a, b, other);
        expect(exact.status, where).toBe(wantExact.status);
        if (exact.exact && wantExact.exact && exact.status === 'complete')
          expect(exact.cost, where).toBeCloseTo(wantExact.cost, 8);
        const indexed = findIndexedPath(index, mesh, a, b, own);
        expect(indexed.status, where).toBe(exact.status);
        if (indexed.exact && exact.exact) expect(indexed.cost, where).toBeCloseTo(exact.cost, 8);
        else expect(indexed.cost, where).toBeGreaterThanOrEqual(exact.cost - 1e-8);
        for (const { link } of findDetailedPath(mesh, a, b, own).corners)
          if (link !== 0) expect(namesOf(mask), where).not.toContain(getLink(mesh, link)!.kind);
        const reach = (of: NavMesh, options: typeof own) => findReachable(of, a, options)?.polys.slice().sort() ?? null;
        expect(reach(mesh, own), where).toEqual(reach(bare, other));
        const [routed, wantRouted] = [
          findRoutedPath(graphs[size], mesh, a, b, own),
          findRoutedPath(bareGraph, bare, a, b, other),
        ];
        // A route leads to the end or nowhere; where a search knows islands, it leads near the end.
        if (routed.status !== 'none')
          expect([routed.status, routed.reason], where).toEqual([wantRouted.status, wantRouted.reason]);
        else expect([routed.reason, wantRouted.status === 'complete'], where).toEqual([wantRouted.reason, false]);
        const all = findPath(mesh, a, b, other);
        if (all.status !== 'complete') continue;
        if (path.status !== 'complete') {
          cut++;
          const { cause, block, message } = explainPath(mesh, a, b, own);
          // Another size may have a route without these links.
          expect(['filter', 'size'], `${where} ${message}`).toContain(cause);
          if (cause !== 'filter') continue;
          explained++;
          const { kind } = getLink(mesh, block!.link)!;
          expect(namesOf(mask), `${where} ${message}`).toContain(kind);
          expect(message).toContain(`which is closed to this agent (closedLinks has "${kind}")`);
        } else if (JSON.stringify(path.polys) !== JSON.stringify(all.polys)) longer++;
      }
      if (i < 4) expect(findIslands(mesh, filter).islands.length).toBe(findIslands(bare, plain).islands.length);
    }
    // The kinds matter.
    if (MORE === 0)
      expect([longer > 5, cut > 20, explained > 20], `${longer}, ${cut}, ${explained}`).toEqual([true, true, true]);
  });

  it('are never taken by agents whose type closes them', () => {
    const types = createAgentTypes(mesh, [
      { name: 'any', size: 'size 0' },
      { name: 'walker', size: 'size 0', closedLinks: [...LINK_KINDS] },
      { name: 'cart', size: 'size 1', closedLinks: ['climb', 'vault', 'jump'] },
      { name: 'cat', size: 'size 0', closedLinks: ['other', 'drop'] },
    ]);
    const crowd = createCrowd(mesh, { types, maxAgents: 80 });
    const ids = Array.from({ length: 80 }, (_, i) => {
      const { name, filter } = types[i % types.length];
      const id = addAgent(crowd, findRandomPoint(mesh, random, { filter }).point, { type: name, maxSpeed: 6 });
      moveAgentTo(crowd, id, place());
      return id;
    });
    const taken = new Map(types.map(({ name }) => [name, 0]));
    for (let tick = 0; tick < 60 * 12; tick++) {
      stepCrowd(crowd);
      ids.forEach((id, i) => {
        const { link } = getAgent(crowd, id)!;
        if (link === null) return;
        const { name, filter } = types[i % types.length];
        taken.set(name, taken.get(name)! + 1);
        expect(namesOf(filter.closedLinks!), `seed ${seed}, tick ${tick}, agent ${i} of ${name}`).not.toContain(
          getLink(mesh, link.ref)!.kind,
        );
      });
      if (tick % 120 === 119) moveAgentTo(crowd, ids[(tick * 7) % ids.length], place());
    }
    expect(taken.get('any')).toBeGreaterThan(0);
    expect(taken.get('walker')).toBe(0);
    expect(taken.get('cart')! + taken.get('cat')!).toBeGreaterThan(0);
  });
});
