/**
 * Random Tiled maps as JSON and XML, in all encodings, and a rasterizer that decides from the same records which points block
 * and what they cost. It shares no code with src/io: it moves a point into the image of each tile, and tests it against the shapes
 * there.
 */
import { deflateSync, gzipSync } from 'node:zlib';
import { seeded } from '../meshes.ts';

type P = [number, number];
interface Property {
  name: string;
  type: string;
  value: unknown;
}
interface Shape {
  x: number;
  y: number;
  width: number;
  height: number;
  rotation: number;
  polygon?: { x: number; y: number }[];
  properties: Property[];
}
interface Tile {
  id: number;
  shapes: Shape[];
  properties: Property[];
}
interface Tileset {
  firstgid: number;
  width: number;
  height: number;
  tiles: Tile[];
  isExternal: boolean;
}
interface RandomLayer {
  kind: 'tiles' | 'objects';
  name: string;
  offset: P;
  properties: Property[];
  /** Group around it: its name, offset and properties. */
  group: { name: string; offset: P; properties: Property[] } | undefined;
  gids: number[];
  objects: Shape[];
}

/** A random map. */
export interface RandomTiled {
  width: number;
  height: number;
  tile: P;
  /** Isometric maps have tile layers without shapes only. */
  isIsometric: boolean;
  /** The first cell of an infinite map; undefined: a finite one. */
  first: P | undefined;
  tilesets: Tileset[];
  layers: RandomLayer[];
}

const WALLS = ['walls', 'Collision_2', 'SolidTiles', 'muros'];
const PLAIN = ['ground', 'Tile Layer 1', 'roof', 'walls above', 'wallpaper'];
const FLIPS = [0, 0x80000000, 0x40000000, 0x20000000, 0xa0000000, 0x60000000, 0xc0000000, 0xe0000000];

export function randomTiled(seed: number): RandomTiled {
  const next = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const quarter = (most: number): number => Math.round(next() * most * 4) / 4;
  const collides = (chance: number): Property[] => {
    if (next() > chance) return [];
    const is = next() < 0.5;
    return pick<Property[]>([
      [{ name: 'collides', type: 'bool', value: is }],
      [{ name: 'Solid', type: 'bool', value: is }],
      [{ name: 'passable', type: 'bool', value: !is }],
      [{ name: 'block', type: 'string', value: is ? 'always' : 'never' }],
    ]);
  };
  const cost = (chance: number): Property[] =>
    next() < chance ? [{ name: pick(['cost', 'moveCost']), type: 'float', value: pick([0.5, 1, 2, 3]) }] : [];
  const isIsometric = next() < 0.2;
  const tile: P = isIsometric
    ? [32, 16]
    : pick<P>([
        [16, 16],
        [8, 12],
        [20, 10],
      ]);
  const shape = (most: number): Shape => {
    const size = { width: 1 + quarter(most), height: 1 + quarter(most) };
    const at = { x: quarter(most), y: quarter(most), rotation: pick([0, 0, 0, 90, 30, -45]) };
    if (next() < 0.5) return { ...at, ...size, properties: [] };
    const polygon = [
      { x: 0, y: 0 },
      { x: size.width, y: quarter(2) },
      { x: quarter(3), y: size.height },
    ];
    return { ...at, width: 0, height: 0, polygon, properties: [] };
  };
  const tilesets: Tileset[] = [1, 11].map((firstgid, k) => ({
    firstgid,
    // The second one has images larger than the cells.
    width: tile[0] * (1 + k),
    height: tile[1] * (1 + k),
    isExternal: next() < 0.5,
    tiles: Array.from({ length: 5 }, (_, id) => ({
      id,
      shapes:
        !isIsometric && next() < 0.3
          ? Array.from({ length: whole(1, 2) }, () => ({
              ...shape(tile[0]),
              properties: next() < 0.2 ? collides(1) : [],
            }))
          : [],
      properties: [...collides(0.4), ...cost(0.4)],
    })),
  }));
  const width = whole(3, 9);
  const height = whole(3, 7);
  const first: P | undefined = next() < 0.25 && !isIsometric ? [whole(-9, 9), whole(-9, 9)] : undefined;
  const layers = Array.from({ length: whole(1, 4) }, (_, k): RandomLayer => {
    const isTiles = k === 0 || isIsometric || next() < 0.6;
    const offset = (): P => (next() < 0.3 ? [quarter(30) - 15, quarter(30) - 15] : [0, 0]);
    const name = next() < 0.3 ? pick(WALLS) : pick(PLAIN);
    const group =
      next() < 0.3
        ? { name: next() < 0.2 ? pick(WALLS) : 'group', offset: offset(), properties: [...collides(0.2), ...cost(0.1)] }
        : undefined;
    const share = next();
    const gids = Array.from({ length: width * height }, () =>
      next() < share ? 0 : pick([1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15]) + pick(isIsometric ? [0] : FLIPS),
    );
    const objects = isTiles
      ? []
      : Array.from({ length: whole(0, 4) }, () => ({
          ...shape(40),
          x: quarter(tile[0] * width),
          y: quarter(tile[1] * height),
          properties: collides(0.4),
        }));
    // Shapes are areas on layers with costs, which other tests have.
    const properties = [...collides(0.25), ...(isTiles ? cost(0.25) : [])];
    return {
      kind: isTiles ? 'tiles' : 'objects',
      name,
      offset: offset(),
      properties,
      group:
        isTiles || group === undefined
          ? group
          : { ...group, properties: group.properties.filter(({ name: own }) => !/cost/i.test(own)) },
      gids,
      objects,
    };
  });
  return { width, height, tile, isIsometric, first, tilesets, layers };
}

// The rasterizer.

/** Returns whether a thing blocks by its properties. */
function says(properties: readonly Property[]): boolean | undefined {
  for (const { name, value } of properties) {
    const is = value === true || value === 'always';
    if (name === 'collides' || name === 'Solid' || name === 'block') return is;
    if (name === 'passable') return !is;
  }
  return undefined;
}

function costOf(properties: readonly Property[]): number | undefined {
  return properties.find(({ name }) => name === 'cost' || name === 'moveCost')?.value as number | undefined;
}

/** Returns whether a point, relative to the anchor of what holds the shape, is in it. */
function isInShape({ x, y, width, height, rotation, polygon }: Shape, [px, py]: P): boolean {
  const angle = (-rotation * Math.PI) / 180;
  const u = (px - x) * Math.cos(angle) - (py - y) * Math.sin(angle);
  const v = (px - x) * Math.sin(angle) + (py - y) * Math.cos(angle);
  if (polygon === undefined) return u > 0 && u < width && v > 0 && v < height;
  let isIn = false;
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    if (a.y > v !== b.y > v && u < a.x + ((v - a.y) / (b.y - a.y)) * (b.x - a.x)) isIn = !isIn;
  });
  return isIn;
}

/** Returns whether an object blocks: by its property, that of its layer or group, or by the name of either. */
function isWallObject({ name, group, properties }: RandomLayer, shape: Shape): boolean | undefined {
  const isMarked = [name, group?.name ?? ''].some((one) => WALLS.includes(one)) || undefined;
  return says(shape.properties) ?? says(properties) ?? says(group?.properties ?? []) ?? isMarked;
}

/** Returns whether anything blocks by a mark. Where nothing does, objects without a mark are walls, but not those on the ground. */
export function hasWalls(map: RandomTiled): boolean {
  return map.layers.some((layer) => {
    if (layer.kind === 'objects') return layer.objects.some((shape) => isWallObject(layer, shape) === true);
    const isMarked = [layer.name, layer.group?.name ?? ''].some((one) => WALLS.includes(one));
    const own = says(layer.properties) ?? says(layer.group?.properties ?? []);
    return layer.gids.some((gid) => {
      const number = gid % 0x10000000;
      const set = map.tilesets[number >= 11 ? 1 : 0];
      const found = set.tiles.find(({ id }) => id === number - set.firstgid);
      const isShaped = (found?.shapes ?? []).some(({ properties }) => says(properties) !== false);
      return gid !== 0 && (says(found?.properties ?? []) ?? own ?? (isMarked || isShaped));
    });
  });
}

/** Returns whether a point of the result blocks, and its cost. `isMarked`: whether anything blocks by a mark. */
export function rasterize(
  map: RandomTiled,
  point: P,
  isMarked: boolean,
): { blocks: boolean; cost: number; isNearCell: boolean } {
  const { width, height, tile, isIsometric, first = [0, 0], tilesets, layers } = map;
  const toCell = ([x, y]: P): P => {
    if (!isIsometric) return [x / tile[0], y / tile[1]];
    const u = (x - (height * tile[0]) / 2) / tile[0];
    const v = y / tile[1];
    return [v + u, v - u];
  };
  const cellAt = (p: P): P => toCell(p).map((value) => Math.floor(value)) as P;
  const [column, row] = cellAt(point);
  let blocks = column < first[0] || row < first[1] || column >= first[0] + width || row >= first[1] + height;
  let cost = 1;
  let isNearCell = false;
  for (const layer of layers) {
    const { group, offset } = layer;
    const isWallLayer = [layer.name, group?.name ?? ''].some((name) => WALLS.includes(name));
    const own = says(layer.properties) ?? says(group?.properties ?? []);
    const layerCost = costOf(layer.properties) ?? costOf(group?.properties ?? []);
    const local: P = [point[0] - offset[0] - (group?.offset[0] ?? 0), point[1] - offset[1] - (group?.offset[1] ?? 0)];
    if (layer.kind === 'objects') {
      for (const shape of layer.objects)
        if ((isWallObject(layer, shape) ?? (!isMarked && layer.name !== 'ground')) && isInShape(shape, local))
          blocks = true;
      continue;
    }
    const inCell = toCell(local);
    for (const value of inCell) if (Math.abs(value - Math.round(value)) < 1e-3) isNearCell = true;
    const here = cellAt(local);
    // Images of tiles may be larger than their cells, to the right and upward.
    for (let j = 0; j < height; j++) {
      for (let i = 0; i < width; i++) {
        const gid = layer.gids[j * width + i];
        if (gid === 0) continue;
        const number = gid % 0x10000000;
        const set = tilesets[number >= 11 ? 1 : 0];
        const found = set.tiles.find(({ id }) => id === number - set.firstgid);
        const shapes = (found?.shapes ?? []).filter(({ properties }) => says(properties) !== false);
        const isBlocking = says(found?.properties ?? []) ?? own ?? (isWallLayer || shapes.length > 0);
        const isHere = here[0] === first[0] + i && here[1] === first[1] + j;
        if (isBlocking && shapes.length === 0 && isHere) blocks = true;
        if (isHere) cost = costOf(found?.properties ?? []) ?? layerCost ?? cost;
        if (!isBlocking || shapes.length === 0) continue;
        const isTurned = Math.floor(gid / 0x20000000) % 2 === 1;
        const [w, h] = isTurned ? [set.height, set.width] : [set.width, set.height];
        // The point in the image as drawn, then with its flips undone: sides first, the diagonal last.
        let u = local[0] - (first[0] + i) * tile[0];
        let v = local[1] - ((first[1] + j + 1) * tile[1] - h);
        if (gid >= 0x80000000) u = w - u;
        if (Math.floor(gid / 0x40000000) % 2 === 1) v = h - v;
        if (isTurned) [u, v] = [v, u];
        if (shapes.some((shape) => isInShape(shape, [u, v]))) blocks = true;
      }
    }
  }
  return { blocks, cost, isNearCell };
}

// The files.

type Encoding = 'list' | 'csv' | 'base64' | 'gzip' | 'zlib';

function dataOf(gids: readonly number[], encoding: Encoding): unknown {
  const bytes = Buffer.from(Uint32Array.from(gids).buffer);
  if (encoding === 'base64') return bytes.toString('base64');
  if (encoding === 'gzip') return gzipSync(bytes).toString('base64');
  if (encoding === 'zlib') return deflateSync(bytes).toString('base64');
  return gids;
}

const packingOf = (encoding: Encoding): object =>
  encoding === 'list' || encoding === 'csv'
    ? {}
    : { encoding: 'base64', compression: encoding === 'base64' ? '' : encoding };

function objectsOf(shapes: readonly Shape[]): object[] {
  return shapes.map((shape, k) => ({ id: k + 1, ...shape }));
}

function tilesetBody({ width, height, tiles }: Tileset): object {
  return {
    tilewidth: width,
    tileheight: height,
    tiles: tiles.map(({ id, shapes, properties }) => ({
      id,
      properties,
      ...(shapes.length === 0 ? {} : { objectgroup: { type: 'objectgroup', objects: objectsOf(shapes) } }),
    })),
  };
}

/** Returns the parts of an infinite map: rectangles of cells. */
function chunksOf(
  { width, height, first = [0, 0] }: RandomTiled,
  gids: readonly number[],
): { x: number; y: number; width: number; height: number; gids: number[] }[] {
  const cut = Math.ceil(width / 2);
  return [
    [0, cut],
    [cut, width],
  ].map(([from, to]) => ({
    x: first[0] + from,
    y: first[1],
    width: to - from,
    height,
    gids: Array.from({ length: height }, (_, j) => gids.slice(j * width + from, j * width + to)).flat(),
  }));
}

/** Returns the map as its JSON, and its other files. */
export function asJson(map: RandomTiled, encoding: Encoding): { text: string; files: Record<string, string> } {
  const files: Record<string, string> = {};
  const { width, height, tile, isIsometric, first, tilesets, layers } = map;
  const text = JSON.stringify({
    type: 'map',
    orientation: isIsometric ? 'isometric' : 'orthogonal',
    infinite: first !== undefined,
    width,
    height,
    tilewidth: tile[0],
    tileheight: tile[1],
    tilesets: tilesets.map((set, k) => {
      if (!set.isExternal) return { firstgid: set.firstgid, ...tilesetBody(set) };
      files[`sets/${k}.tsj`] = JSON.stringify(tilesetBody(set));
      return { firstgid: set.firstgid, source: `sets/${k}.tsj` };
    }),
    layers: layers.map((layer) => {
      const { kind, name, offset, properties, group, gids, objects } = layer;
      const common = { name, offsetx: offset[0], offsety: offset[1], properties };
      const chunks = first === undefined ? undefined : chunksOf(map, gids);
      const body =
        kind === 'objects'
          ? { ...common, type: 'objectgroup', objects: objectsOf(objects) }
          : chunks === undefined
            ? { ...common, ...packingOf(encoding), type: 'tilelayer', width, height, data: dataOf(gids, encoding) }
            : {
                ...common,
                ...packingOf(encoding),
                type: 'tilelayer',
                chunks: chunks.map(({ gids: own, ...at }) => ({ ...at, data: dataOf(own, encoding) })),
              };
      if (group === undefined) return body;
      const { name: outer, offset: shift, properties: more } = group;
      return { type: 'group', name: outer, offsetx: shift[0], offsety: shift[1], properties: more, layers: [body] };
    }),
  });
  return { text, files };
}

const xmlProperties = (list: readonly Property[]): string =>
  list.length === 0
    ? ''
    : `<properties>${list.map(({ name, type, value }) => `<property name="${name}" type="${type}" value="${String(value)}"/>`).join('')}</properties>`;

const xmlObjects = (shapes: readonly Shape[]): string =>
  shapes
    .map(({ x, y, width, height, rotation, polygon, properties }, k) => {
      const points = polygon?.map((point) => `${point.x},${point.y}`).join(' ');
      const body = `${xmlProperties(properties)}${points === undefined ? '' : `<polygon points="${points}"/>`}`;
      const size = polygon === undefined ? ` width="${width}" height="${height}"` : '';
      return `<object id="${k + 1}" x="${x}" y="${y}"${size} rotation="${rotation}">${body}</object>`;
    })
    .join('\n');

function xmlData(gids: readonly number[], width: number, encoding: Encoding): string {
  if (encoding === 'list') return gids.map((gid) => (gid === 0 ? '<tile/>' : `<tile gid="${gid}"/>`)).join('');
  if (encoding !== 'csv') return `\n   ${String(dataOf(gids, encoding))}\n  `;
  // As Tiled writes it, with spaces as people do.
  const rows = Array.from({ length: gids.length / width }, (_, j) => gids.slice(j * width, (j + 1) * width).join(', '));
  return `\n${rows.join(',\n')}\n`;
}

/** Returns the map as Tiled writes it in XML, and its other files. */
export function asXml(map: RandomTiled, encoding: Encoding): { text: string; files: Record<string, string> } {
  const files: Record<string, string> = {};
  const { width, height, tile, isIsometric, first, tilesets, layers } = map;
  const sets = tilesets.map((set, k) => {
    const tiles = set.tiles
      .map(({ id, shapes, properties }) => {
        const group = shapes.length === 0 ? '' : `<objectgroup draworder="index">${xmlObjects(shapes)}</objectgroup>`;
        return `<tile id="${id}">${xmlProperties(properties)}${group}</tile>`;
      })
      .join('\n');
    const size = `tilewidth="${set.width}" tileheight="${set.height}"`;
    if (!set.isExternal) return `<tileset firstgid="${set.firstgid}" name="t" ${size}>${tiles}</tileset>`;
    files[`sets/${k}.tsx`] = `<?xml version="1.0"?><tileset name="t" ${size}>${tiles}</tileset>`;
    return `<tileset firstgid="${set.firstgid}" source="sets/${k}.tsx"/>`;
  });
  const packing =
    encoding === 'list'
      ? ''
      : encoding === 'csv' || encoding === 'base64'
        ? ` encoding="${encoding}"`
        : ` encoding="base64" compression="${encoding}"`;
  const body = layers.map((layer) => {
    const { kind, name, offset, properties, group, gids, objects } = layer;
    const common = `name="${name}" offsetx="${offset[0]}" offsety="${offset[1]}"`;
    const chunks = first === undefined ? undefined : chunksOf(map, gids);
    const data =
      chunks === undefined
        ? xmlData(gids, width, encoding)
        : chunks
            .map(
              ({ gids: own, ...at }) =>
                `<chunk x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}">${xmlData(own, at.width, encoding)}</chunk>`,
            )
            .join('');
    const inner =
      kind === 'objects'
        ? `<objectgroup ${common}>${xmlProperties(properties)}${xmlObjects(objects)}</objectgroup>`
        : `<layer ${common} width="${width}" height="${height}">${xmlProperties(properties)}<data${packing}>${data}</data></layer>`;
    if (group === undefined) return inner;
    const { name: outer, offset: shift, properties: more } = group;
    return `<group name="${outer}" offsetx="${shift[0]}" offsety="${shift[1]}">${xmlProperties(more)}${inner}</group>`;
  });
  const head = `orientation="${isIsometric ? 'isometric' : 'orthogonal'}" width="${width}" height="${height}"`;
  const more = `tilewidth="${tile[0]}" tileheight="${tile[1]}" infinite="${first === undefined ? 0 : 1}"`;
  return {
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.10" ${head} ${more}>\n${sets.join('\n')}${body.join('\n')}</map>`,
    files,
  };
}
