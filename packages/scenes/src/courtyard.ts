/** Holes in holes: frames of wall within frames of pit within frames of wall, side by side in one court. */
import { addBox, addColumn, addFloor, addFrame, createBuilder, finishMesh } from './builder.ts';
import { createRandom, nextFloat, nextRange } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const SIDE = 60;

function createCourtyard(seed: number = 2): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  addFloor(builder, [0, 0, SIDE, SIDE], 0, 12, 12);
  addFrame(builder, [SIDE / 2, SIDE / 2], SIDE / 2 + 1, SIDE / 2, [-1, 3]);
  for (let iz = 0; iz < 4; iz++) {
    for (let ix = 0; ix < 4; ix++) {
      const x = 8.5 + ix * 14.3;
      const z = 8.5 + iz * 14.3;
      const rings = 2 + Math.floor(nextFloat(random) * 3);
      let outer = 5.6;
      for (let ring = 0; ring < rings && outer > 1; ring++) {
        const inner = outer - nextRange(random, 0.2, 0.5);
        addFrame(builder, [x, z], outer, inner, [0, 2.2]);
        outer = inner - nextRange(random, 1.1, 1.5);
        // Round wells between the frames are holes inside what the frame cuts out.
        for (let i = 0; i < 3; i++) {
          const side = nextFloat(random) < 0.5 ? -1 : 1;
          const along = nextRange(random, -outer, outer);
          addColumn(builder, [x + side * (outer + 0.55), z + along], 0.12, [0, 1.5], 8);
        }
      }
      if (nextFloat(random) < 0.5) addBox(builder, [x - 0.6, 0, z - 0.6], [x + 0.6, 1, z + 0.6]);
    }
  }
  // Rows of posts in the open lanes: many small holes in one region.
  for (let i = 0; i < 120; i++) {
    const lane = Math.floor(nextFloat(random) * 3);
    const across = 15.65 + lane * 14.3 + nextRange(random, -0.5, 0.5);
    const along = nextRange(random, 2, SIDE - 2);
    if (nextFloat(random) < 0.5) addColumn(builder, [across, along], 0.15, [0, 2], 6);
    else addColumn(builder, [along, across], 0.15, [0, 2], 6);
  }
  return finishMesh(builder);
}

export const courtyardScene: LevelScene = {
  name: 'courtyard',
  kind: 'level',
  title: 'Courtyard: holes in holes',
  create: createCourtyard,
  scalable: false,
  options: {
    agent: { radius: 0.2, height: 1.8, maxClimb: 0.3, maxSlopeDegrees: 45 },
    cellSize: 0.15,
    cellHeight: 0.1,
    regionMinArea: 0.2,
  },
  path: { from: [1.2, 0, 1.2], to: [58.8, 0, 58.8] },
};
