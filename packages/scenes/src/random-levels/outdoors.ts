/** Terraces, hills with blocks on them, and closed boxes. */
import { addBox, addHeightGrid } from '../builder.ts';
import type { Rectangle } from '../builder.ts';
import { fractalNoise, nextFloat, nextInt, nextRange } from '../random.ts';
import { CLEAR, addGroundPlace, addPassage, addPlace, chance, sureStep, tanDegrees } from './sketch.ts';
import type { Feature, Sketch } from './sketch.ts';

/** A pyramid of terraces with steps below and above the climb. */
export const terraces: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxClimb } = agent;
  const count = nextInt(random, 2, 6);
  const depths = Array.from({ length: count }, () => radius * nextRange(random, CLEAR, 8));
  const core = radius * nextRange(random, 9, 14);
  const margin = 5 * radius;
  const reach = depths.reduce((sum, depth) => sum + depth, 0) + core / 2;
  const [cx, cz] = [x + margin + reach, z + margin + reach];
  let below = addGroundPlace(sketch, x + 3 * radius, cz);
  let out = reach;
  let y = 0;
  for (let i = 0; i <= count; i++) {
    const kind = nextFloat(random);
    let step = nextRange(random, 0.3, 1) * sureStep(agent);
    if (kind > 0.8) step = maxClimb + radius * nextRange(random, 0.51, 2);
    else if (kind > 0.7) step = nextRange(random, 0.8, 1.3) * maxClimb;
    y += step;
    addBox(sketch.builder, [cx - out, -radius, cz - out], [cx + out, y, cz + out]);
    const depth = i < count ? depths[i] : core;
    const place = addPlace(sketch, cx - out + depth / 2, y, cz);
    addPassage(sketch, below, place, { step, width: depth });
    below = place;
    out -= depth;
  }
  return [x, z, cx + reach + margin, cz + reach + margin];
};

/** Returns up to `count` rectangles that keep a distance from each other and from the border of an area. */
function scatter(sketch: Sketch, [x0, z0, x1, z1]: Rectangle, count: number, gap: number): Rectangle[] {
  const { random, agent } = sketch;
  const found: Rectangle[] = [];
  for (let i = 0; i < 4 * count && found.length < count; i++) {
    const w = agent.radius * nextRange(random, 1, 14);
    const d = agent.radius * nextRange(random, 1, 14);
    const ax = nextRange(random, x0 + gap, x1 - gap - w);
    const az = nextRange(random, z0 + gap, z1 - gap - d);
    if (ax < x0 + gap || az < z0 + gap) continue;
    if (found.some((b) => ax < b[2] + gap && ax + w > b[0] - gap && az < b[3] + gap && az + d > b[1] - gap)) continue;
    found.push([ax, az, ax + w, az + d]);
  }
  return found;
}

/** Returns places in an area, `clear` away from all blocks and the border. */
function freePlaces(sketch: Sketch, area: Rectangle, blocks: readonly Rectangle[], clear: number): [number, number][] {
  const { random } = sketch;
  const places: [number, number][] = [];
  for (let i = 0; i < 60 && places.length < 4; i++) {
    const x = nextRange(random, area[0] + clear, area[2] - clear);
    const z = nextRange(random, area[1] + clear, area[3] - clear);
    const isFree = blocks.every((b) => x < b[0] - clear || x > b[2] + clear || z < b[1] - clear || z > b[3] + clear);
    if (isFree) places.push([x, z]);
  }
  return places;
}

/** Hills below the slope limit, with blocks. It has ground of its own. */
export const terrain: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, maxClimb, maxSlopeDegrees } = agent;
  const size = radius * nextRange(random, 40, 70);
  const cells = nextInt(random, 12, 48);
  const side = size / cells;
  const seed = nextInt(random, 1, 1e6);
  const bumps = nextRange(random, 2, 7) / cells;
  const noise = (ix: number, iz: number): number => fractalNoise(seed, ix * bumps, iz * bumps, 2);
  let steepest = 1e-9;
  for (let iz = 0; iz < cells; iz++) {
    for (let ix = 0; ix < cells; ix++) {
      const [a, b, c, d] = [noise(ix, iz), noise(ix + 1, iz), noise(ix, iz + 1), noise(ix + 1, iz + 1)];
      const alongX = Math.max(Math.abs(b - a), Math.abs(d - c)) / side;
      const alongZ = Math.max(Math.abs(c - a), Math.abs(d - b)) / side;
      steepest = Math.max(steepest, Math.sqrt(alongX * alongX + alongZ * alongZ));
    }
  }
  const slopeDegrees = nextRange(random, 3, Math.min(30, maxSlopeDegrees - 4));
  const factor = tanDegrees(slopeDegrees) / steepest;
  const height = (px: number, pz: number): number => {
    // The height of the surface at grid points; elsewhere a bound by the slope is enough.
    return noise((px - x) / side, (pz - z) / side) * factor;
  };
  addHeightGrid(sketch.builder, {
    nx: cells,
    nz: cells,
    xOf: (ix) => x + ix * side,
    zOf: (iz) => z + iz * side,
    height: (ix, iz) => noise(ix, iz) * factor,
    up: true,
  });
  const area: Rectangle = [x, z, x + size, z + size];
  const gap = (CLEAR + 1.5) * radius;
  const blocks = scatter(sketch, area, nextInt(random, 0, 10), gap);
  let ground = 0;
  for (const [px, pz] of freePlaces(sketch, area, blocks, 0.5 * gap + side)) {
    // At a grid point the height is known.
    const gx = x + side * Math.round((px - x) / side);
    const gz = z + side * Math.round((pz - z) / side);
    const place = addPlace(sketch, gx, height(gx, gz), gz);
    addPassage(sketch, ground, place, { slopeDegrees });
    ground = place;
  }
  for (const [x0, z0, x1, z1] of blocks) {
    // The ground is at most this far from its height at the middle.
    const reach = (Math.max(x1 - x0, z1 - z0) + 2 * side + 2 * radius) * tanDegrees(slopeDegrees);
    const middle = height((x0 + x1) / 2, (z0 + z1) / 2);
    const step = nextRange(random, 0.2, 6) * maxClimb;
    const top = middle + reach + step;
    addBox(sketch.builder, [x0, middle - reach - radius, z0], [x1, top, z1]);
    const place = addPlace(sketch, (x0 + x1) / 2, top, (z0 + z1) / 2);
    addPassage(sketch, ground, place, { step, isUnsure: true });
  }
  return area;
};

/** Closed boxes on the ground, alone and overlapping, some low enough to step on. Nothing leads into them. */
export const boxes: Feature = (sketch, x, z) => {
  const { random, agent } = sketch;
  const { radius, height, maxClimb } = agent;
  const area: Rectangle = [x, z, x + radius * nextRange(random, 36, 60), z + radius * nextRange(random, 36, 60)];
  const gap = (CLEAR + 1) * radius;
  const blocks = scatter(sketch, area, nextInt(random, 2, 9), gap);
  for (const [px, pz] of freePlaces(sketch, area, blocks, gap / 2)) addGroundPlace(sketch, px, pz);
  for (const [x0, z0, x1, z1] of blocks) {
    const kind = nextFloat(random);
    let top = height * nextRange(random, 0.3, 4) + maxClimb + 0.52 * radius;
    if (kind < 0.2) top = nextRange(random, 0.2, 1) * sureStep(agent);
    const bottom = [-radius, 0, -0.02 * radius][nextInt(random, 0, 2)];
    const isFloating = kind > 0.9;
    const foot = isFloating ? height + nextRange(random, -1, 2) * radius : bottom;
    if (isFloating) top = foot + nextRange(random, 0.5, 2) * height;
    addBox(sketch.builder, [x0, foot, z0], [x1, top, z1]);
    const [cx, cz] = [(x0 + x1) / 2, (z0 + z1) / 2];
    const size = Math.min(x1 - x0, z1 - z0);
    const onTop = addPlace(sketch, cx, top, cz);
    addPassage(sketch, 0, onTop, { step: top, width: size, isUnsure: size < 9 * radius });
    if (isFloating)
      addPassage(sketch, 0, addPlace(sketch, cx, 0, cz), { headroom: foot, isUnsure: foot < height + radius });
    else if (top > maxClimb + radius) addPlace(sketch, cx, 0, cz);
    if (chance(random, 0.3) && !isFloating) {
      // A second box through the first one.
      const w = (x1 - x0) * nextRange(random, 0.2, 0.8);
      addBox(
        sketch.builder,
        [x0 + w / 2, bottom, z0 + 0.1 * radius],
        [x1 - w / 2, top * nextRange(random, 0.5, 1), z1 - 0.1 * radius],
      );
    }
  }
  return area;
};
