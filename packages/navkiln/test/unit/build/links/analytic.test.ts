/**
 * Automatic links on levels whose answers are known: a parameter is swept through its limit, where links appear or go. Two cells around the
 * limit are left out. On every link, bodies at places that the search did not use touch nothing (the judge of links-levels.ts).
 */
import { describe, expect, it } from 'vitest';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { findLinkCandidates } from '../../../../src/build/links/find.ts';
import type { AutoLink, AutoLinkOptions } from '../../../../src/build/links/types.ts';
import { listLinks, removeLink } from '../../../../src/mesh/change/links.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { boxLevel, penetration } from '../../../property/links-levels.ts';
import type { Box, Level } from '../../../property/links-levels.ts';
import { seeded } from '../../meshes.ts';
import { gap } from './levels.ts';

const BUILD = {
  regionMinArea: 0.2,
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 },
  cellSize: 0.2,
  cellHeight: 0.1,
};
const CELL = 0.2;
const next = seeded(8);

/** Returns the links of a level, after the judge has seen them. */
function linksOf(level: Level, options: AutoLinkOptions): AutoLink[] {
  const { navMesh } = buildNavMesh(level, BUILD);
  const { links } = findLinkCandidates(navMesh, level, options);
  for (const link of links) {
    for (let i = 0; i < 3; i++) {
      const [a, b] = [link.start, link.end].map(([p, q]) => {
        const t = next();
        return p.map((value, k) => value + t * (q[k] - value));
      });
      expect(
        penetration(navMesh, level, link, a, b, Array.from({ length: 7 }, next)),
        JSON.stringify(link),
      ).toBeLessThan(1e-6);
    }
  }
  return links;
}

/** Turns a level about the y axis by an angle. */
function turned({ positions, indices }: Level, degrees: number): Level {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const turn = positions.map((value, i) => {
    if (i % 3 === 1) return value;
    const at = i - (i % 3);
    const [x, z] = [positions[at], positions[at + 2]];
    return i % 3 === 0 ? c * x + s * z : c * z - s * x;
  });
  return { positions: turn, indices };
}

describe('links of analytic levels', () => {
  it('lead through windows that are wide, high and low enough', () => {
    const windowIn = (width: number, sill: number, lintel: number): AutoLink[] => {
      const wall: Box[] = [
        [6.45, -1, -1, 6.55, 6, 2 - width / 2],
        [6.45, -1, 2 + width / 2, 6.55, 6, 5],
        [6.45, -1, 1, 6.55, sill, 3],
        [6.45, lintel, 1, 6.55, 6, 3],
      ];
      return linksOf(boxLevel([...gap(1), ...wall]), { jump: { maxDistance: 3, peak: 0.8 } });
    };
    // As wide as the agent.
    for (const width of [0.3, 0.6, 1.2, 1.6, 2])
      expect(windowIn(width, 0, 5).length > 0, `width ${width}`).toBe(width > 0.8);
    // As high as the feet at the top of the highest arc.
    for (const sill of [0.1, 0.3, 0.5, 0.6, 1, 1.3])
      expect(windowIn(2, sill, 6).length > 0, `sill ${sill}`).toBe(sill < 0.8);
    // As high as the body on the lowest arc.
    for (const lintel of [1.5, 1.7, 2.4, 3])
      expect(windowIn(2, 0, lintel).length > 0, `lintel ${lintel}`).toBe(lintel > 2);
    // No arc fits in a window that is a little higher than the agent, and off the ground.
    expect(windowIn(2, 0.6, 2.5)).toEqual([]);
    expect(windowIn(2, 0.6, 3.2).length).toBeGreaterThan(0);
  });

  it('land on every floor in reach', () => {
    for (let below = 2.2; below < 4; below += 0.3) {
      const boxes: Box[] = [
        [0, -6, 0, 6, 0, 4],
        [7.2, -0.2, 0, 12, 0, 4],
        [6, -6, 0, 12, -below, 4],
      ];
      const links = linksOf(boxLevel(boxes), { jump: { maxDistance: 3 }, drop: { maxHeight: 3 } });
      const floors = links.map(({ start, end }) => Math.round(10 * (start[0][1] > -1 ? end[0][1] : start[0][1])) / 10);
      expect(
        floors.some((y) => y > -0.3),
        `${below}`,
      ).toBe(true);
      if (Math.abs(below - 3) > 0.2)
        expect(
          floors.some((y) => y < -1),
          `${below}`,
        ).toBe(below < 3);
    }
  });

  it('never lead up through a balcony', () => {
    for (const height of [2.4, 2.8, 3.2]) {
      // The floor goes on below the balcony.
      const boxes: Box[] = [
        [0, -1, 0, 12, 0, 6],
        [0, height - 0.2, 0, 5, height, 6],
      ];
      const links = linksOf(boxLevel(boxes), {
        jump: { maxDistance: 3, maxRise: 4, maxDrop: 4, peak: 1 },
        drop: { maxHeight: 4 },
        climb: { maxHeight: 4 },
      });
      expect(links.length).toBeGreaterThan(0);
      for (const { start, end } of links) {
        const lower = start[0][1] < end[0][1] ? start : end;
        // A radius beyond the edge, at least; the balcony's own mesh ends a radius before it.
        for (const [x] of lower) expect(x).toBeGreaterThan(5 + 0.4 - 1e-6);
      }
    }
  });

  it('cross gaps at any angle to the grid', () => {
    const whole = boxLevel(gap(1));
    for (let degrees = 0; degrees <= 90; degrees += 7.5) {
      const level = turned(whole, degrees);
      // The mesh keeps a radius and up to 2.2 cells from both edges.
      expect(linksOf(level, { jump: { maxDistance: 1.8 + 0.16 + 4.4 * CELL } }).length, `${degrees}`).toBeGreaterThan(
        0,
      );
      expect(linksOf(level, { jump: { maxDistance: 1.8 - CELL } }), `${degrees}`).toEqual([]);
    }
  });

  it('lead up spiral stairs only where steps are higher than agents climb', () => {
    // `npm run soak` sets NAVKILN_FULL.
    for (const rise of process.env.NAVKILN_FULL === undefined ? [0.2, 0.4] : [0.15, 0.2, 0.4, 0.5]) {
      const steps = Array.from({ length: 10 }, (_, i) =>
        turned(boxLevel([[2, -1, -1.6, 7, rise * (i + 1), 1.6]]), 36 * i),
      );
      const level: Level = { positions: [], indices: [] };
      for (const { positions, indices } of [...steps, boxLevel([[-11, -1, -11, 11, 0, 11]])]) {
        const base = level.positions.length / 3;
        level.positions.push(...positions);
        level.indices.push(...indices.map((index) => base + index));
      }
      const { navMesh } = buildNavMesh(level, BUILD);
      const [x, , z] = turned({ positions: [5.5, 0, 0], indices: [] }, 36 * 7).positions;
      const [from, to] = [
        [10, 0, 10],
        [x, 8 * rise, z],
      ];
      const isConnected = findPath(navMesh, from, to).status === 'complete';
      expect(isConnected, `rise ${rise}`).toBe(rise < 0.3);
      linksOf(level, { drop: {}, climb: {}, jump: {} });
      addAutoLinks(navMesh, level, { drop: {}, climb: {} });
      expect(findPath(navMesh, from, to).status, `rise ${rise}`).toBe('complete');
      for (const ref of listLinks(navMesh)) removeLink(navMesh, ref);
    }
  });
});
