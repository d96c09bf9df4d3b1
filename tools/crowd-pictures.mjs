/**
 * `node tools/crowd-pictures.mjs [SCENE…] [--crowds navkiln,recast,navcat] [--seed N]`: runs crowd scenes with each library and draws the
 * paths of their agents beside each other, docs/pictures/crowd/SCENE.jpg. Runs are kept in out/crowd-trails, so that `--crowds navkiln`
 * draws new paths beside those of the last runs of the others.
 *
 * A line per agent in the color of its group; red where an agent is deeper than a twentieth of a radius inside another.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { CONTAINER_FLAGS, requireChromium } from './chromium.mjs';
import { ROOT } from './files.mjs';
import { build, install, requireNode } from './setup.mjs';

/** Width of a picture and space around its panels, pixels. */
const WIDTH = 1440;
const GAP = 16;
/** Seconds between recorded positions. */
const RECORD_SECONDS = 0.2;
/** Dense flow draws the paths of this time only, seconds: after more, lines cover the surface. */
const FLOW_SECONDS = 40;
/** Overlap that counts, radii of the smaller agent. */
const OVERLAP = 1 / 20;
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#8c6bb1', '#e69f00', '#56b4e9', '#7a6a4f'];
const TITLES = { navkiln: 'navkiln', recast: 'recast-navigation', navcat: 'navcat' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { crowds: { type: 'string', default: 'navkiln,recast,navcat' }, seed: { type: 'string', default: '1' } },
});
const wanted = values.crowds.split(',');
const seed = Number(values.seed);

requireNode();
await install();
await build();
const { crowdScenes, denseCrowdScenes } = await import('navkiln-scenes');
const { crowdRuns } = await import('navkiln/debug');
const { SIZES, STEP, contenders } = await import('../packages/bench/dist/crowd.js');
const { initRecast } = await import('../packages/bench/dist/recast.js');

const trails = join(ROOT, 'out', 'crowd-trails');
const folder = join(ROOT, 'docs', 'pictures', 'crowd');
mkdirSync(trails, { recursive: true });
mkdirSync(folder, { recursive: true });
await initRecast();
const browser = await chromium.launch({ executablePath: requireChromium(), args: CONTAINER_FLAGS });
try {
  for (const scene of [...crowdScenes, ...denseCrowdScenes]) {
    if (positionals.length > 0 && !positionals.includes(scene.name)) continue;
    for (const [who, driverOf] of contenders(true)) {
      if (wanted.includes(who)) writeFileSync(trailFile(scene, who), JSON.stringify(runScene(scene, driverOf)));
    }
    await draw(scene);
  }
} finally {
  await browser.close();
}

function trailFile({ name }, who) {
  return join(trails, `${name}-${who}.json`);
}

/** Runs a scene. Returns its figures, positions of all agents by record (centimeters), and where they overlapped. */
function runScene(scene, driverOf) {
  const setup = scene.create(seed, SIZES[scene.name]);
  const world = crowdRuns.createCrowdWorld(setup);
  const driver = driverOf(world);
  const records = [];
  const overlaps = [];
  const every = Math.round(RECORD_SECONDS / STEP);
  const end = setup.errandSeconds === undefined ? Infinity : FLOW_SECONDS / STEP;
  const onTick = ({ position, state }, tick) => {
    if (tick % every !== 0 || tick > end) return;
    records.push(setup.agents.flatMap((_, i) => [round(position[3 * i]), round(position[3 * i + 2])]));
    findOverlaps(setup.agents, position, state, overlaps);
  };
  const run = crowdRuns.startCrowdRun(setup, { stepSeconds: STEP, onTick }, world, driver);
  while (crowdRuns.stepCrowdRun(run));
  const report = crowdRuns.finishCrowdRun(run);
  driver.destroy?.();
  return { report, records, overlaps, trips: report.trips / ((setup.errandSeconds ?? NaN) / 60) };
}

function round(meters) {
  return Math.round(100 * meters);
}

/** Agents on links move above others and are left out, as in the figures. */
function findOverlaps(agents, position, state, overlaps) {
  const isLeftOut = (i) =>
    agents[i].ghost === true || state[i] === crowdRuns.BODY_ON_LINK || state[i] === crowdRuns.BODY_GONE;
  for (let i = 0; i < agents.length; i++) {
    if (isLeftOut(i)) continue;
    for (let k = 0; k < i; k++) {
      if (isLeftOut(k)) continue;
      const [dx, dy, dz] = [0, 1, 2].map((axis) => position[3 * i + axis] - position[3 * k + axis]);
      const reach = agents[i].radius + agents[k].radius - OVERLAP * Math.min(agents[i].radius, agents[k].radius);
      if (Math.abs(dy) > agents[i].height || dx * dx + dz * dz >= reach * reach) continue;
      overlaps.push(round(position[3 * i]), round(position[3 * i + 2]));
    }
  }
}

/** Draws a panel per library whose run is known. */
async function draw(scene) {
  const setup = scene.create(seed, SIZES[scene.name]);
  const { mesh } = crowdRuns.createCrowdWorld(setup);
  const runs = Object.keys(TITLES)
    .filter((who) => existsSync(trailFile(scene, who)))
    .map((who) => ({ who, ...JSON.parse(readFileSync(trailFile(scene, who), 'utf8')) }));
  const view = boundsOf(mesh);
  const isWide = view.width > 2.5 * view.height;
  const width = isWide ? WIDTH : (WIDTH - GAP * (runs.length - 1)) / runs.length;
  const panels = runs.map((run) => panel(run, setup.agents, mesh, view, width));
  const page = await browser.newPage({ viewport: { width: WIDTH + 2 * GAP, height: 100 } });
  await page.setContent(`<style>
    body { margin: ${GAP}px; background: #fbfaf6; color: #26323a; font: 15px sans-serif; }
    main { display: flex; flex-wrap: wrap; gap: ${GAP}px; }
    figure { margin: 0; width: ${width}px; } figcaption { padding: 4px 0 6px; } svg { display: block; }
  </style><main>${panels.join('')}</main>`);
  const bytes = await page.screenshot({ type: 'jpeg', quality: 82, fullPage: true });
  await page.close();
  writeFileSync(join(folder, `${scene.name}.jpg`), bytes);
  console.log(`docs/pictures/crowd/${scene.name}.jpg: ${Math.round(bytes.length / 1024)} KB`);
}

function boundsOf({ vertices, vertexCount = vertices.length / 3 }) {
  const [x, z] = [0, 2].map((axis) => {
    const values = Array.from({ length: vertexCount }, (_, i) => round(vertices[3 * i + axis]));
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  });
  return { x: x[0] - 40, z: z[0] - 40, width: x[1] - x[0] + 80, height: z[1] - z[0] + 80 };
}

function panel({ who, report, records, overlaps, trips }, agents, mesh, view, width) {
  const stroke = (view.width / width).toFixed(2);
  const lines = agents.map(({ group, ghost }, i) => {
    const points = records.map((record) => `${record[2 * i]} ${record[2 * i + 1]}`);
    return ghost === true ? '' : `<path d="M${points.join('L')}" stroke="${COLORS[group % COLORS.length]}"/>`;
  });
  const dots = [];
  for (let i = 0; i < overlaps.length; i += 2) dots.push(`M${overlaps[i]} ${overlaps[i + 1]}h.1`);
  return `<figure><figcaption><b>${TITLES[who]}</b> · ${figures(report, trips)}</figcaption>
    <svg viewBox="${view.x} ${view.z} ${view.width} ${view.height}" width="${width}" fill="none" stroke-linejoin="round">
    <path d="${surfacePath(mesh)}" fill="#d7e6f0" stroke="#d7e6f0" stroke-width="${stroke}"/>
    <g stroke-width="${stroke}" stroke-opacity=".5">${lines.join('')}</g>
    <path d="${dots.join('')}" stroke="#d01020" stroke-opacity=".8" stroke-linecap="round" stroke-width="${4 * stroke}"/></svg></figure>`;
}

function figures({ agents, arrived, settled, idle, arrivalP95, jitter, overlapShare }, trips) {
  const overlap = overlapShare > 0 ? `, overlaps ${(100 * overlapShare).toFixed(overlapShare < 0.001 ? 2 : 1)} %` : '';
  const rest = arrived + settled + idle;
  const flow = trips > 0 ? `${trips.toFixed(0)} trips a minute` : `${rest} of ${agents} at rest`;
  const p95 = trips > 0 || rest < 0.95 * agents ? '' : `, 95 % by ${arrivalP95.toFixed(0)} s`;
  return `${flow}${p95}, ${jitter.toFixed(2)} rad/m${overlap}`;
}

function surfacePath({ vertices, tileSlotCount, tileState, tilePolyStart, tilePolyCount, ...mesh }) {
  let d = '';
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (tileState[slot] !== 1) continue;
    for (let poly = tilePolyStart[slot]; poly < tilePolyStart[slot] + tilePolyCount[slot]; poly++) {
      const edge = mesh.polyEdgeStart[poly];
      for (let e = edge; e < edge + mesh.polyVertexCount[poly]; e++) {
        const at = 3 * mesh.edgeVertex[e];
        d += `${e === edge ? 'M' : 'L'}${round(vertices[at])} ${round(vertices[at + 2])}`;
      }
      d += 'z';
    }
  }
  return d;
}
