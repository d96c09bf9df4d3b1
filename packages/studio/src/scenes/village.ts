/**
 * The village of the first page: a square with a fountain, streets, houses and trees, in colors, and people on errands who never stop.
 * It is a crowd scene of the studio only. All numbers come from a seed.
 */
import type { CrowdSetup } from 'navkiln/debug';

export interface VillageLevel {
  positions: Float32Array;
  indices: Uint32Array;
  /** r, g, b, a of each vertex. */
  colors: Uint8Array;
}

type Point = readonly [x: number, y: number, z: number];
type Color = readonly [r: number, g: number, b: number];
type Rectangle = readonly [x0: number, z0: number, x1: number, z1: number];

/** The ground reaches from -HALF_X to HALF_X and from -HALF_Z to HALF_Z, meters. */
const HALF_X = 22;
const HALF_Z = 15;
const SQUARE: Rectangle = [-8, -6, 8, 6];
const STREETS: readonly Rectangle[] = [[-HALF_X, -2, HALF_X, 2], [-2, -HALF_Z, 2, HALF_Z]]; // oxfmt-ignore
/** How long a person takes on an errand, seconds. */
const SHORTEST = 7;
const LONGEST = 22;
/** Until this time there are errands, seconds. */
const END = 1200;

const GRASS: readonly Color[] = [[139, 168, 98], [146, 175, 103], [133, 161, 94]]; // oxfmt-ignore
const PAVING: readonly Color[] = [[214, 203, 184], [206, 194, 174]]; // oxfmt-ignore
const DIRT: readonly Color[] = [[196, 179, 149], [190, 172, 142]]; // oxfmt-ignore
const PLASTER: readonly Color[] = [[240, 228, 206], [231, 208, 176], [222, 222, 214], [226, 190, 160], [212, 219, 205]]; // oxfmt-ignore
const TILES: readonly Color[] = [[178, 88, 62], [150, 74, 58], [98, 104, 116], [166, 101, 66]]; // oxfmt-ignore
const LEAVES: readonly Color[] = [[84, 130, 76], [101, 146, 82], [72, 116, 80]]; // oxfmt-ignore
const AWNINGS: readonly Color[] = [[196, 72, 62], [62, 120, 150], [214, 160, 62]]; // oxfmt-ignore
const STONE: Color = [184, 180, 172];
const WATER: Color = [96, 164, 186];
const WOOD: Color = [128, 92, 62];
const GLASS: Color = [92, 118, 134];

/** Where houses stand, and the direction of the ridge. */
const HOUSES: readonly (readonly [...Rectangle, height: number, isAlongX: boolean])[] = [
  [-20.5, -13, -14.5, -8, 3.2, true], [-12.5, -13.2, -8, -8.6, 4.2, false], [8.2, -13, 13, -8.4, 4, false],
  [15, -13, 20.5, -8, 3, true], [-20.8, 4.6, -15.4, 9, 2.8, true], [-13, 8.4, -8.6, 12.6, 2.8, false],
   [15.6, 4.6, 20.8, 9, 2.8, true], [-20.8, -6.6, -16.2, -3, 2.6, true],
  [16.4, -6.4, 20.8, -3, 2.8, true],
]; // oxfmt-ignore
/** x, z and size. */
const TREES: readonly Point[] = [
  [-7, -11.5, 1.1], [-4, -13, 0.9], [4.6, -12.6, 1.15], [6.4, -9, 0.85], [-6.4, -8.4, 0.8], [-14, -6.2, 1], [13.8, -5.6, 0.9],
  [-13.6, 4.4, 0.9], [-11, 5.4, 0.7], [11.6, 4.8, 0.95], [10.4, 9.4, 0.8], [12.6, 11.4, 1], [-4.6, 9.6, 0.9], [-6, 12.6, 1.1], [4.8, 10.4, 0.85], [6, 13, 1],
  [-16, 12, 1.1], [-19.6, 12.6, 0.9], [16.6, 12, 1], [20, 12.8, 1.15], [-21, -14, 0.8], [13.9, 13.2, 0.7],
].map(([x, z, size]) => [x, size, z] as const); // oxfmt-ignore
/** Where people go. */
const PLACES: readonly (readonly [x: number, z: number])[] = [
  [-21, 0], [-21, 1.2], [21, 0.6], [21, -1], [0, -14], [1, 14], [-1, 14], [-6, -4.6], [6.4, -4.4], [-6.4, 4.6], [6.6, 4.8],
  [0, 4], [0, -4], [-4.4, 0], [4.6, 0], [-17.6, -7.3], [-10.2, -7.6], [10.6, -7.6], [17.8, -7.2], [-18, 3.8], [18.2, 3.8],
  [-10.8, 7.4], [11.2, 7.2], [-13, -1], [13, 1], [-3, -10], [3, -8], [2.8, 11], [-3, 8], [8, 0.8],
]; // oxfmt-ignore
/** Where the obstacle of the first page stands at first. */
export const CART: Point = [8.5, 0, 0.4];

interface Builder {
  positions: number[];
  indices: number[];
  colors: number[];
}

/** Adds a face with corners of its own. Its corners are counter-clockwise, seen from outside. */
function addFace({ positions, indices, colors }: Builder, corners: readonly Point[], [r, g, b]: Color): void {
  const first = positions.length / 3;
  for (const corner of corners) {
    positions.push(corner[0], corner[1], corner[2]);
    colors.push(r, g, b, 255);
  }
  for (let i = 2; i < corners.length; i++) indices.push(first, first + i - 1, first + i);
}

interface Column {
  at: readonly [x: number, z: number];
  /** Height and radius of its lower and of its upper end. */
  foot: readonly [y: number, radius: number];
  head: readonly [y: number, radius: number];
  sides: number;
  color: Color;
  /** Default: that of the sides. */
  top?: Color;
}

/** Adds a column, or a cone whose upper radius is 0. */
function addColumn(builder: Builder, { at: [x, z], foot, head, sides, color, top = color }: Column): void {
  const ring = ([y, radius]: Column['foot']): Point[] =>
    Array.from({ length: sides }, (_, i): Point => {
      const angle = (2 * Math.PI * (i + 0.5)) / sides;
      return [x + radius * Math.sin(angle), y, z + radius * Math.cos(angle)];
    });
  const [under, over] = [ring(foot), ring(head)];
  const isCone = head[1] === 0;
  for (let i = 0; i < sides; i++) {
    const j = (i + 1) % sides;
    const face = [under[i], under[j], over[j], over[i]];
    addFace(builder, isCone ? face.slice(0, 3) : face, color);
  }
  if (!isCone) addFace(builder, over, top);
}

function addBox(builder: Builder, [x0, y0, z0]: Point, [x1, y1, z1]: Point, side: Color, top: Color = side): void {
  addFace(builder, [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]], side); // oxfmt-ignore
  addFace(builder, [[x1, y0, z0], [x0, y0, z0], [x0, y1, z0], [x1, y1, z0]], side); // oxfmt-ignore
  addFace(builder, [[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]], side); // oxfmt-ignore
  addFace(builder, [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]], side); // oxfmt-ignore
  addFace(builder, [[x0, y1, z1], [x1, y1, z1], [x1, y1, z0], [x0, y1, z0]], top); // oxfmt-ignore
}

/** How far roofs reach beyond walls, and their rise for each meter to the side: nobody walks on them. */
const EAVES = 0.35;
const PITCH = 1.15;

function addHouse(
  builder: Builder,
  [x0, z0, x1, z1, h, isAlongX]: (typeof HOUSES)[number],
  random: () => number,
): void {
  const plaster = PLASTER[Math.floor(random() * PLASTER.length)];
  const tiles = TILES[Math.floor(random() * TILES.length)];
  addBox(builder, [x0, 0, z0], [x1, h, z1], plaster);
  addBox(builder, [x0 - 0.08, 0, z0 - 0.08], [x1 + 0.08, 0.35, z1 + 0.08], [176, 168, 154]);
  // As if the ridge were along x: `at` swaps the axes.
  const at = (along: number, y: number, across: number): Point => (isAlongX ? [along, y, across] : [across, y, along]);
  const [a0, a1, c0, c1] = isAlongX ? [x0, x1, z0, z1] : [z0, z1, x0, x1];
  const middle = (c0 + c1) / 2;
  const ridge = h + PITCH * (middle - c0);
  const face = (corners: readonly Point[], color: Color): void =>
    addFace(builder, isAlongX ? corners : corners.slice().reverse(), color);
  face([at(a1, h, c1), at(a1, h, c0), at(a1, ridge, middle)], plaster);
  face([at(a0, h, c0), at(a0, h, c1), at(a0, ridge, middle)], plaster);
  const low = h - PITCH * EAVES;
  const [e0, e1] = [a0 - EAVES, a1 + EAVES];
  const up = 0.06;
  face([at(e0, low + up, c1 + EAVES), at(e1, low + up, c1 + EAVES), at(e1, ridge + up, middle), at(e0, ridge + up, middle)], tiles); // oxfmt-ignore
  face([at(e1, low + up, c0 - EAVES), at(e0, low + up, c0 - EAVES), at(e0, ridge + up, middle), at(e1, ridge + up, middle)], tiles); // oxfmt-ignore
  // A door and windows towards the nearer street, and windows at the sides.
  const isNorth = z0 < 0;
  const zWall = isNorth ? z1 + 0.03 : z0 - 0.03;
  const facing = (corners: readonly Point[], color: Color): void =>
    addFace(builder, isNorth ? corners : corners.slice().reverse(), color);
  const pane = (x: number, y: number, width: number, height: number, color: Color): void =>
    facing([[x, y, zWall], [x + width, y, zWall], [x + width, y + height, zWall], [x, y + height, zWall]], color); // oxfmt-ignore
  const door = x0 + 0.42 * (x1 - x0);
  pane(door, 0, 0.9, 1.95, WOOD);
  for (const x of [x0 + 0.5, x1 - 1.3]) pane(x, 1.1, 0.8, 0.9, GLASS);
  const xWall = x0 > 0 ? x0 - 0.03 : x1 + 0.03;
  for (const z of [z0 + 0.9, z1 - 1.8]) {
    const window: Point[] = [[xWall, 1.1, z], [xWall, 1.1, z + 0.9], [xWall, 2, z + 0.9], [xWall, 2, z]]; // oxfmt-ignore
    addFace(builder, x0 > 0 ? window : window.reverse(), GLASS);
  }
  addBox(builder, at(a0 + 0.7, ridge - 0.9, middle + 0.3), at(a0 + 1.3, ridge + 0.55, middle + 0.9), [150, 110, 92]);
}

function addStall(builder: Builder, x: number, z: number, awning: Color): void {
  for (const dx of [-1.1, 1.1]) for (const dz of [-0.7, 0.7]) addBox(builder, [x + dx - 0.06, 0, z + dz - 0.06], [x + dx + 0.06, 2.2, z + dz + 0.06], WOOD); // oxfmt-ignore
  addBox(builder, [x - 1.1, 0, z - 0.35], [x + 1.1, 0.9, z + 0.35], [158, 120, 84], [206, 178, 130]);
  for (let i = 0; i < 6; i++) {
    const [a, b] = [x - 1.4 + (2.8 * i) / 6, x - 1.4 + (2.8 * (i + 1)) / 6];
    const color = i % 2 === 0 ? awning : ([236, 230, 216] as const);
    addFace(builder, [[a, 2.1, z + 1.1], [b, 2.1, z + 1.1], [b, 3.4, z], [a, 3.4, z]], color); // oxfmt-ignore
    addFace(builder, [[b, 2.1, z - 1.1], [a, 2.1, z - 1.1], [a, 3.4, z], [b, 3.4, z]], color); // oxfmt-ignore
  }
}

function isIn([x0, z0, x1, z1]: Rectangle, x: number, z: number): boolean {
  return x >= x0 && x < x1 && z >= z0 && z < z1;
}

/** Creates the triangles of the village with a color for each vertex. */
export function villageLevel(seed: number = 3): VillageLevel {
  const random = randomOf(seed);
  const builder: Builder = { positions: [], indices: [], colors: [] };
  for (let x = -HALF_X; x < HALF_X; x++) {
    for (let z = -HALF_Z; z < HALF_Z; z++) {
      const isPaved = isIn(SQUARE, x, z);
      const isDirt = STREETS.some((street) => isIn(street, x, z));
      const colors = isPaved ? PAVING : isDirt ? DIRT : GRASS;
      const color = colors[isPaved ? Math.abs(x + z) % 2 : Math.floor(random() * colors.length)];
      addFace(builder, [[x, 0, z + 1], [x + 1, 0, z + 1], [x + 1, 0, z], [x, 0, z]], color); // oxfmt-ignore
    }
  }
  // The edge of the ground.
  const [low, edge] = [-0.8, [150, 128, 98] as Color];
  const rim: Point[] = [[-HALF_X, 0, HALF_Z], [HALF_X, 0, HALF_Z], [HALF_X, 0, -HALF_Z], [-HALF_X, 0, -HALF_Z]]; // oxfmt-ignore
  rim.forEach((from, i) => {
    const to = rim[(i + 1) % rim.length];
    addFace(builder, [[from[0], low, from[2]], [to[0], low, to[2]], to, from], edge);
  });
  for (const house of HOUSES) addHouse(builder, house, random);
  for (const [x, size, z] of TREES) {
    const leaves = LEAVES[Math.floor(random() * LEAVES.length)];
    addColumn(builder, { at: [x, z], foot: [0, 0.22 * size], head: [1.3 * size, 0.16 * size], sides: 6, color: WOOD });
    addColumn(builder, { at: [x, z], foot: [1.0 * size, 1.35 * size], head: [2.9 * size, 0], sides: 8, color: leaves });
    addColumn(builder, { at: [x, z], foot: [2.1 * size, 1.0 * size], head: [4.1 * size, 0], sides: 8, color: leaves.map((part) => Math.min(255, part * 1.1)) as unknown as Color }); // oxfmt-ignore
  }
  addColumn(builder, { at: [0, 0], foot: [0, 1.9], head: [0.55, 1.8], sides: 12, color: STONE });
  addColumn(builder, { at: [0, 0], foot: [0.5, 1.5], head: [0.57, 1.5], sides: 12, color: WATER });
  addColumn(builder, { at: [0, 0], foot: [0.5, 0.4], head: [1.9, 0.2], sides: 8, color: STONE });
  addColumn(builder, { at: [0, 0], foot: [1.6, 0.3], head: [1.95, 0.85], sides: 10, color: STONE, top: WATER });
  addStall(builder, -5.4, -3, AWNINGS[0]);
  addStall(builder, 5.2, -3.2, AWNINGS[1]);
  addStall(builder, -5.2, 3.6, AWNINGS[2]);
  for (const [x, z] of [[4.2, 4.6], [6.6, 3], [-7, -0.4]]) addBox(builder, [x - 0.8, 0, z - 0.25], [x + 0.8, 0.5, z + 0.25], WOOD); // oxfmt-ignore
  for (const [x, z] of [[-8, 2.4], [8, -2.4], [2.4, 8], [-2.4, -8]]) {
    addColumn(builder, { at: [x, z], foot: [0, 0.09], head: [2.8, 0.06], sides: 6, color: [62, 66, 70] });
    addColumn(builder, { at: [x, z], foot: [2.8, 0.2], head: [3.2, 0.14], sides: 6, color: [250, 222, 150] });
  } // oxfmt-ignore
  return {
    positions: Float32Array.from(builder.positions),
    indices: Uint32Array.from(builder.indices),
    colors: Uint8Array.from(builder.colors),
  };
}

/** Creates the village with people. */
export function villageSetup(seed: number = 3, count: number = 48): CrowdSetup & { level: VillageLevel } {
  const random = randomOf(seed + 1000);
  const placeOf = (): Point => {
    const [x, z] = PLACES[Math.floor(random() * PLACES.length)];
    return [x + 0.8 * (random() - 0.5), 0, z + 0.8 * (random() - 0.5)];
  };
  const agents = Array.from({ length: count }, (_, i) => {
    // Along the streets and over the square, apart from each other.
    const [row, column] = [i % 3, Math.floor(i / 3)];
    const position: Point = [-20 + (40 * (column + 0.5)) / Math.ceil(count / 3), 0, [-1.3, 1.3, 3.2][row] * (random() < 0.5 ? 1 : 0.9)];
    return { position, goal: placeOf(), group: 0, radius: 0.35, height: 1.8, maxSpeed: 1.2 + 0.5 * random(), maxAcceleration: 6 };
  }); // oxfmt-ignore
  const script: Extract<NonNullable<CrowdSetup['script']>[number], { do: 'move-to' }>[] = [];
  for (let agent = 0; agent < count; agent++) {
    let at = 3 + 14 * random();
    for (; at < END; at += SHORTEST + (LONGEST - SHORTEST) * random())
      script.push({ atSecond: at, do: 'move-to', agent, point: placeOf() });
  }
  script.sort((a, b) => a.atSecond - b.atSecond);
  return {
    level: villageLevel(seed),
    options: {
      agent: { radius: 0.35, height: 1.8, maxClimb: 0.3, maxSlopeDegrees: 45 },
      cellSize: 0.2,
      cellHeight: 0.1,
      regionMinArea: 20,
    },
    agents,
    script,
    seconds: END,
    goalRadius: 1,
  };
}

/** Returns a function that returns numbers from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
