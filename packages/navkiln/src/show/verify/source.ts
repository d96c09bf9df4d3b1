/**
 * The level that decides: triangles or a 2D map, behind one record.
 *
 * In: a level. Out: its box, and its floors on a grid.
 * Cost: that of its parts.
 * Based on: own.
 */
import type { AgentShape } from '../../mesh/types.ts';
import type { PolygonMap } from '../../build/polygon/options.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import { findFloors } from './floors.ts';
import type { Floors } from './floors.ts';
import { cutColumns } from './shapes/grid.ts';
import type { Grid } from './shapes/grid.ts';
import { placeTriangles, readLevel } from './level.ts';
import { floorsOfMap, mapCell, readMap } from './map.ts';
import { cutWays, findObstacles } from './obstacles.ts';
import type { Setup } from './setup.ts';
import { markStanding } from './standing.ts';

/** A level that was read. */
export interface Source {
  min: readonly number[];
  max: readonly number[];
  /** Triangles that were left out. */
  invalidCount: number;
  /** Cell for meshes that were not made of voxels. */
  cellFor: (agent: AgentShape) => number;
  /** Floors with the places where an agent surely stands, and where it may stand. */
  floorsOn: (grid: Grid, setup: Setup) => Floors;
}

/** Reads a level. Throws when it has no area. */
export function readSource(input: TriangleInput | PolygonMap): Source {
  return typeof input === 'object' && input !== null && 'polygons' in input ? sourceOfMap(input) : sourceOfLevel(input);
}

function sourceOfMap(input: PolygonMap): Source {
  const map = readMap(input);
  return {
    min: map.min,
    max: map.max,
    invalidCount: 0,
    cellFor: (agent) => mapCell(map, { agent }),
    floorsOn: (grid, setup) => {
      const { floors, obstacles } = floorsOfMap(map, grid);
      markStanding(grid, floors, obstacles, setup);
      return floors;
    },
  };
}

function sourceOfLevel(input: TriangleInput): Source {
  const level = readLevel(input);
  const { min, max, invalidCount } = level;
  return {
    min,
    max,
    invalidCount,
    cellFor: ({ radius, height }) => (radius > 0 ? radius / 2 : height / 10),
    floorsOn: (grid, setup) => {
      const triangles = placeTriangles(level, grid, setup.agent.maxSlopeDegrees, setup.margins.slopeDegrees);
      const cuts = cutColumns(grid, triangles.corners, triangles.count);
      const floors = findFloors(grid, triangles, cuts, setup);
      cutWays(grid, triangles, floors, setup);
      markStanding(grid, floors, findObstacles(grid, triangles, floors, setup), setup);
      return floors;
    },
  };
}
