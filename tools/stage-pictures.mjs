/**
 * The pictures of docs/concepts.md and docs/settings.md: the stages of one small level, and the same level with one setting wrong.
 */
import { rasterize } from './picture-raster.mjs';

/** Returns a yard: a wall with a gap, stairs and a ramp up to a terrace, a bank that is too steep, and a table. */
export function yard() {
  const positions = [];
  const indices = [];
  const quad = (a, b, c, d) => {
    const first = positions.length / 3;
    positions.push(...a, ...b, ...c, ...d);
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  const box = (x0, y0, z0, x1, y1, z1) => {
    quad([x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]);
    quad([x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]);
    quad([x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]);
    quad([x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]);
    quad([x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]);
  };
  quad([0, 0, 0], [0, 0, 10], [14, 0, 10], [14, 0, 0]);
  // A wall with a gap of 1.2 m.
  box(4.5, 0, 0, 5, 2.2, 6);
  box(4.5, 0, 7.2, 5, 2.2, 10);
  // A terrace 1.2 m high, with stairs and a ramp.
  box(9, 0, 0, 14, 1.2, 4.5);
  for (let i = 0; i < 4; i++) box(9.2, 0, 4.5 + 0.4 * (3 - i), 11.4, 0.3 * (i + 1), 4.9 + 0.4 * (3 - i));
  quad([11.9, 1.2, 4.5], [11.9, 0, 8], [13.6, 0, 8], [13.6, 1.2, 4.5]);
  // A bank of 58 degrees, and a table.
  quad([0, 3, 0], [0, 0, 1.9], [4.5, 0, 1.9], [4.5, 3, 0]);
  box(1.4, 0.7, 5.2, 3, 0.8, 7.4);
  box(7, 0, 1.4, 7.9, 0.9, 2.3);
  return { positions, indices };
}

const YARD_BOUNDS = { min: [0, 0, 0], max: [14, 3, 10] };
const OPTIONS = {
  agent: { radius: 0.4, height: 1.8, maxClimb: 0.35, maxSlopeDegrees: 45 },
  cellSize: 0.2,
  cellHeight: 0.1,
  regionMergeArea: 2,
};
/** How far floors are drawn in front of the ground, which slopes between them, world units. */
const LIFT = 0.15;
/** Stage -> file. */
const STAGES = {
  triangles: 'triangles',
  solid: 'voxels',
  walkable: 'walkable',
  compact: 'compact',
  distance: 'distance',
  regions: 'regions',
  contours: 'contours',
  polygons: 'polygons',
  detail: 'detail',
};
/** File -> options that are wrong in one way, and the options they are compared with. */
const WRONG = {
  'cell-size': { cellSize: 0.6 },
  'agent-radius': { agent: { ...OPTIONS.agent, radius: 0.65 } },
  'agent-climb': { agent: { ...OPTIONS.agent, maxClimb: 0.2 } },
  'agent-slope': { agent: { ...OPTIONS.agent, maxSlopeDegrees: 15 } },
  'edge-error': { maxEdgeError: 1.2 },
  right: {},
};

/** Returns file -> bytes of a PNG. `library`: the exports of navkiln/build and navkiln/debug. */
export function stagePictures({
  buildNavMesh,
  prepareTiles,
  recordStages,
  stageDrawings,
  levelTriangles,
  navMeshTriangles,
  navMeshOutlines,
}) {
  const level = yard();
  const size = { width: 620, height: 410, bounds: YARD_BOUNDS };
  const { navMesh } = buildNavMesh(level, OPTIONS);
  const records = recordStages(prepareTiles(level, OPTIONS));
  const ground = levelTriangles(level, { maxSlopeDegrees: 90 });
  for (let i = 0; i < ground.colors.length; i += 4) ground.colors.set([205, 205, 198, 255], i);
  const pictures = new Map();
  const known = stageDrawings.listStages().map(({ id }) => id);
  for (const [id, file] of Object.entries(STAGES)) {
    if (!known.includes(id)) throw new Error(`There is no stage '${id}': ${known.join(', ')}`);
    const { lists } = stageDrawings.viewStage(records, id, { navMesh });
    const isVoxels = ['triangles', 'solid', 'walkable'].includes(id);
    pictures.set(
      `stage-${file}.png`,
      rasterize(isVoxels ? lists : [ground, ...lists], { ...size, lift: isVoxels ? 0 : LIFT }),
    );
  }
  for (const [file, change] of Object.entries(WRONG)) {
    const mesh = buildNavMesh(level, { ...OPTIONS, ...change }).navMesh;
    pictures.set(
      `setting-${file}.png`,
      rasterize([ground, navMeshTriangles(mesh), navMeshOutlines(mesh)], { ...size, lift: LIFT }),
    );
  }
  return pictures;
}
