/** The pictures of maps as they are drawn in other programs, beside the meshes that are built from them: docs/pictures/map-*.svg. */

const PLAN = `<rect width="120" height="72" fill="#f6f3ea"/>
  <g inkscape:label="Rooms" fill="#dfe8ee"><path d="M6 6H64V66H6z"/><path d="M64 6H96Q114 6 114 24V66H64z"/></g>
  <g inkscape:label="Walls" fill="none" stroke="#333" stroke-width="3" stroke-linejoin="round"><path d="M64 6V28M64 44V66"/>
    <path d="M6 6H96Q114 6 114 24V66H6z"/></g>
  <g id="furniture" class="solid" fill="#b9855a"><ellipse cx="30" cy="36" rx="12" ry="8"/><rect x="78" y="18" width="16" height="8" rx="3"/>
    <g transform="translate(88 50) rotate(30)"><path d="M-12-4h24v8h-24z"/></g></g>
  <g id="doors" fill="none" stroke="#a33"><path d="M64 28h-16A16 16 0 0 0 64 44z" stroke-width=".8"/></g>`;

const HOUSE = {
  type: 'FeatureCollection',
  features: [
    [area(0, 0, 20, 4), { indoor: 'corridor', level: '0;1' }],
    [area(0, 4, 8, 11), { indoor: 'room', level: '0', repeat_on: '1' }],
    [area(8, 4, 20, 11), { indoor: 'room', level: '0' }],
    [area(8, 4, 14, 11), { indoor: 'room', level: '1' }],
    [area(14, 4, 20, 11), { indoor: 'room', level: '1' }],
    [spot(5, 4), { door: 'yes', level: '0-1' }],
    [spot(8, 8), { door: 'yes', level: '0' }],
    [spot(12, 4), { door: 'yes', level: '0-1' }],
    [spot(14, 6), { door: 'yes', level: '1' }],
    [
      {
        type: 'LineString',
        coordinates: [
          [9, 1],
          [13, 1],
        ],
      },
      { highway: 'steps', level: '0;1', incline: 'up' },
    ],
    [spot(19, 2), { highway: 'elevator', level: '0;1' }],
  ].map(([geometry, properties]) => ({ type: 'Feature', geometry, properties })),
};

function area(x, y, u, v) {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [u, y],
        [u, v],
        [x, v],
        [x, y],
      ],
    ],
  };
}

function spot(x, y) {
  return { type: 'Point', coordinates: [x, y] };
}

/** Returns pairs of a file and its text. */
export function readerPictures({
  buildFromLevels,
  buildFromPolygons,
  findPath2d,
  parseGeoJsonLevels,
  parseSvg,
  findPath,
  polygonsFromMask,
}) {
  const plan = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 120 72">${PLAN}</svg>`;
  const map = parseSvg(plan, { name: 'plan.svg' });
  const build = buildFromPolygons(map, { radius: 2.5 });
  const path = findPath2d(build.navMesh, [12, 14], [108, 60]);
  const house = parseGeoJsonLevels(HOUSE, { projection: 'none', wallWidth: 0.25 });
  const storeys = buildFromLevels(house, { radius: 0.3 });
  const route = findPath(storeys.navMesh, [3, 0, -9], [17, 3, -9]);
  const mask = caveMask(48, 28);
  const cave = buildFromPolygons(polygonsFromMask(mask), { radius: 0.4 });
  const walk = findPath2d(cave.navMesh, [3, 3], [45, 25]);
  const black = Array.from(mask.data, (value, i) => (value > 0 ? '' : `M${i % 48} ${Math.floor(i / 48)}h1v1h-1z`)).join(
    '',
  );
  const drawn = `<svg><rect width="48" height="28" fill="#fff"/><path d="${black}"/></svg>`;
  return [
    ['map-mask.svg', sideBySide(drawn, [0, 0, 48, 28], meshMarkup(cave, walk, 0.2))],
    ['map-levels.svg', levelsPicture(house, storeys, route)],
    ['map-svg.svg', sideBySide(plan, [0, 0, 120, 72], meshMarkup(build, path, 0.5))],
  ];
}

/** Returns a document with a drawing on the left, and the same with a mesh over it on the right. */
function sideBySide(drawing, [x, y, width, height], mesh) {
  const box = `viewBox="${x} ${y} ${width} ${height}"`;
  const inner = drawing.slice(drawing.indexOf('>') + 1, drawing.lastIndexOf('</svg>'));
  const panel = (left, content) =>
    `<svg x="${left}" y="12" width="580" height="${(580 * height) / width}" ${box}>${content}</svg>`;
  const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"';
  const page = `0 0 1200 ${24 + (580 * height) / width}`;
  return `<svg ${namespaces} viewBox="${page}"><rect width="1200" height="100%" fill="#fcfbf8"/>\n${panel(12, inner)}\n${panel(608, `<g opacity=".45">${inner}</g>${mesh}`)}</svg>\n`;
}

/** Returns the polygons of a mesh, and a path over them. */
function meshMarkup({ stages: { pieces }, report: { frame } }, path, wide) {
  const at = (corner) => {
    const x = frame.originX + pieces.x[corner] * frame.gridSize;
    const y = frame.originY + pieces.y[corner] * frame.gridSize;
    return `${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`;
  };
  const polygons = Array.from({ length: pieces.pieceCount }, (_, p) => {
    const corners = Array.from(pieces.corner.slice(pieces.start[p], pieces.start[p + 1]));
    return `M${corners.map(at).join('L')}Z`;
  });
  const line = path.points.map(([px, py]) => `${Number(px.toFixed(2))} ${Number(py.toFixed(2))}`).join('L');
  const mesh = `<path d="${polygons.join('')}" fill="#2f7ea8" fill-opacity=".3" stroke="#1d5a7c" stroke-width="${wide / 2}"/>`;
  return `${mesh}<path d="M${line}" fill="none" stroke="#c8401f" stroke-width="${2 * wide}"/>`;
}

/** Returns the pixels of a cave: noise that is smoothed, black at its border. */
function caveMask(width, height) {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  let cells = Array.from({ length: width * height }, () => random() < 0.6);
  const isFree = (i, j) => i > 0 && j > 0 && i < width - 1 && j < height - 1 && cells[j * width + i];
  for (let round = 0; round < 4; round++) {
    cells = cells.map((_, at) => {
      const [i, j] = [at % width, Math.floor(at / width)];
      let count = 0;
      for (let v = -1; v <= 1; v++) for (let u = -1; u <= 1; u++) count += isFree(i + u, j + v) ? 1 : 0;
      return count >= 5;
    });
  }
  const data = Uint8Array.from(cells, (_, at) => (isFree(at % width, Math.floor(at / width)) ? 255 : 0));
  return { width, height, data };
}

/** Returns a picture of levels side by side, with the parts of a path on them. */
function levelsPicture({ levels, connections }, { navMesh: mesh }, { points }) {
  const panels = levels.map(({ name, height, map }, i) => {
    const walls = map.obstacles
      .map((ring) => `M${ring.map(([x, y]) => `${Number(x.toFixed(3))} ${Number((-y).toFixed(3))}`).join('L')}Z`)
      .join('');
    const polygons = [];
    for (let p = 0; p < mesh.polyCount; p++) {
      const corners = Array.from(mesh.edgeVertex.slice(mesh.polyEdgeStart[p], mesh.polyEdgeStart[p + 1]));
      if (mesh.vertices[3 * corners[0] + 1] !== height) continue;
      polygons.push(
        `M${corners.map((v) => `${Number(mesh.vertices[3 * v].toFixed(3))} ${Number(mesh.vertices[3 * v + 2].toFixed(3))}`).join('L')}Z`,
      );
    }
    const own = points
      .filter(([, y]) => y === height)
      .map(([x, , z]) => `${Number(x.toFixed(3))} ${Number(z.toFixed(3))}`);
    const links = connections.map(({ kind, from, to }) => {
      const [x, y] = (from.level === i ? from : to).point;
      return `<circle cx="${x}" cy="${-y}" r=".35" fill="#7a3fa0"/><text x="${x}" y="${-y - 0.6}" font-size=".8" text-anchor="middle" fill="#7a3fa0" font-family="sans-serif">${kind}</text>`;
    });
    return `<svg x="${12 + 596 * i}" y="12" width="580" height="360" viewBox="-0.5 -11.5 21 13">
<text x="0" y="1.2" font-size="1" font-family="sans-serif" fill="#333">level ${name}</text>
<path d="${polygons.join('')}" fill="#2f7ea8" fill-opacity=".3" stroke="#1d5a7c" stroke-width=".06"/>
<path d="${walls}" fill="#333"/>${links.join('')}
<path d="M${own.join('L')}" fill="none" stroke="#c8401f" stroke-width=".18"/></svg>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 384"><rect width="1200" height="384" fill="#fcfbf8"/>\n${panels.join('\n')}\n</svg>\n`;
}
