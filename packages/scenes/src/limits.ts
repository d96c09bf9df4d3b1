/** Small levels at the limits of the options: climb, slope, headroom, and the smallest levels that exist. */
import { monotonePartition } from 'navkiln/build';
import {
  addBox,
  addFloor,
  addPrism,
  addRamp,
  addStairs,
  addTrianglePoints,
  createBuilder,
  finishMesh,
} from './builder.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const agent = { radius: 0.3, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 };
const options: LevelScene['options'] = { agent, cellSize: 0.15, cellHeight: 0.1 };

/**
 * Flights of four steps side by side, with rises of 0.2, 0.3, exactly 0.4, 0.41, 0.45 and 0.6 m, each to its
 * own platform.
 */
function createStairLimits(): LevelMesh {
  const builder = createBuilder();
  addBox(builder, [0, -1, 0], [30, 0, 6]);
  [0.2, 0.3, 0.4, 0.41, 0.45, 0.6].forEach((rise, i) => {
    const x = i * 5 + 0.5;
    addStairs(builder, [x, 6, x + 3.5, 10.8], { bottom: -1, low: 0, high: rise * 4, up: 1 }, 4);
    addBox(builder, [x, -1, 10.8], [x + 3.5, rise * 4, 14]);
  });
  return finishMesh(builder);
}

export const stairLimitsScene: LevelScene = {
  name: 'stair-limits',
  kind: 'level',
  title: 'Stairs below, at and above the climb limit',
  create: createStairLimits,
  scalable: false,
  options,
  path: { from: [1, 0, 2], to: [12, 1.6, 13] },
};

/** Ramps side by side with slopes of 20°, 30°, 44°, exactly 45°, 46° and 60° over 4 m. */
function createSlopeLimits(): LevelMesh {
  const builder = createBuilder();
  addBox(builder, [0, -1, 0], [30, 0, 6]);
  // 4 * tan(angle), written out, because engines compute tangents differently.
  [1.4558809, 2.3094011, 3.8627551, 4, 4.1421213, 6.9282032].forEach((rise, i) => {
    const x = i * 5 + 0.5;
    addRamp(builder, [x, 6, x + 3.5, 10], { bottom: -1, low: 0, high: rise, up: 1 });
    addBox(builder, [x, -1, 10], [x + 3.5, rise, 14]);
  });
  return finishMesh(builder);
}

export const slopeLimitsScene: LevelScene = {
  name: 'slope-limits',
  kind: 'level',
  title: 'Ramps below, at and above the slope limit',
  create: createSlopeLimits,
  scalable: false,
  options,
  path: { from: [1, 0, 2], to: [7, 2.31, 13] },
};

/**
 * A corridor under ceilings from 2.5 m down to 1 m, some near 1.8 m, and doors from 2 m down to one voxel.
 */
function createHeadroomLimits(): LevelMesh {
  const builder = createBuilder();
  addBox(builder, [0, -1, 0], [28, 0, 12]);
  [2.5, 2, 1.9, 1.8, 1.7, 1.2, 1].forEach((height, i) =>
    addBox(builder, [i * 4 + 0.5, height, 0], [i * 4 + 3.5, height + 0.4, 4]),
  );
  let x = 0;
  for (const width of [2, 1.5, 1.2, 1.05, 0.9, 0.75, 0.6, 0.45, 0.15]) {
    addBox(builder, [x, 0, 7], [x + 1.5, 2.5, 7.3]);
    x += 1.5 + width;
  }
  addBox(builder, [x, 0, 7], [28, 2.5, 7.3]);
  addPrism(builder, [10, 9, 10, 11, 18, 11, 18, 9], [2.4, 2.4, 1, 1], [3, 3, 3, 3]);
  return finishMesh(builder);
}

export const headroomLimitsScene: LevelScene = {
  name: 'headroom-limits',
  kind: 'level',
  title: 'Ceilings and doors around the size of the agent',
  create: createHeadroomLimits,
  scalable: false,
  options,
  path: { from: [1, 0, 5.5], to: [26, 0, 10] },
};

function createSingleTriangle(): LevelMesh {
  const builder = createBuilder();
  addTrianglePoints(builder, [0, 0, 0, 0, 0, 8, 8, 1, 0]);
  return finishMesh(builder);
}

export const singleTriangleScene: LevelScene = {
  name: 'single-triangle',
  kind: 'level',
  title: 'One triangle',
  create: createSingleTriangle,
  scalable: false,
  options,
  path: { from: [1, 0.1, 1], to: [1, 0.1, 5.5] },
};

/**
 * A floor of one voxel or of two. Without erosion and with ledges kept, all of it is walkable. One cell has
 * no outline and gives no mesh. Two cells give a mesh with monotone strips, while the watershed finds no
 * maximum to flood from.
 */
function createCells(count: number): LevelMesh {
  const builder = createBuilder();
  addFloor(builder, [0, 0, 0.5 * count, 0.5], 0);
  return finishMesh(builder);
}

const cellOptions: LevelScene['options'] = {
  agent: { radius: 0, height: 1, maxClimb: 0.25, maxSlopeDegrees: 45 },
  cellSize: 0.5,
  cellHeight: 0.25,
  regionMinArea: 0,
  regionMergeArea: 0,
  maxEdgeError: 0.25,
  partition: monotonePartition,
  filterLedges: false,
};

export const oneCellScene: LevelScene = {
  name: 'one-cell',
  kind: 'level',
  title: 'One voxel of ground',
  create: () => createCells(1),
  scalable: false,
  options: cellOptions,
  path: { from: [0.25, 0, 0.25], to: [0.3, 0, 0.3] },
};

export const twoCellsScene: LevelScene = {
  name: 'two-cells',
  kind: 'level',
  title: 'Two voxels of ground',
  create: () => createCells(2),
  scalable: false,
  options: cellOptions,
  path: { from: [0.25, 0, 0.25], to: [0.75, 0, 0.25] },
};
