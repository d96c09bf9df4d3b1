/**
 * A sample of each kind of result: bakes by voxels, surfaces and outlines, paths by each search, queries, random
 * points, and a crowd, as hashes of their bytes. Small, because it also runs without the JIT, which takes twenty
 * times as long.
 */
import {
  createRandom,
  findDistanceToWall,
  findMidpointPath,
  findNearest,
  findOptimalPath,
  findPath,
  findRandomPoint,
  findReachable,
  findSmoothPath,
  loadNavMesh,
  moveAlongSurface,
  raycast,
  saveNavMesh,
} from 'navkiln';
import type { NavMesh } from 'navkiln';
import { addAgent, createCrowd, hashCrowd, moveAgentTo, sampling, saveCrowd, stepCrowd } from 'navkiln/crowd';
import { buildFromSurface, buildNavMesh, optionsFromSettings } from 'navkiln/build';
import { buildFromPolygons, cutByDiagonals } from 'navkiln/polygon';
import { findLevelScene, mapScenes } from 'navkiln-scenes';

const QUERIES = 12;
const MAPS = ['sixteen-corners', 'lakes-map'];
const AGENTS = 10;

/** Returns hashes by name. `ticks` is the length of the crowd. */
export function hashAnswers(ticks: number): Record<string, string> {
  const hashes: Record<string, string> = {};
  const scene = findLevelScene('soup');
  const input = scene.create();
  const meshes: Record<string, NavMesh> = {
    'surface, stairs': buildFromSurface(findLevelScene('stair-limits').create(), {
      agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 },
    }).navMesh,
  };
  for (const partition of ['watershed', 'monotone', 'layers'] as const) {
    meshes[`${partition}, soup`] = buildNavMesh(input, {
      ...scene.options,
      cellSize: 0.6,
      ...optionsFromSettings({ partition }),
      tileSize: 19.2,
    }).navMesh;
  }
  for (const { name, create, radius } of mapScenes.filter((map) => MAPS.includes(map.name))) {
    for (const mode of ['delaunay', 'diagonal'] as const) {
      meshes[`${mode}, ${name}`] = buildFromPolygons(create(), { radius, mode, cutByDiagonals }).navMesh;
    }
  }
  for (const [name, mesh] of Object.entries(meshes)) {
    const bytes = saveNavMesh(mesh);
    hashes[`${name}: bytes`] = `${hash(bytes)}/${bytes.length}`;
    hashes[`${name}: answers`] = hash(new TextEncoder().encode(JSON.stringify(ask(loadNavMesh(bytes)))));
  }
  hashes['crowd'] = crowdOn(meshes['watershed, soup'], ticks);
  return hashes;
}

/** Asks each query between random points. */
function ask(mesh: NavMesh): unknown[] {
  const random = createRandom(20261122);
  const answers: unknown[] = [];
  const pick = (): [number, number, number] => findRandomPoint(mesh, random).point;
  for (let i = 0; i < QUERIES; i++) {
    const [from, to] = [pick(), pick()];
    const off: [number, number, number] = [from[0] + 0.3, from[1] + 0.2, from[2] - 0.4];
    answers.push(
      findPath(mesh, from, to),
      findMidpointPath(mesh, from, to),
      findOptimalPath(mesh, from, to),
      findNearest(mesh, off),
      raycast(mesh, from, to),
      moveAlongSurface(mesh, from, to),
      findDistanceToWall(mesh, from, 10),
    );
    if (i % 6 === 0) answers.push(findSmoothPath(mesh, from, to), findReachable(mesh, from, { maxDistance: 15 }).polys);
  }
  return answers;
}

function crowdOn(mesh: NavMesh, ticks: number): string {
  const random = createRandom(5);
  const crowd = createCrowd(mesh, { maxAgents: AGENTS, behaviors: [sampling] });
  for (let i = 0; i < AGENTS; i++) {
    const id = addAgent(crowd, findRandomPoint(mesh, random).point, { avoidance: i % 3 === 0 ? 'sampled' : 'orca' });
    moveAgentTo(crowd, id, findRandomPoint(mesh, random).point);
  }
  for (let tick = 0; tick < ticks; tick++) stepCrowd(crowd);
  return `${hashCrowd(crowd).toString(16)} ${hash(saveCrowd(crowd))}`;
}

function hash(bytes: Uint8Array): string {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return (h >>> 0).toString(16);
}
