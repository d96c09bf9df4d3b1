/**
 * `npm start [-- SCENE] [--check]`: from a fresh clone to the studio. Installs and builds what is missing,
 * bakes a bundled level, prints the report and a path, writes out/SCENE.navmesh and out/SCENE.svg, serves the
 * studio with that level and opens a browser, until Ctrl-C. Without a terminal, or with --check, it requests
 * the page once and exits.
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

const args = process.argv.slice(2);
const isCheck = args.includes('--check') || process.stdout.isTTY !== true;
const name = args.find((arg) => !arg.startsWith('-')) ?? 'dungeon';
const scene = levelScenes.find((candidate) => candidate.name === name);
if (scene === undefined)
  fail(`No level '${name}'. Known: ${levelScenes.map((candidate) => candidate.name).join(', ')}.`);

/** Shows progress: one line that is redrawn on a terminal, one line per stage elsewhere. */
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
console.log(
  `\nwrote ${relative(process.cwd(), meshFile)} and ${relative(process.cwd(), pictureFile)} (open it in a browser)`,
);

const { buildStudio } = await import('./studio.mjs');
const { openBrowser, serveStudio } = await import('navkiln-cli/studio-server');
const page = await buildStudio().catch((error) => fail(error.message));
const server = await serveStudio(page);
const address = `${server.url}#scene=${name}&tool=path`;
if (isCheck) {
  const answer = await fetch(server.url);
  await server.close();
  if (!answer.ok) fail(`The studio's page is not available: status ${answer.status}.`);
  console.log('\nthe studio is built; run npm start in a terminal to open it, or host packages/studio/dist');
} else {
  console.log(`\nthe studio is at ${address}\npress Ctrl-C to stop`);
  openBrowser(address);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  await server.close();
}
