/** Automatic links on levels whose truth is known: one size of each is moved through its limit. */
import { describe, expect, it } from 'vitest';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { findLinkCandidates } from '../../../../src/build/links/find.ts';
import { autoLinkKind } from '../../../../src/build/links/ids.ts';
import { createHull, isApart } from '../../../../src/build/links/sweep/separation.ts';
import { autoLinkPositions } from '../../../../src/build/links/sweep/trajectory.ts';
import type { AutoLinkOptions } from '../../../../src/build/links/types.ts';
import { addLink, getLink, listLinks } from '../../../../src/mesh/change/links.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { findTile } from '../../../../src/mesh/tiles/tile-grid.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { buildNavMesh, buildTile } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import { boxLevel } from '../../../property/links-levels.ts';
import type { Box } from '../../../property/links-levels.ts';
import { seeded } from '../../meshes.ts';
import { gap, step } from './levels.ts';

const BUILD = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 }, cellSize: 0.2, cellHeight: 0.1 };
const CELL = 0.2;

function linksOf(boxes: readonly Box[], options: AutoLinkOptions, build: BuildOptions = BUILD) {
  const level = boxLevel(boxes);
  const { navMesh } = buildNavMesh(level, build);
  return { navMesh, level, ...findLinkCandidates(navMesh, level, options) };
}

describe('limits of links', () => {
  it('jumps gaps up to the distance', () => {
    for (let width = 0.25; width < 3; width += 0.25) {
      const { links } = linksOf(gap(width), { jump: { maxDistance: 2.8 } });
      // Both ends are a radius from the ledge, up to 2.2 cells more, and an inset.
      if (width + 0.8 + 0.16 + 4.4 * CELL <= 2.8) expect(links.length, `width ${width}`).toBeGreaterThan(0);
      if (width + 0.8 > 2.8) expect(links, `width ${width}`).toEqual([]);
      for (const link of links) {
        const [a, b] = [link.start, link.end];
        for (const i of [0, 1]) {
          const dx = a[i][0] - b[i][0];
          const dz = a[i][2] - b[i][2];
          expect(Math.sqrt(dx * dx + dz * dz)).toBeLessThanOrEqual(2.8 + 1e-9);
        }
        // As wide as the platforms are, less the borders of their meshes.
        expect(link.width).toBeGreaterThan(4 - 0.8 - 4.4 * CELL);
      }
    }
  });

  it('jumps up to the rise in both directions, and down only above it', () => {
    for (let rise = 0; rise < 1.4; rise += 0.2) {
      const { links } = linksOf(gap(1, rise), { jump: { maxDistance: 3, maxRise: 0.5, maxDrop: 1 } });
      if (Math.abs(rise - 0.5) < 0.15 || Math.abs(rise - 1) < 0.15) continue;
      expect(links.length > 0, `rise ${rise}`).toBe(rise < 1);
      expect(
        links.every(({ bothWays }) => bothWays === rise < 0.5),
        `rise ${rise}`,
      ).toBe(true);
      for (const { start, end, bothWays } of links) if (!bothWays) expect(start[0][1]).toBeGreaterThan(end[0][1]);
    }
  });

  it('drops and climbs between a step and the height', () => {
    for (let height = 0.1; height < 2.2; height += 0.2) {
      const { links } = linksOf(step(height), { drop: { maxHeight: 1.6 }, climb: { maxHeight: 0.8 } });
      if ([0.3, 0.8, 1.6].some((limit) => Math.abs(height - limit) < 0.15)) continue;
      const kinds = [...new Set(links.map(({ kind, bothWays }) => `${kind} ${bothWays}`))];
      const expected = height < 0.3 || height > 1.6 ? [] : height < 0.8 ? ['climb true'] : ['drop false'];
      expect(kinds, `height ${height}`).toEqual(expected);
      const { links: up } = linksOf(step(height), { climb: { maxHeight: 1.6 } });
      for (const { start, end } of up) expect(start[0][1]).toBeLessThan(end[0][1]);
    }
  });

  it('jumps below ceilings that the arc leaves room for, at the lowest peak', () => {
    for (let ceiling = 1.6; ceiling < 3.2; ceiling += 0.2) {
      const boxes: Box[] = [...gap(1.2), [6.2, ceiling, 0, 7, ceiling + 0.5, 4]];
      const { links } = linksOf(boxes, { jump: { maxDistance: 3, peak: 0.8 } });
      // The body, an arc of a quarter of the peak, and half a cell of slack on each side.
      const room = ceiling - 1.8 - 0.2;
      if (Math.abs(room) > 0.2) expect(links.length > 0, `ceiling ${ceiling}`).toBe(room > 0);
      // Without the ceiling the lowest arc does.
      for (const { peak } of links) expect(peak).toBe(0.2);
    }
  });

  it('vaults walls up to the height', () => {
    for (let height = 0.4; height < 1.8; height += 0.2) {
      const boxes: Box[] = [
        [0, -1, 0, 12, 0, 4],
        [6, 0, 0, 6.2, height, 4],
      ];
      const { links } = linksOf(boxes, { vault: { maxHeight: 1.2 } });
      if (Math.abs(height - 1.2) > 0.15) expect(links.length > 0, `height ${height}`).toBe(height < 1.2);
      for (const { kind, bothWays, peak } of links)
        expect([kind, bothWays, peak >= height - 0.15]).toEqual(['vault', true, true]);
    }
  });

  it('vaults nothing where there is only a gap', () => {
    expect(linksOf(gap(0.6), { vault: { maxDistance: 4 } }).links).toEqual([]);
  });

  it('never jumps where a post stands in the way', () => {
    for (const x of [0.5, 1.1, 1.9]) {
      const { links } = linksOf([...gap(1), [6.4, -1, 1.9, 6.6, 3, 2.1], [6.4, -1, x, 6.6, 3, x + 0.1]], { jump: {} });
      for (const { start, end } of links) {
        const zs = [...start, ...end].map((p) => p[2]);
        const [low, high] = [Math.min(...zs), Math.max(...zs)];
        for (const post of [
          [1.9, 2.1],
          [x, x + 0.1],
        ])
          expect(low >= post[1] + 0.4 || high <= post[0] - 0.4).toBe(true);
      }
      expect(links.length).toBeGreaterThan(0);
    }
  });

  it('does not leave closed boxes, pass thin walls, or stand in low places', () => {
    const wall: Box = [6.4, -1, 0, 6.45, 4, 4];
    expect(linksOf([...gap(1), wall], { jump: { peak: 2 }, drop: {}, climb: {} }).links).toEqual([]);
    // One-sided triangles block from both sides.
    const level = boxLevel(gap(1));
    const n = level.positions.length / 3;
    for (const facing of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      const more = {
        positions: [...level.positions, 6.5, -2, -1, 6.5, 9, 2, 6.5, -2, 5],
        indices: [...level.indices, ...facing.map((k) => n + k)],
      };
      const { navMesh } = buildNavMesh(level, BUILD);
      expect(findLinkCandidates(navMesh, more, { jump: {} }).links).toEqual([]);
    }
  });

  it('takes speeds for limits', () => {
    // 4 m/s up: 0.82 m and 0.82 s.
    const physics = { jumpSpeed: 4, runSpeed: 3, gravity: 9.81 };
    expect(linksOf(gap(1.2), { jump: physics }).links.length).toBeGreaterThan(0);
    expect(linksOf(gap(1.2), { jump: { ...physics, runSpeed: 1.5 } }).links).toEqual([]);
    expect(linksOf(gap(1.2), { jump: { ...physics, gravity: 30 } }).links).toEqual([]);
    for (const { peak, duration, distance } of linksOf(gap(1.2), { jump: physics }).links) {
      expect(peak).toBeLessThanOrEqual(16 / (2 * 9.81) + 1e-9);
      expect(distance / duration).toBeLessThanOrEqual(3 + 1e-9);
    }
  });
});

describe('automatic links', () => {
  it('are used by paths, from tile to tile, and cost their time', () => {
    const { navMesh, level } = linksOf(gap(1), { jump: {} }, { ...BUILD, tileSize: 2 });
    expect(findPath(navMesh, [1, 0, 2], [11, 0, 2]).status).toBe('partial');
    const { links, refs, added } = addAutoLinks(navMesh, level, { jump: { area: 5, flags: 2, name: 'jumps' } });
    expect(added).toBe(links.length);
    expect(validateNavMesh(navMesh)).toEqual([]);
    const path = findPath(navMesh, [1, 0, 2], [11, 0, 2]);
    expect(path.status).toBe('complete');
    const info = getLink(navMesh, refs[0])!;
    expect([info.area, info.flags, info.name, info.userId]).toEqual([5, 2, 'jumps', links[0].id]);
    expect([autoLinkKind(info.userId), info.kind]).toEqual(['jump', 'jump']);
    expect(info.startPoly === info.endPoly).toBe(false);
    for (const { cost, duration, distance } of links)
      expect(cost).toBeGreaterThanOrEqual(Math.max(distance, 3.5 * duration) - 1e-9);
  });

  it('stay out where a walk is about as short, over all tiles', () => {
    // A bridge beside the gap.
    const bridged: Box[] = [...gap(1), [3, -1, 3.9, 10, 0, 6]];
    for (const tileSize of [0, 2]) {
      const { links, report } = linksOf(bridged, { jump: {}, minDetour: 4 }, { ...BUILD, tileSize });
      expect(report.walkable).toBeGreaterThan(0);
      for (const { walk, cost } of links) expect(walk).toBeGreaterThanOrEqual(4 * cost);
      const all = linksOf(bridged, { jump: {}, minDetour: 0 }, { ...BUILD, tileSize }).links;
      expect(all.length).toBeGreaterThan(links.length);
    }
  });

  it('do not depend on the order of tiles, on links that are there, or on whole tiles of shift', () => {
    const build = { ...BUILD, cellSize: 0.25, cellHeight: 0.125, tileSize: 4 };
    const options = { jump: {}, drop: {}, climb: {} };
    const boxes: Box[] = [
      ...gap(1),
      ...gap(1).map(([a, b, c, d, e, f]): Box => [a, b, c + 5, d, e, f + 5]),
      [1, 0, 1, 3, 1, 3],
    ];
    const { navMesh, level, links } = linksOf(boxes, options, build);
    expect(links.length).toBeGreaterThan(2);
    const tiles = [0, 1, 2, 3].flatMap((x) => [0, 1, 2].map((z) => [x, z]));
    addLink(navMesh, { start: [1, 0, 2], end: [11, 0, 2] });
    for (const [x, z] of tiles.reverse()) {
      const data = buildTile(level, build, x, z);
      if (data === null) continue;
      removeTile(navMesh, findTile(navMesh, x, z));
      addTile(navMesh, data);
    }
    expect(findLinkCandidates(navMesh, level, options).links).toEqual(links);
    const moved = linksOf(
      boxes.map(([a, b, c, d, e, f]) => [a + 64, b + 8, c - 32, d + 64, e + 8, f - 32]),
      options,
      build,
    );
    // The inset is no binary fraction, so positions may differ by a rounding.
    const shift = (p: [number, number, number], by: number) =>
      [p[0] - by * 64, p[1] - by * 8, p[2] + by * 32].map((v) => v.toFixed(9));
    expect(moved.links.map(({ id }) => id)).toEqual(links.map(({ id }) => id));
    expect(moved.links.map(({ start }) => start.map((p) => shift(p, 1)))).toEqual(
      links.map(({ start }) => start.map((p) => shift(p, 0))),
    );
  });

  it('come back after a change, but for those that are excepted', () => {
    const { navMesh, level } = linksOf(gap(1), { jump: {} });
    const own = addLink(navMesh, { start: [1, 0, 2], end: [11, 0, 2], userId: 7 });
    const { links } = addAutoLinks(navMesh, level, { jump: {} });
    const bytes = saveNavMesh(navMesh);
    addAutoLinks(navMesh, level, { jump: {} });
    expect(Buffer.compare(saveNavMesh(navMesh), bytes)).toBe(0);
    // A wall rises in the gap.
    const blocked = boxLevel([...gap(1), [6.4, -1, 0, 6.6, 4, 4]]);
    expect(addAutoLinks(navMesh, blocked, { jump: {} }).removed).toBe(links.length);
    expect(listLinks(navMesh)).toEqual([own]);
    const except = [links[0].id];
    const less = addAutoLinks(navMesh, level, { jump: {}, except });
    expect(less.links.map(({ id }) => id)).toEqual(links.slice(1).map(({ id }) => id));
  });

  it('reach over tiles that are shorter than they are', () => {
    const { links } = linksOf(gap(4), { jump: { maxDistance: 7, peak: 1 } }, { ...BUILD, tileSize: 2 });
    expect(links.length).toBeGreaterThan(0);
    for (const { distance } of links) expect(distance).toBeGreaterThan(4);
  });

  it('have positions for animations', () => {
    const [jump] = linksOf(gap(1, 0.2), { jump: {} }).links;
    const places = autoLinkPositions(jump, 0.25, 33);
    for (let k = 0; k < 3; k++) {
      expect(places[0][k]).toBeCloseTo(jump.start[0][k] + 0.25 * (jump.start[1][k] - jump.start[0][k]), 12);
      expect(places[32][k]).toBeCloseTo(jump.end[0][k] + 0.25 * (jump.end[1][k] - jump.end[0][k]), 12);
    }
    const top = Math.max(...places.map((p) => p[1]));
    expect(top).toBeCloseTo(Math.max(jump.start[0][1], jump.end[0][1]) + jump.peak, 1);
    // A throw: second differences of heights are equal.
    const bend = places.slice(2).map((p, i) => p[1] - 2 * places[i + 1][1] + places[i][1]);
    for (const value of bend) expect(value).toBeCloseTo(bend[0], 9);
    const [drop] = linksOf(step(1), { drop: {} }).links;
    const fall = autoLinkPositions(drop);
    expect(fall[0][1]).toBeGreaterThan(fall[16][1]);
    expect([...fall].sort((a, b) => b[1] - a[1])).toEqual(fall);
  });

  it('refuse invalid options, and find nothing where the level allows nothing', () => {
    const { navMesh, level } = linksOf(gap(1), { jump: {} });
    const bad: [AutoLinkOptions | object, string][] = [
      [{}, 'findLinkCandidates: options name no kind'],
      [{ jump: { maxDistance: -1 } }, 'options.jump.maxDistance is -1; must be a finite number > 0'],
      [{ jump: { maxRise: NaN } }, 'options.jump.maxRise is NaN; must be a finite number >= 0'],
      [{ drop: { maxHeight: -2 } }, 'options.drop.maxHeight is -2'],
      [{ climb: { maxHeight: Infinity } }, 'options.climb.maxHeight is Infinity'],
      [{ jump: { jumpSpeed: 4 } }, 'options.jump.runSpeed is undefined; must be given'],
      [{ jump: { jumpSpeed: 4, runSpeed: 3, peak: 1 } }, 'options.jump.peak is 1; must be absent'],
      [{ drop: {}, spacing: -1 }, 'options.spacing is -1'],
      [{ hop: {} }, 'options.hop is unknown'],
      [{ drop: { height: 1 } }, 'options.drop.height is unknown'],
      [{ drop: { area: 64 } }, 'options.drop.area is 64'],
    ];
    for (const [options, message] of bad)
      expect(() => findLinkCandidates(navMesh, level, options as AutoLinkOptions)).toThrow(message);
    expect(() => findLinkCandidates(navMesh, { positions: [0, 1] }, { jump: {} })).toThrow('level.positions.length');
    expect(() => findLinkCandidates(navMesh, { positions: [0, 0, 0], indices: [0, 0, 3] }, { jump: {} })).toThrow(
      'level.indices[2] is 3',
    );
    expect(linksOf([[0, -1, 0, 6, 0, 4]], { jump: {}, drop: {}, climb: {}, vault: {} }).links).toEqual([]);
    expect(autoLinkKind(7)).toBeNull();
    const empty: NavMesh = buildNavMesh({ positions: [], indices: [] }, BUILD).navMesh;
    expect(findLinkCandidates(empty, { positions: [] }, { drop: {} }).links).toEqual([]);
  });
});

describe('separation', () => {
  it('agrees with the distances of many points (seed 5)', () => {
    const next = seeded(5);
    const hull = createHull();
    for (let i = 0; i < 120; i++) {
      hull.count = 1 + Math.floor(8 * next());
      hull.disc = i % 3 === 0 ? next() / 2 : 0;
      for (let k = 0; k < 3 * hull.count; k++) hull.points[k] = next();
      const triangle = Float64Array.from({ length: 9 }, (_, k) => 3 * next() - 1 + (k % 3 === 0 ? 1 : 0));
      let nearest = Infinity;
      for (let n = 0; n < 1500; n++) {
        // Corners, edges and insides of both.
        const p = pick(next, hull.points, hull.count);
        const q = pick(next, triangle, 3);
        const [x, y, z] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        const across = Math.max(0, Math.sqrt(x * x + z * z) - hull.disc);
        nearest = Math.min(nearest, Math.sqrt(across * across + y * y));
      }
      // Points only come near to the true distance.
      expect(isApart(hull, triangle, 0, nearest + 1e-9), `case ${i}`).toBe(false);
      if (nearest > 0.4) expect(isApart(hull, triangle, 0, nearest - 0.35), `case ${i}`).toBe(true);
    }
  });

  function pick(next: () => number, points: Float64Array, count: number): number[] {
    const weights = Array.from({ length: count }, () => next() ** 8);
    const sum = weights.reduce((a, b) => a + b, 0);
    return [0, 1, 2].map((k) => weights.reduce((at, weight, i) => at + (weight / sum) * points[3 * i + k], 0));
  }
});
