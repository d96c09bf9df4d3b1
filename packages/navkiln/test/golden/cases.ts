/** The option sets with which every level is baked for the comparison with Recast. */
import { createVolumes } from '../../src/build/voxel/volumes.ts';
import type { AreaVolume, BuildOptions } from '../../src/build/voxel/options.ts';
import { boundsOf } from './levels.ts';
import type { GoldenLevel } from './levels.ts';

export interface OptionSet {
  name: string;
  change: (level: GoldenLevel) => BuildOptions;
}

const cellOf = (level: GoldenLevel): number => level.options.cellSize!;

/** Returns volumes of each kind over the middle of the level: some overlap, and one is a hole. */
export function volumesOver(level: GoldenLevel): AreaVolume[] {
  const { min, max } = boundsOf(level.input.positions);
  const at = (axis: number, part: number): number => min[axis] + (max[axis] - min[axis]) * part;
  const size = Math.min(max[0] - min[0], max[2] - min[2]);
  return [
    { type: 'box', area: 5, min: [at(0, 0.2), at(1, -0.1), at(2, 0.2)], max: [at(0, 0.55), at(1, 0.7), at(2, 0.5)] },
    {
      type: 'cylinder',
      area: 17,
      center: [at(0, 0.6), at(1, -0.1), at(2, 0.6)],
      radius: size * 0.21,
      height: max[1] - min[1],
    },
    {
      type: 'prism',
      area: 0,
      minY: at(1, -0.2),
      maxY: at(1, 1.2),
      outline: [
        [at(0, 0.3), at(2, 0.35)],
        [at(0, 0.41), at(2, 0.37)],
        [at(0, 0.43), at(2, 0.47)],
        [at(0, 0.32), at(2, 0.44)],
      ],
    },
    {
      type: 'prism',
      area: 2,
      minY: at(1, 0),
      maxY: at(1, 1.1),
      outline: [
        [at(0, 0.7), at(2, 0.1)],
        [at(0, 0.95), at(2, 0.25)],
        [at(0, 0.72), at(2, 0.4)],
      ],
    },
  ];
}

export const OPTION_SETS: readonly OptionSet[] = [
  { name: 'default', change: () => ({}) },
  {
    name: 'coarser, steeper',
    change: (level) => ({
      cellSize: cellOf(level) * 1.37,
      cellHeight: level.options.cellHeight! * 1.21,
      agent: { ...level.options.agent, maxSlopeDegrees: 55, radius: level.options.agent!.radius! * 0.7 },
      maxEdgeError: cellOf(level) * 2.1,
    }),
  },
  {
    name: 'volumes, area edges, median',
    change: (level) => ({
      volumes: createVolumes(volumesOver(level)),
      tessellateAreaEdges: true,
      medianAreas: true,
      maxEdgeLength: cellOf(level) * 25,
    }),
  },
  { name: 'triangles', change: () => ({ maxVerticesPerPoly: 3, maxEdgeLength: 0 }) },
  {
    name: '12 vertices',
    change: (level) => ({ maxVerticesPerPoly: 12, maxEdgeError: cellOf(level) * 0.6, regionMinArea: 0 }),
  },
  {
    name: 'no filters',
    change: (level) => ({
      filterLowHangingObstacles: false,
      filterLedges: false,
      filterLowCeilings: false,
      tessellateWallEdges: false,
      agent: { ...level.options.agent, radius: 0 },
      detailSampleDistance: 0,
      maxEdgeError: cellOf(level) * 1.3,
      maxEdgeLength: 0,
    }),
  },
];
