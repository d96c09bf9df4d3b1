/**
 * `npm start [-- SCENE]`: from a fresh clone to a mesh, a path and a picture. Installs and builds what is missing, bakes a
 * bundled level, prints the bake's report and a path, and writes out/SCENE.navmesh and out/SCENE.svg.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './files.mjs';
import { build, fail, install, requireNode } from './setup.mjs';

requireNode();
await install();
await build();

const { findPath, saveNavMesh } = await import('navkiln');
const { buildNavMesh } = await import('navkiln/build');
const { formatReport, sceneSvg } = await import('navkiln/debug');
const { levelScenes } = await import('navkiln-scenes');

const name = process.argv[2] ?? 'dungeon';
const scene = levelScenes.find((candidate) => candidate.name === name);
if (scene === undefined) fail(`No level '${name}'. There are: ${levelScenes.map((candidate) => candidate.name).join(', ')}.`);

/** One line on a terminal, drawn over; a line a stage elsewhere. */
function showProgress({ stage, done, total }) {
  if (process.stderr.isTTY !== true) {
    if (stage !== '') process.stderr.write(`bake ${done + 1}/${total} ${stage}\n`);
    return;
  }
  const filled = Math.round((24 * done) / total);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(24 - filled)}`;
  process.stderr.write(`\r\u001b[2K${stage === '' ? '' : `bake ${bar} ${done}/${total} ${stage}`}`);
}

const level = scene.create();
console.log(`${scene.title}: ${level.indices.length / 3} triangles\n`);
const { navMesh, report } = buildNavMesh(level, { ...scene.options, onProgress: showProgress });
process.stdout.write(formatReport(report));

const { from, to } = scene.path;
const path = findPath(navMesh, from, to);
const show = (point) => `(${Array.from(point, (value) => value.toFixed(2)).join(', ')})`;
const outcome = path.reason === '' ? path.status : `${path.status} (${path.reason})`;
console.log(`\npath from ${show(from)} to ${show(to)}: ${outcome}, ${path.length.toFixed(2)} m`);
for (const point of path.points) console.log(`  ${show(point)}`);

const folder = join(ROOT, 'out');
mkdirSync(folder, { recursive: true });
const meshFile = join(folder, `${name}.navmesh`);
const pictureFile = join(folder, `${name}.svg`);
writeFileSync(meshFile, saveNavMesh(navMesh));
writeFileSync(pictureFile, sceneSvg({ level, navMesh, path, title: scene.title }));
console.log(`\nwrote ${relative(process.cwd(), meshFile)} and ${relative(process.cwd(), pictureFile)} (open it in a browser)`);
