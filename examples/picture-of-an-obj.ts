/** Parses a level from OBJ text, bakes it, and draws it with a path. Reading and writing files is up to the caller. */
import { findPath, getGroundLine } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { formatReport, sceneSvg, validateNavMesh } from 'navkiln/debug';
import { parseObj } from 'navkiln/io';

const text = `
o floor
v 0 0 0
v 0 0 12
v 12 0 12
v 12 0 0
f 1 2 3 4
o step
v 4 0.3 4
v 4 0.3 8
v 8 0.3 8
v 8 0.3 4
f 5 6 7 8
`;

const level = parseObj(text);
const { navMesh, report } = buildNavMesh(level, { agent: { radius: 0.3, maxClimb: 0.4 } });
const path = findPath(navMesh, [1, 0, 1], [6, 0.3, 6]);
// From corner to corner, the path would be drawn through the step.
const line = getGroundLine(navMesh, path, { maxError: 0.05 });
const svg = sceneSvg({ level, navMesh, path: line ?? path, title: 'A floor and a step' });

console.log(formatReport(report).includes('polygons'), validateNavMesh(navMesh).length, path.status);
const end = path.points.at(-1);
console.log(
  `${svg.startsWith('<svg')}, ${path.points.length} corners, ${line?.points.length} points on the surface, the last at a height of ${end?.[1].toFixed(1)}`,
);
