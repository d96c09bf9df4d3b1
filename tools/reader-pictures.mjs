/** The pictures of maps as they are drawn in other programs, beside the meshes that are built from them: docs/pictures/map-*.svg. */

const PLAN = `<rect width="120" height="72" fill="#f6f3ea"/>
  <g inkscape:label="Rooms" fill="#dfe8ee"><path d="M6 6H64V66H6z"/><path d="M64 6H96Q114 6 114 24V66H64z"/></g>
  <g inkscape:label="Walls" fill="none" stroke="#333" stroke-width="3" stroke-linejoin="round"><path d="M64 6V28M64 44V66"/>
    <path d="M6 6H96Q114 6 114 24V66H6z"/></g>
  <g id="furniture" class="solid" fill="#b9855a"><ellipse cx="30" cy="36" rx="12" ry="8"/><rect x="78" y="18" width="16" height="8" rx="3"/>
    <g transform="translate(88 50) rotate(30)"><path d="M-12-4h24v8h-24z"/></g></g>
  <g id="doors" fill="none" stroke="#a33"><path d="M64 28h-16A16 16 0 0 0 64 44z" stroke-width=".8"/></g>`;

/** Returns pairs of a file and its text. */
export function readerPictures({ buildFromPolygons, findPath2d, parseSvg }) {
  const plan = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 120 72">${PLAN}</svg>`;
  const map = parseSvg(plan, { name: 'plan.svg' });
  const build = buildFromPolygons(map, { radius: 2.5 });
  const path = findPath2d(build.navMesh, [12, 14], [108, 60]);
  return [['map-svg.svg', sideBySide(plan, [0, 0, 120, 72], meshMarkup(build, path, 0.5))]];
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
