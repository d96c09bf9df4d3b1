/**
 * Automatic links of worlds that change: after any edits the links are those of a fresh world, and of a search over the whole mesh, to the
 * byte. Seeds are printed by the names of the tests.
 */
import { describe, expect, it } from 'vitest';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { autoLinkKind } from '../../../../src/build/links/ids.ts';
import type { AutoLinkOptions } from '../../../../src/build/links/types.ts';
import { createWorldLinks } from '../../../../src/build/links/world-links.ts';
import { getLink, listLinks, removeLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { bakeWorld } from '../../../../src/world/levels/bake.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel, moveLevel, removeLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle, moveObstacle, removeObstacle } from '../../../../src/world/levels/obstacles.ts';
import type { World } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { boxLevel, randomLevel } from '../../../property/links-levels.ts';
import type { Box } from '../../../property/links-levels.ts';
import { seeded } from '../../meshes.ts';
import { gap } from './levels.ts';

const IS_FULL = process.env.NAVKILN_FULL !== undefined;

const BUILD = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 }, cellSize: 0.2, cellHeight: 0.1, tileSize: 6 };
const LIMITS: AutoLinkOptions = { jump: {}, drop: {}, climb: {}, vault: {} };
/** With these limits, links depend on surface and triangles up to two tiles of eight away. */
const SHORT: AutoLinkOptions = { jump: { maxDistance: 2, peak: 0.3 }, drop: { maxHeight: 1 }, minDetour: 1 };

/** Returns all data of a mesh about its links, in an order that does not depend on refs. */
function records(mesh: NavMesh): string[] {
  return listLinks(mesh)
    .map((ref) => {
      const { startPoly, endPoly, ...info } = getLink(mesh, ref)!;
      return JSON.stringify([info, startPoly > 0, endPoly > 0]);
    })
    .sort();
}

function fresh(world: World, options: AutoLinkOptions): World {
  const { tileSize } = world.navMesh;
  const other = createWorld({ ...BUILD, tileSize, worldLinks: createWorldLinks(options) });
  for (const { input, positions } of world.levels.values()) addLevel(other, { ...input, positions });
  for (const { obstacle, current } of world.obstacles.values()) {
    const { positions, indices } = current.placed;
    const { effect = 'hole' } = obstacle as { effect?: 'hole' };
    addObstacle(other, { type: 'mesh', positions, indices, effect });
  }
  updateWorld(other);
  return other;
}

describe('links of worlds', () => {
  it.each(IS_FULL ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2])(
    'are those of a fresh world after any edits (seed %i)',
    (seed) => {
      const next = seeded(seed);
      const limits = seed % 2 === 0 ? SHORT : LIMITS;
      const worldLinks = createWorldLinks(limits);
      const world = createWorld({ ...BUILD, tileSize: seed % 2 === 0 ? 2 : 6, worldLinks });
      addLevel(world, randomLevel(seed));
      const island = addLevel(world, boxLevel([[0, -1, 0, 5, 0.2, 5]]), { position: [21.5, 0, 4] });
      expect(updateWorld(world).areLinksCurrent).toBe(true);
      expect(listLinks(world.navMesh).length).toBeGreaterThan(5);
      const crates: number[] = [];
      const place = (): [number, number, number] => [20 * next(), 0.5, 14 * next()];
      for (let step = 0; step < (IS_FULL ? 24 : 6); step++) {
        const choice = next();
        if (choice < 0.4 || crates.length === 0) {
          const size = [0.4 + 2 * next(), 0.5 + 2 * next(), 0.4 + next()];
          crates.push(addObstacle(world, { type: 'box', size, position: place() }));
        } else if (choice < 0.7) moveObstacle(world, crates[0], { position: place() });
        else if (choice < 0.85) removeObstacle(world, crates.shift()!);
        else moveLevel(world, island, { position: [21 + 1.5 * next(), 0.4 * next(), 4] });
        // Half of the edits come in pieces of a tile.
        if (step % 2 === 0) updateWorld(world);
        else while (!updateWorld(world, { maxTiles: 1, isTimeUp: () => next() < 0.5 }).areLinksCurrent);
        if (step % 3 !== 2) continue;
        const other = fresh(world, limits);
        expect(records(world.navMesh), `step ${step}`).toEqual(records(other.navMesh));
      }
      removeLevel(world, island);
      updateWorld(world);
      expect(records(world.navMesh)).toEqual(records(fresh(world, limits).navMesh));
    },
  );

  it('are those of a search over the whole mesh, and keep their refs elsewhere', async () => {
    const world = createWorld({ ...BUILD, worldLinks: createWorldLinks(LIMITS) });
    const input = randomLevel(3);
    addLevel(world, input);
    await bakeWorld(world);
    const whole = loadNavMesh(saveNavMesh(world.navMesh));
    for (const ref of listLinks(whole)) removeLink(whole, ref);
    addAutoLinks(whole, input, LIMITS);
    expect(records(world.navMesh)).toEqual(records(whole));
    const before = new Map(listLinks(world.navMesh).map((ref) => [getLink(world.navMesh, ref)!.userId, ref]));
    addObstacle(world, { type: 'box', size: [1, 2, 1], position: [2, 1, 2] });
    await bakeWorld(world);
    const after = listLinks(world.navMesh);
    const kept = after.filter((ref) => before.get(getLink(world.navMesh, ref)!.userId) === ref).length;
    expect(kept).toBeGreaterThan(0.5 * before.size);
  });

  it('stay away when they are removed, and disabled when they are disabled', () => {
    const options = { jump: {} };
    const worldLinks = createWorldLinks(options);
    const world = createWorld({ ...BUILD, worldLinks });
    const platforms = [...gap(1), ...gap(1).map(([a, b, c, d, e, f]): Box => [a, b, c + 12, d, e, f + 12])];
    addLevel(world, boxLevel(platforms));
    const { navMesh } = world;
    updateWorld(world);
    const [first, second] = listLinks(navMesh);
    const { userId } = getLink(navMesh, first)!;
    const other = getLink(navMesh, second)!.userId;
    expect(autoLinkKind(userId)).toBe('jump');
    removeLink(navMesh, first);
    setLinkEnabled(navMesh, second, false);
    // A wall closes the gap, and opens it again.
    const wall = addObstacle(world, { type: 'box', size: [0.2, 6, 40], position: [6.5, 2, 2] });
    updateWorld(world);
    expect(listLinks(navMesh)).toEqual([]);
    removeObstacle(world, wall);
    updateWorld(world);
    expect([...worldLinks.removedIds]).toEqual([userId]);
    const ids = listLinks(navMesh).map((ref) => getLink(navMesh, ref)!.userId);
    expect(ids).toContain(other);
    expect(ids).not.toContain(userId);
    // The same world again, from what was saved.
    const again = createWorld({
      ...BUILD,
      worldLinks: createWorldLinks({ ...options, except: worldLinks.removedIds }),
    });
    addLevel(again, boxLevel(platforms));
    updateWorld(again);
    expect(
      listLinks(again.navMesh)
        .map((ref) => getLink(again.navMesh, ref)!.userId)
        .sort(),
    ).toEqual(ids.sort());
  });

  it('are refused where they make no sense', () => {
    expect(() => createWorldLinks({ drop: { maxHeight: -1 } })).toThrow(
      'createWorldLinks: options.drop.maxHeight is -1',
    );
    expect(() => createWorld({ ...BUILD, worldLinks: {} as never })).toThrow('createWorld: options.worldLinks.update');
    const worldLinks = createWorldLinks({ drop: {} });
    for (const message of ['', 'another one']) {
      const world = createWorld({ ...BUILD, worldLinks });
      addLevel(world, boxLevel(gap(1)));
      if (message === '') updateWorld(world);
      else expect(() => updateWorld(world)).toThrow(message);
    }
  });
});
