/** `navkiln inspect FILE`: reports the contents of a navigation mesh or a level file. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { LevelMesh } from 'navkiln/io';
import { findIslands } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { refs } from 'navkiln/kernel';
import { isLevelFile } from 'navkiln-loaders/files';
import { readLevel } from '../loaders/level.ts';
import { print } from '../output/print.ts';
import { formatBytes, formatNumber, formatPoint, formatTable, jsonLine, plural, withCount } from '../output/text.ts';
import { linesOfTypes, summarizeTypes } from './agent-types.ts';
import { EXIT_OK } from './exit.ts';
import { countLinks, textOfLinks } from './link-counts.ts';
import { readNavMesh } from './navmesh-file.ts';
import type { NavMeshFile } from './navmesh-file.ts';

/** Names and materials that are listed as text. JSON has all of them. */
const LISTED = 20;

/** An island as `inspect` lists it. `position` lies on its largest polygon. */
interface IslandSummary {
  area: number;
  polygons: number;
  position: number[];
}

interface Bounds {
  min: number[];
  max: number[];
}

export function addInspectCommand(program: Command, finish: (status: number) => void): void {
  program
    .command('inspect')
    .description(
      'Report the contents of a navigation mesh (.navmesh, or a Detour .bin) or a level file (.glb, .gltf, .obj).',
    )
    .argument('<file>', 'the file')
    .option('--json', 'print one JSON object on standard output')
    .action(async (file: string, flags: { json?: boolean }) => {
      const report = isLevelFile(file)
        ? inspectLevel(file, await readLevel(file))
        : inspectNavMesh(file, await readNavMesh(file));
      await print(flags.json === true ? jsonLine(report.json) : `${report.text}\n`);
      finish(EXIT_OK);
    });
}

function inspectNavMesh(
  file: string,
  { navMesh, bytes, format, version }: NavMeshFile,
): { json: object; text: string } {
  const tiles: number[] = [];
  for (let slot = 0; slot < navMesh.tileSlotCount; slot++) if (navMesh.tileState[slot] === 1) tiles.push(slot);
  const areas = new Map<number, number>();
  let polygons = 0;
  let vertices = 0;
  let detailTriangles = 0;
  let ground = 0;
  for (const slot of tiles) {
    const start = navMesh.tilePolyStart[slot];
    const count = navMesh.tilePolyCount[slot];
    polygons += count;
    vertices += navMesh.tileVertexCount[slot];
    detailTriangles += navMesh.tileDetailTriCount[slot];
    for (let poly = start; poly < start + count; poly++) {
      const area = navMesh.polyArea[poly];
      areas.set(area, (areas.get(area) ?? 0) + 1);
      ground += groundArea(navMesh, poly);
    }
  }
  const bounds = boundsOf(tiles.length, (i) => navMesh.tileBounds.subarray(6 * tiles[i], 6 * tiles[i] + 6));
  const sections = Object.entries(navMesh)
    .flatMap(([name, value]) => (ArrayBuffer.isView(value) ? [{ name, bytes: value.byteLength }] : []))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const { agent, cellSize, cellHeight, tileSize } = navMesh;
  const types = summarizeTypes(navMesh);
  const links = countLinks(navMesh);
  const islands = listIslands(navMesh);
  const byArea = [...areas].sort((a, b) => b[1] - a[1]).map(([area, count]) => ({ area, polygons: count }));
  const json = {
    file,
    kind: 'navmesh',
    format,
    bytes,
    version,
    agent,
    cellSize,
    cellHeight,
    tileSize,
    ...(types.length === 0 ? {} : { agentTypes: types }),
    tiles: tiles.length,
    polygons,
    vertices,
    detailTriangles,
    groundArea: ground,
    islands,
    areas: byArea,
    links,
    bounds,
    sections,
  };
  const walker =
    `radius ${formatNumber(agent.radius)}, height ${formatNumber(agent.height)}, ` +
    `climbs ${formatNumber(agent.maxClimb)}, slopes to ${formatNumber(agent.maxSlopeDegrees)} degrees`;
  const text = [
    `${file}: ${format === 'detour' ? 'Detour ' : ''}navigation mesh, version ${version}, ${formatBytes(bytes)}`,
    ...[
      ['  agent', walker],
      ['  voxels', voxelText(cellSize, cellHeight)],
      ['  tiles', `${tiles.length}${tileSize === 0 ? '' : ` of ${formatNumber(tileSize)}`}`],
      [
        '  polygons',
        `${polygons}, ${plural(vertices, 'vertex', 'vertices')}, ${plural(detailTriangles, 'detail triangle')}`,
      ],
      ['  surface', `${formatNumber(ground)} square units seen from above`],
      ['  bounds', boundsText(bounds)],
      [
        '  areas',
        byArea.map(({ area, polygons: count }) => `${area}: ${plural(count, 'polygon')}`).join(', ') || 'none',
      ],
      ['  links', textOfLinks(links)],
      ['  islands', islands.length === 1 ? '1' : `${islands.length}, by area`],
    ].map(([name, value]) => `${name!.padEnd(14)}${value!}`),
    ...(islands.length < 2 ? [] : [formatTable(islandRows(islands), '    ')]),
    ...(types.length === 0 ? [] : ['  agent types', ...linesOfTypes(types, '    ')]),
    '  bytes by section',
    formatTable(sectionRows(sections), '    '),
  ].join('\n');
  return { json, text };
}

/** Lists the islands of a mesh, the largest first. */
function listIslands(navMesh: NavMesh): IslandSummary[] {
  return findIslands(navMesh).islands.map(({ polys, area }) => {
    let largest = -1;
    let position: number[] = [];
    for (const ref of polys) {
      const { slot, poly } = refs.decodeRef(ref);
      const index = navMesh.tilePolyStart[slot] + poly;
      const own = groundArea(navMesh, index);
      if (own <= largest) continue;
      largest = own;
      position = middleOf(navMesh, index);
    }
    return { area, polygons: polys.length, position };
  });
}

function middleOf({ vertices, edgeVertex, polyEdgeStart, polyVertexCount }: NavMesh, poly: number): number[] {
  const count = polyVertexCount[poly];
  const sum = [0, 0, 0];
  for (let k = polyEdgeStart[poly]; k < polyEdgeStart[poly] + count; k++)
    for (let axis = 0; axis < 3; axis++) sum[axis] += vertices[3 * edgeVertex[k] + axis];
  return sum.map((value) => value / count);
}

function islandRows(islands: readonly IslandSummary[]): string[][] {
  const total = islands.reduce((sum, { area }) => sum + area, 0);
  const rows = islands.slice(0, LISTED).map(({ area, polygons, position }) => {
    const share = total > 0 ? Math.round((1000 * area) / total) / 10 : 0;
    return [`${formatNumber(area)} (${share} %)`, plural(polygons, 'polygon'), `at ${formatPoint(position)}`];
  });
  const rest = islands.slice(LISTED).reduce((sum, { area }) => sum + area, 0);
  if (islands.length > LISTED) rows.push([`${formatNumber(rest)}`, `in ${islands.length - LISTED} more`, '']);
  return rows;
}

function voxelText(cellSize: number, cellHeight: number): string {
  if (cellSize === 0) return 'none';
  return `${formatNumber(cellSize)} wide${cellHeight === 0 ? '' : `, ${formatNumber(cellHeight)} high`}`;
}

/** Groups the arrays of the mesh by topic, largest first. */
function sectionRows(sections: readonly { name: string; bytes: number }[]): string[][] {
  const kinds = new Map<string, number>();
  for (const { name, bytes } of sections) {
    const kind = /detail/i.test(name) ? 'detail' : (/^(tile|poly|edge|bv|vert|link)/.exec(name)?.[1] ?? 'other');
    kinds.set(kind, (kinds.get(kind) ?? 0) + bytes);
  }
  const titles = new Map([
    ['tile', 'tiles'],
    ['poly', 'polygons'],
    ['edge', 'edges'],
    ['bv', 'bounding-volume tree'],
    ['vert', 'vertices'],
    ['link', 'links'],
  ]);
  return [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, bytes]) => [titles.get(kind) ?? kind, formatBytes(bytes)]);
}

/** Returns the area of the surface seen from above, in square units. */
function groundArea(navMesh: NavMesh, poly: number): number {
  const start = navMesh.polyEdgeStart[poly];
  const count = navMesh.polyVertexCount[poly];
  const { vertices, edgeVertex } = navMesh;
  const first = 3 * edgeVertex[start];
  let sum = 0;
  for (let i = 1; i + 1 < count; i++) {
    const a = 3 * edgeVertex[start + i];
    const b = 3 * edgeVertex[start + i + 1];
    sum += (vertices[a + 2] - vertices[first + 2]) * (vertices[b] - vertices[first]);
    sum -= (vertices[a] - vertices[first]) * (vertices[b + 2] - vertices[first + 2]);
  }
  return Math.abs(sum) / 2;
}

function inspectLevel(file: string, level: LevelMesh): { json: object; text: string } {
  const { positions, indices, groups, warnings } = level;
  const bounds = boundsOf(positions.length / 3, (i) => {
    const [x, y, z] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
    return [x, y, z, x, y, z];
  });
  const materials = countBy(
    groups.map(({ material, triangleCount }) => ({ name: material, triangles: triangleCount })),
  );
  const names = countBy(groups.map(({ name, triangleCount }) => ({ name, triangles: triangleCount })));
  const bytes = statSync(file).size;
  const json = {
    file,
    kind: 'level',
    bytes,
    triangles: indices.length / 3,
    vertices: positions.length / 3,
    bounds,
    materials,
    groups: names,
    warnings: warnings.map(({ code, count, message }) => ({ code, count, message })),
  };
  const list = (title: string, entries: { name: string; triangles: number }[]): string[] => {
    const rows = entries
      .slice(0, LISTED)
      .map(({ name, triangles }) => [name === '' ? '(none)' : name, String(triangles)]);
    if (entries.length > LISTED) rows.push([`… and ${entries.length - LISTED} more`]);
    return [`  ${title} by triangles`, formatTable(rows, '    ')];
  };
  const text = [
    `${file}: level, ${formatBytes(bytes)}`,
    `  triangles   ${indices.length / 3}`,
    `  vertices    ${positions.length / 3}`,
    `  bounds      ${boundsText(bounds)}`,
    ...list('materials', materials),
    ...list('groups', names),
    ...warnings.map((warning) => `  warning: ${withCount(warning)}`),
  ].join('\n');
  return { json, text };
}

function countBy(entries: readonly { name: string; triangles: number }[]): { name: string; triangles: number }[] {
  const counts = new Map<string, number>();
  for (const { name, triangles } of entries) counts.set(name, (counts.get(name) ?? 0) + triangles);
  return [...counts].map(([name, triangles]) => ({ name, triangles })).sort((a, b) => b.triangles - a.triangles);
}

/** Returns the union of `count` boxes of six numbers, or null when there are none. */
function boundsOf(count: number, box: (index: number) => ArrayLike<number>): Bounds | null {
  if (count === 0) return null;
  const bounds: Bounds = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (let i = 0; i < count; i++) {
    const six = box(i);
    for (let axis = 0; axis < 3; axis++) {
      bounds.min[axis] = Math.min(bounds.min[axis], six[axis]);
      bounds.max[axis] = Math.max(bounds.max[axis], six[axis + 3]);
    }
  }
  return bounds;
}

function boundsText(bounds: Bounds | null): string {
  return bounds === null ? 'empty' : `${formatPoint(bounds.min)}  to  ${formatPoint(bounds.max)}`;
}
