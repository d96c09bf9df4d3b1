/** Links for some sizes of a mesh: found ones, those that callers add, and the queries that use them. */
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { createGapExplainer } from '../../../../src/build/links/explain.ts';
import { createAutoLinker } from '../../../../src/build/links/linker.ts';
import type { AutoLinkOptions } from '../../../../src/build/links/types.ts';
import { createWorldLinks } from '../../../../src/build/links/world-links.ts';
import { addLink, getLink, listLinks } from '../../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { findReachable } from '../../../../src/query/flood/reachable.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { findDetailedPath } from '../../../../src/query/path/details.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { bakeNavMesh, buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { createBakePool } from '../../../../src/world/worker/pool.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addObstacle, moveObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { boxLevel, randomLevel } from '../../../property/links-levels.ts';
import type { Box } from '../../../property/links-levels.ts';
import { seeded } from '../../meshes.ts';
import { gap, step } from './levels.ts';

const sizes = createAgentSizes([
  { name: 'human', radius: 0.4, height: 1.8 },
  { name: 'tall', radius: 0.4, height: 2.6 },
  { name: 'ogre', radius: 0.8, height: 2.6 },
]);
const BUILD = { agent: { maxClimb: 0.3 }, sizes, cellSize: 0.2, cellHeight: 0.1 };
const IS_FULL = process.env.NAVKILN_FULL !== undefined;
const FROM = [1, 0, 2];
const TO = [11, 0, 2];

/** A gap with a beam over it that only humans pass under. */
const beam: Box[] = [...gap(1), [6.2, 2.3, -1, 6.8, 3, 5]];

function bake(boxes: readonly Box[], limits: AutoLinkOptions): NavMesh {
  return buildNavMesh(boxLevel(boxes), { ...BUILD, autoLinks: createAutoLinker(limits) }).navMesh;
}

const sizesOf = (mesh: NavMesh): string[][] => listLinks(mesh).map((ref) => getLink(mesh, ref)!.sizes);

describe('links for sizes', () => {
  it('are one link where sizes have the same border, and each size has its own otherwise', () => {
    const mesh = bake(gap(1), { jump: { maxDistance: 3.2 } });
    const all = sizesOf(mesh);
    expect(all).toContainEqual(['human', 'tall']);
    expect(all).toContainEqual(['ogre']);
    for (const size of ['human', 'tall', 'ogre']) {
      const { status, corners } = findDetailedPath(mesh, FROM, TO, { size });
      const links = corners.flatMap(({ link }) => (link === 0 ? [] : [link]));
      expect([status, links.length]).toEqual(['complete', 2]);
      expect(getLink(mesh, links[0])!.sizes).toContain(size);
    }
    expect(validateNavMesh(mesh)).toEqual([]);
  });

  it('are used by their sizes alone, in every search and by agents', () => {
    const mesh = bake(beam, { jump: {} });
    expect(sizesOf(mesh).length).toBeGreaterThan(0);
    expect(sizesOf(mesh).every((names) => names.join() === 'human')).toBe(true);
    const loaded = loadNavMesh(saveNavMesh(mesh));
    expect(sizesOf(loaded)).toEqual(sizesOf(mesh));
    expect(validateNavMesh(loaded)).toEqual([]);
    for (const [size, status] of [
      ['human', 'complete'],
      ['tall', 'partial'],
      ['ogre', 'partial'],
    ] as const) {
      for (const one of [mesh, loaded]) {
        expect(findPath(one, FROM, TO, { size }).status, size).toBe(status);
        expect(findOptimalPath(one, FROM, TO, { size }).status, size).toBe(status);
      }
      const isOver = findReachable(mesh, FROM, { size, maxDistance: 100 }).polys.some((poly) => {
        const there = findPath(mesh, TO, TO, { size }).polys[0];
        return poly === there;
      });
      expect(isOver, size).toBe(status === 'complete');
      const crowd = createCrowd(mesh);
      const agent = addAgent(crowd, FROM, { size });
      moveAgentTo(crowd, agent, TO);
      for (let tick = 0; tick < 600; tick++) stepCrowd(crowd);
      expect(getAgent(crowd, agent)!.position[0] > 7, size).toBe(status === 'complete');
    }
  });

  it('have limits of their own', () => {
    const jump = { maxDistance: 2.2 };
    expect(sizesOf(bake(gap(1), { jump })).flat()).not.toContain('ogre');
    const longer = bake(gap(1), { jump, sizes: { ogre: { jump: { maxDistance: 3.2, name: 'leap' } }, tall: {} } });
    expect(new Set(sizesOf(longer).map((names) => names.join()))).toEqual(new Set(['human', 'ogre']));
    for (const ref of listLinks(longer)) {
      const link = getLink(longer, ref)!;
      expect(link.name).toBe(link.sizes[0] === 'ogre' ? 'leap' : '');
    }
    expect(sizesOf(bake(gap(1), { sizes: { ogre: { jump: { maxDistance: 3.2 } } } })).flat()).toContain('ogre');
    const refused =
      (limits: unknown): (() => void) =>
      () =>
        bake(gap(1), limits as AutoLinkOptions);
    expect(refused({ jump, sizes: { elf: {} } })).toThrow(
      'options.sizes is "elf"; must be one of mesh.sizes: human, tall, ogre',
    );
    expect(refused({ jump, sizes: { ogre: { hop: {} } } })).toThrow('options.sizes.ogre');
    expect(refused({ jump, sizes: { ogre: { jump: { peak: -1 } } } })).toThrow('options.sizes.ogre.jump.peak is -1');
    expect(refused({ jump, sizes: 3 })).toThrow('options.sizes is 3');
  });

  it('that callers add name their sizes', () => {
    const mesh = bake(gap(2), { drop: {} });
    const ends = { start: [4.5, 0, 2], end: [9.5, 0, 2] } as const;
    expect(getLink(mesh, addLink(mesh, ends))!.sizes).toEqual(['human', 'tall', 'ogre']);
    expect(findPath(mesh, FROM, TO, { size: 'ogre' }).status).toBe('complete');
    for (const bad of [['elf'], ['human', 7], [], 'human', null])
      expect(() => addLink(mesh, { ...ends, sizes: bad as unknown as string[] })).toThrow(
        /^addLink: options\.sizes is .*; must be names of mesh\.sizes \(human, tall, ogre\), or absent$/,
      );
    const other = bake(gap(2), { drop: {} });
    addLink(other, { ...ends, userId: 7, sizes: ['tall', 'human'] });
    expect(sizesOf(other)).toEqual([['human', 'tall']]);
    expect(findPath(other, FROM, TO, { size: 'tall' }).status).toBe('complete');
    const { cause, message, gap: between, block } = explainPath(other, FROM, TO, { size: 'ogre' });
    expect([cause, between!.size, block!.link]).toEqual(['size', 'ogre', listLinks(other)[0]]);
    expect(message).toMatch(
      /^The route takes the link with user id 7 at \[4\.5, 0[^\]]*\], which "tall" can use but "ogre" cannot\. The path ends at/,
    );
  });

  it('are explained by the limits of the size', () => {
    const limits = { drop: { maxHeight: 4 }, sizes: { ogre: { drop: { maxHeight: 2 } } } };
    const level = boxLevel(step(3.2));
    const { navMesh } = buildNavMesh(level, BUILD);
    const explain = (size: string): string =>
      explainPath(navMesh, [1, 3.2, 2], [10, 0, 2], { size, explainGap: createGapExplainer(level, limits) }).message;
    // Before there are links, and after.
    expect(explain('human')).toContain('is within the limits: addAutoLinks adds it');
    for (let i = 0; i < 2; i++) {
      expect(explain('ogre')).toMatch(/A drop of 3\.\d* at .* drop\.maxHeight allows 2, it needs 3\.\d*\./);
      addAutoLinks(navMesh, level, limits);
    }
    expect(explain('human')).toMatch(/^The path is complete/);
    expect(explain('ogre')).toContain('which "tall" can use but "ogre" cannot.');
  });

  it('are the same in bakes whole and tiled, with and without a pool', async () => {
    const level = boxLevel(beam);
    const limits = { jump: { maxDistance: 3.2 } };
    for (const tileSize of [0, 4]) {
      const options = { ...BUILD, tileSize };
      const expected = buildNavMesh(level, options).navMesh;
      addAutoLinks(expected, level, limits);
      expect(listLinks(expected).length).toBeGreaterThan(0);
      const autoLinks = createAutoLinker(limits);
      for (const { navMesh } of [
        buildNavMesh(level, { ...options, autoLinks }),
        await bakeNavMesh(level, { ...options, autoLinks, pool: createBakePool({ workers: 0 }) }),
      ])
        expect(Buffer.compare(saveNavMesh(navMesh), saveNavMesh(expected))).toBe(0);
    }
  });

  // With seed 8, links of two walls that meet were equal, and became one where one search saw both.
  it.each(IS_FULL ? [5, 6, 7, 8, 9, 10, 11, 12] : [8])(
    'of worlds are those of a search over the whole mesh, after any edits (seed %i)',
    (seed) => {
      const limits: AutoLinkOptions = {
        jump: { maxDistance: 2, peak: 0.3 },
        drop: { maxHeight: 1 },
        minDetour: seed % 3,
        sizes: { tall: { jump: { maxDistance: 1.5 } } },
      };
      const next = seeded(seed);
      const level = randomLevel(seed);
      const world = createWorld({ ...BUILD, tileSize: 4, worldLinks: createWorldLinks(limits) });
      addLevel(world, level);
      const place = (): [number, number, number] => [20 * next(), 0.5 + 2 * next(), 14 * next()];
      const crate = addObstacle(world, { type: 'box', size: [1, 1.5, 1.2], position: place() });
      for (let i = 0; i < (IS_FULL ? 16 : 3); i++) {
        expect(updateWorld(world).areLinksCurrent).toBe(true);
        const whole = loadNavMesh(saveNavMesh(world.navMesh));
        const { placed } = world.obstacles.get(crate)!.current;
        const indices = [...level.indices, ...Array.from(placed.indices, (k) => k + level.positions.length / 3)];
        addAutoLinks(whole, { positions: [...level.positions, ...placed.positions], indices }, limits);
        expect(records(world.navMesh)).toEqual(records(whole));
        expect(listLinks(world.navMesh).length).toBeGreaterThan(0);
        moveObstacle(world, crate, { position: place() });
      }
    },
  );
});

function records(mesh: NavMesh): string[] {
  return listLinks(mesh)
    .map((ref) => JSON.stringify({ ...getLink(mesh, ref)!, startPoly: 0, endPoly: 0 }))
    .sort();
}
