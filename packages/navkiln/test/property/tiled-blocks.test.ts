/**
 * Random Tiled maps: which points block and what they cost, compared with an independent rasterizer, in the map that is read and in the
 * mesh. JSON and XML, all encodings, infinite maps, groups, offsets, flips, large tiles, external tilesets. NAVKILN_TILED sets the
 * number of maps (default 60), NAVKILN_SEED the first seed.
 */
import { expect, it, vi } from 'vitest';
import { readMap } from '../../src/formats/maps/read-map.ts';
import type { ParsedMap } from '../../src/formats/maps/map.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { findNearest2d } from '../../src/query/map/nearest-2d.ts';
import { asJson, asXml, hasWalls, randomTiled, rasterize } from '../unit/formats/random-tiled.ts';
import { seeded } from '../unit/meshes.ts';
import { allRings, distanceToRings, isGround } from '../unit/build/polygon/map-oracle.ts';

const MAPS = Number(process.env['NAVKILN_TILED'] ?? 60);
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const POINTS = 40;
vi.setConfig({ testTimeout: 60_000 + 100 * MAPS });
const ENCODINGS = ['list', 'csv', 'base64', 'gzip', 'zlib'] as const;

/** Returns the faults of a map, or undefined when the reader refuses it because nothing is walkable. */
async function faultsOf(seed: number): Promise<{ faults: string[]; points: number } | undefined> {
  const random = randomTiled(seed);
  const encoding = ENCODINGS[seed % 5];
  const { text, files } = (seed % 2 === 0 ? asJson : asXml)(random, encoding);
  let map: ParsedMap;
  try {
    map = await readMap(text, { tileset: (name) => files[name], name: `seed ${seed}` });
  } catch (error) {
    if (/so nothing is walkable/.test(String(error))) return undefined;
    throw error;
  }
  const { navMesh, areaCosts } = buildFromPolygons(map);
  const next = seeded(seed + 0x10000);
  const rings = [...allRings(map), ...(map.areas ?? []).flatMap(({ outline, holes }) => [outline, ...holes])];
  const { width, height, tile, first = [0, 0], isIsometric } = random;
  const spanX = isIsometric ? ((width + height) * tile[0]) / 2 : width * tile[0];
  const spanY = isIsometric ? ((width + height) * tile[1]) / 2 : height * tile[1];
  const faults: string[] = [];
  let points = 0;
  const isMarked = hasWalls(random);
  for (let k = 0; k < POINTS; k++) {
    const at: [number, number] = [first[0] * tile[0] + next() * spanX, first[1] * tile[1] + next() * spanY];
    if (distanceToRings(rings, at) < 0.01) continue;
    const { blocks, cost, isNearCell } = rasterize(random, at, isMarked);
    if (isNearCell) continue;
    points++;
    const near = findNearest2d(navMesh, at);
    const isFree = navMesh.polyCount > 0 && near.isInside;
    const where = `seed ${seed} (${encoding}) at [${at.map((value) => value.toFixed(3)).join(', ')}]`;
    if (isGround(map, at) === blocks) faults.push(`${where}: the map has ${blocks ? 'ground' : 'a wall'}`);
    if (isFree === blocks) faults.push(`${where}: the mesh has ${blocks ? 'ground' : 'a wall'}`);
    const price = isFree ? (areaCosts[navMesh.polyArea[near.poly]] ?? 1) : 1;
    if (isFree && !blocks && price !== cost) faults.push(`${where}: costs ${price}, should cost ${cost}`);
  }
  return { faults, points };
}

it(`random maps block and cost what a rasterizer says (seed ${SEED})`, async () => {
  const faults: string[] = [];
  let points = 0;
  let refused = 0;
  for (let seed = SEED; seed < SEED + MAPS; seed++) {
    const found = await faultsOf(seed);
    if (found === undefined) refused++;
    else {
      points += found.points;
      faults.push(...found.faults);
    }
  }
  if (MAPS > 100)
    console.info(
      `${MAPS} Tiled maps from seed ${SEED}: ${points} points, ${faults.length} faults, ${refused} without ground`,
    );
  expect(faults.slice(0, 20)).toEqual([]);
  expect(points).toBeGreaterThan(10 * MAPS);
});
