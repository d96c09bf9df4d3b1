/** Causes and remedies of faults of surface meshes. Each remedy that is named is applied, and the mesh is verified again. */
import { describe, expect, it } from 'vitest';
import { randomLevel } from 'navkiln-scenes';
import { explainSurfaceFaults, verifyNavMesh } from '../../../../src/entries/debug.ts';
import { buildFromSurface } from '../../../../src/build/surface/build.ts';
import type { SurfaceOptions } from '../../../../src/build/surface/options.ts';
import { floors, soup } from '../../build/surface/levels.ts';

/** Returns the options that a remedy names. */
function optionsOf(remedy: string | null): SurfaceOptions {
  return Object.fromEntries(
    (remedy ?? '').split(', ').map((part) => [part.split(': ')[0], Number(part.split(': ')[1])]),
  );
}

describe('explainSurfaceFaults', () => {
  it('names the weld tolerance for slabs that miss each other by millimeters', () => {
    const level = soup(floors([0, 0, 6, 6, 0], [6.004, 0, 12, 6, 0]));
    const options = { agent: { radius: 0 } };
    const agent = { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
    const { navMesh } = buildFromSurface(level, options);
    const found = verifyNavMesh(level, navMesh, { seed: 1, agent, spacing: 0.2 });
    expect(found.lost).toBeGreaterThan(0);
    const [place] = explainSurfaceFaults(level, navMesh, found, options).places;
    expect(place.cause).toMatch(/^weld: corners that should meet/);
    const again = buildFromSurface(level, { ...options, ...optionsOf(place.remedy) }).navMesh;
    expect(verifyNavMesh(level, again, { seed: 1, agent, spacing: 0.2 }).lost).toBe(0);
  });

  it('leaves places alone that no option repairs', () => {
    const level = randomLevel('mixed', 4011);
    const { agent, positions, indices } = level;
    const { navMesh } = buildFromSurface({ positions, indices }, { agent });
    const found = verifyNavMesh({ positions, indices }, navMesh, { seed: 1, pairs: 100, agent });
    const { places } = explainSurfaceFaults({ positions, indices }, navMesh, found, { agent });
    expect(places[0]).toMatchObject({ cause: null, remedy: null });
    const explained = places.find(({ remedy }) => remedy !== null)!;
    const again = buildFromSurface({ positions, indices }, { agent, ...optionsOf(explained.remedy) }).navMesh;
    const after = verifyNavMesh({ positions, indices }, again, { seed: 1, pairs: 100, agent, maxPlaces: 1000 }).places;
    const isThere = after.some(
      ({ kind, position }) =>
        kind === explained.kind && Math.hypot(...position.map((value, i) => value - explained.position[i])) < 0.4,
    );
    expect(isThere).toBe(false);
  });

  it('refuses what is no result', () => {
    const { navMesh } = buildFromSurface(soup(floors([0, 0, 6, 6, 0])));
    expect(() => explainSurfaceFaults(soup(floors([0, 0, 6, 6, 0])), navMesh, {} as never)).toThrow(
      /explainSurfaceFaults/,
    );
  });
});
