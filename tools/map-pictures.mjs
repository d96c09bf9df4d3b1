/**
 * The pictures of docs/tiled.md: small maps of Tiled next to their meshes, one for each way of marking. The maps are read as users' files
 * are; a test compares the warnings that the page quotes with those of the reader.
 */

const WIDTH = 14;
const HEIGHT = 8;
const SIDE = 16;
const COLORS = { 1: '#d9e3c6', 2: '#77808c', 3: '#b58a5a', 4: '#cdb99a', 5: '#e3c58f', 6: '#9db7d5' };

/** Two rooms: # is a wall, m mud, h half a tile, . grass, _ path, > a one-way tile, and a space no tile. */
const ROOMS = [
  '##############',
  '#.....#......#',
  '#.....#......#',
  '#............#',
  '#.....#......#',
  '#.....#..##..#',
  '#.....#..##..#',
  '##############',
];
const TILES = { '.': 1, '#': 2, m: 3, h: 4, _: 5, '>': 6, ' ': 0 };
const property = (name, value) => ({
  name,
  type: typeof value === 'number' ? 'float' : typeof value === 'boolean' ? 'bool' : 'string',
  value,
});
const shape = (id, points) => ({
  id,
  objectgroup: { type: 'objectgroup', objects: [{ id: 1, x: 0, y: 0, polygon: points.map(([x, y]) => ({ x, y })) }] },
});
const object = (id, x, y, width, height, more = {}) => ({
  id,
  x: x * SIDE,
  y: y * SIDE,
  width: width * SIDE,
  height: height * SIDE,
  ...more,
});
const tileLayer = (name, rows, more = {}) => ({
  type: 'tilelayer',
  name,
  width: WIDTH,
  height: HEIGHT,
  data: rows.flatMap((row) => [...row.padEnd(WIDTH)].map((letter) => TILES[letter])),
  ...more,
});
const objectLayer = (name, objects, more = {}) => ({ type: 'objectgroup', name, objects, ...more });
const GRASS = tileLayer('ground', Array(HEIGHT).fill('.'.repeat(WIDTH)));
const only = (rows, letters) => rows.map((row) => row.replace(new RegExp(`[^${letters}]`, 'g'), ' '));
const tiledMap = (tiles, layers) => ({
  type: 'map',
  orientation: 'orthogonal',
  infinite: false,
  width: WIDTH,
  height: HEIGHT,
  tilewidth: SIDE,
  tileheight: SIDE,
  tilesets: [{ firstgid: 1, name: 'town', tilewidth: SIDE, tileheight: SIDE, tiles }],
  layers,
});

const MUD = ROOMS.map((row, j) => (j >= 2 && j <= 6 ? `${row.slice(0, 3)}mm${row.slice(5)}` : row));
const LAWN = ['', '  ____', '  ____', '  __________', '  ____   ___', '  ____    ___', '          ___', ''];
const WALL_SHAPES = [
  object(1, 0, 0, 14, 1),
  object(2, 0, 7, 14, 1),
  object(3, 6, 1, 1, 2),
  object(4, 6, 4, 1, 3),
  object(5, 10, 5, 2.5, 1.5, { rotation: 20 }),
];
const ZONES = [
  object(6, 1.5, 1.5, 4, 5, { class: 'area', name: 'kitchen' }),
  object(7, 11, 1.5, 2, 2, { class: 'spawn' }),
];

/** The maps by the name of their picture. */
export const TILED_MAPS = {
  property: { map: tiledMap([{ id: 1, properties: [property('collides', true)] }], [tileLayer('town', ROOMS)]) },
  shapes: {
    map: tiledMap(
      [
        { id: 1, properties: [property('collides', true)] },
        shape(3, [
          [0, 8],
          [16, 8],
          [16, 16],
          [0, 16],
        ]),
      ],
      [
        tileLayer(
          'town',
          ROOMS.map((row, j) => (j === 5 || j === 6 ? row.replace('##', 'hh') : row).replace(/^hh/, '##')),
        ),
      ],
    ),
  },
  layer: { map: tiledMap([], [GRASS, tileLayer('walls', only(ROOMS, '#'))]) },
  objects: { map: tiledMap([], [GRASS, objectLayer('collision', WALL_SHAPES), objectLayer('zones', ZONES)]) },
  floor: { map: tiledMap([], [GRASS, tileLayer('paths', LAWN)]), options: { walkable: ['paths'] } },
  cost: {
    map: tiledMap(
      [
        { id: 1, properties: [property('collides', true)] },
        { id: 2, type: 'mud', properties: [property('cost', 4)] },
      ],
      [tileLayer('town', MUD)],
    ),
  },
  door: {
    map: tiledMap(
      [{ id: 1, properties: [property('collides', true)] }],
      [
        tileLayer('town', ROOMS),
        objectLayer('things', [
          object(8, 6, 3, 1, 1, { class: 'door', name: 'kitchen door', properties: [property('locked', true)] }),
        ]),
      ],
    ),
  },
  'one-way': {
    map: tiledMap(
      [
        { id: 1, properties: [property('collides', true)] },
        { id: 5, properties: [property('oneWay', 'right')] },
      ],
      [
        tileLayer(
          'town',
          ROOMS.map((row, j) => (j === 3 ? `${row.slice(0, 6)}>${row.slice(7)}` : row)),
        ),
      ],
    ),
  },
  open: { map: tiledMap([], [GRASS, tileLayer('buildings', only(ROOMS, '#')), objectLayer('zones', ZONES)]) },
};

const PATH = [
  [2.5 * SIDE, 5.5 * SIDE],
  [12.5 * SIDE, 5.5 * SIDE],
];
const LEFT = 8;
const RIGHT = LEFT + WIDTH * SIDE + 24;
const TOP = 24;

/** Returns the pictures by file name. */
export function mapPictures({ addLink, createFilter, parseTiled, buildFromPolygons, findPath2d, mapToMesh }) {
  return Object.entries(TILED_MAPS).map(([name, { map, options }]) => {
    const parsed = parseTiled(map, options);
    const build = buildFromPolygons(parsed, { radius: 3 });
    for (const { start, end } of parsed.links ?? [])
      addLink(build.navMesh, { start: mapToMesh(build.navMesh, start), end: mapToMesh(build.navMesh, end) });
    const path = findPath2d(build.navMesh, ...PATH, { filter: createFilter({ areaCosts: build.areaCosts }) });
    return [`tiled-${name}.svg`, drawPair(name, map, build, path)];
  });
}

function drawPair(name, map, { navMesh, areas }, path) {
  const width = RIGHT + WIDTH * SIDE + 8;
  const height = TOP + HEIGHT * SIDE + 8;
  const text = (x, label) => `<text x="${x}" y="16">${label}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<title>A map of Tiled and its mesh: ${name}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(LEFT, 'the map'),
    text(RIGHT, `the mesh, and a path (${path.status})`),
    `<g transform="translate(${LEFT} ${TOP})">${drawMap(map)}</g>`,
    `<g transform="translate(${RIGHT} ${TOP})">${drawMesh(navMesh, areas, path)}</g>`,
    '</svg>\n',
  ].join('\n');
}

function drawMap({ layers, tilesets }) {
  const parts = [`<rect width="${WIDTH * SIDE}" height="${HEIGHT * SIDE}" fill="#f4f1e8" stroke="#999"/>`];
  const rect = ({ x, y, width, height }, rest) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${rest}/>`;
  for (const { data, objects = [] } of layers) {
    for (let i = 0; i < (data?.length ?? 0); i++) {
      const gid = data[i];
      if (gid === 0) continue;
      const at = { x: (i % WIDTH) * SIDE, y: Math.floor(i / WIDTH) * SIDE, width: SIDE, height: SIDE };
      const shapes = tilesets[0].tiles.find(({ id }) => id === gid - 1)?.objectgroup?.objects ?? [];
      // Equal tiles of a row are one rectangle.
      while (shapes.length === 0 && (i + 1) % WIDTH !== 0 && data[i + 1] === gid) {
        at.width += SIDE;
        i++;
      }
      parts.push(rect(at, `fill="${COLORS[gid]}"`));
      for (const { polygon } of shapes) {
        const points = polygon.map((point) => `${at.x + point.x},${at.y + point.y}`).join(' ');
        parts.push(`<polygon points="${points}" fill="#c0392b" fill-opacity=".35" stroke="#c0392b"/>`);
      }
    }
    for (const one of objects) {
      const turn = one.rotation === undefined ? '' : ` transform="rotate(${one.rotation} ${one.x} ${one.y})"`;
      parts.push(rect(one, `fill="#2c6fbb" fill-opacity=".25" stroke="#2c6fbb"${turn}`));
      const label = one.name ?? one.class;
      if (label !== undefined)
        parts.push(`<text x="${one.x + 2}" y="${one.y + 10}" font-size="8" fill="#173a63">${label}</text>`);
    }
  }
  const columns = Array.from({ length: WIDTH - 1 }, (_, i) => `M${(i + 1) * SIDE} 0V${HEIGHT * SIDE}`);
  const rows = Array.from({ length: HEIGHT - 1 }, (_, j) => `M0 ${(j + 1) * SIDE}H${WIDTH * SIDE}`);
  parts.push(`<path d="${columns.join('')}${rows.join('')}" stroke="#fff" stroke-opacity=".6" stroke-width=".5"/>`);
  return parts.join('');
}

function drawMesh(mesh, areas, { points }) {
  const parts = [`<rect width="${WIDTH * SIDE}" height="${HEIGHT * SIDE}" fill="#eceff3" stroke="#999"/>`];
  const named = new Map(areas.map((area) => [area.id, area]));
  const round = (value) => Number(value.toFixed(2));
  for (let p = 0; p < mesh.polyCount; p++) {
    const first = mesh.polyEdgeStart[p];
    const corners = Array.from({ length: mesh.polyVertexCount[p] }, (_, k) => {
      const v = 3 * mesh.edgeVertex[first + k];
      return `${round(mesh.vertices[v])},${round(mesh.vertices[v + 2])}`;
    });
    const area = named.get(mesh.polyArea[p]);
    const fill = area === undefined ? '#8fc7a0' : mesh.polyFlags[p] === 0 ? '#d98880' : '#e0b978';
    parts.push(`<polygon points="${corners.join(' ')}" fill="${fill}" stroke="#2d6a4f" stroke-width=".6"/>`);
  }
  const line = points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
  parts.push(`<polyline points="${line}" fill="none" stroke="#c2185b" stroke-width="2"/>`);
  for (const [x, y] of PATH) parts.push(`<circle cx="${x}" cy="${y}" r="3" fill="#c2185b"/>`);
  return parts.join('');
}
