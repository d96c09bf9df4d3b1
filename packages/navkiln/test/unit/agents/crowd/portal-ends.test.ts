import { describe, expect, it } from 'vitest';
import { isBetweenWalls } from '../../../../src/agents/crowd/nearby/portal-ends.ts';
import { setCrossingEnds } from '../../../../src/mesh/crossing.ts';
import { hall } from './traffic-run.ts';

/** A wall at x = 4 .. 5 with a door one cell wide at z = 3 .. 4. */
const isOpen = (x: number, z: number): boolean => x < 4 || x >= 5 || (z >= 3 && z < 4);

describe('a portal', () => {
  it('lies between walls exactly in a door, however small the polygons are', () => {
    const mesh = hall(9, 7, isOpen);
    const ends = new Float64Array(6);
    let between = 0;
    for (let poly = 0; poly < mesh.polyCount; poly++) {
      const first = mesh.polyEdgeStart[poly];
      for (let edge = first; edge < first + mesh.polyVertexCount[poly]; edge++) {
        if (mesh.edgeNeighbor[edge] < 0) continue;
        setCrossingEnds(ends, mesh, poly, edge);
        // The two portals of the door, from both sides.
        const isDoor = ends[0] === ends[3] && (ends[0] === 4 || ends[0] === 5) && Math.min(ends[2], ends[5]) === 3;
        expect(isBetweenWalls(mesh, poly, edge), `${[...ends].join()}`).toBe(isDoor);
        if (isDoor) between++;
      }
    }
    expect(between).toBe(4);
  });
});
