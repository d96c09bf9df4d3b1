/** Crowds on a level with floors, orders, links and changing tiles, computed in Node and in Chromium. */
import { addLink, addTile, createRandom, findRandomPoint, nextRandom, removeTile, setLinkEnabled } from 'navkiln';
import { findTile } from 'navkiln/kernel';
import { buildNavMesh, buildPreparedTile, prepareTiles } from 'navkiln/build';
import {
  addAgent,
  createCrowd,
  sampling,
  followAgent,
  hashCrowd,
  moveAgentTo,
  setAgentVelocity,
  restoreCrowd,
  saveCrowd,
  setLinkTraffic,
  stepCrowd,
} from 'navkiln/crowd';
import type { AgentId, Crowd } from 'navkiln/crowd';
import { findLevelScene } from 'navkiln-scenes';

const AGENTS = 60;
/** Ticks between two orders, and between two tiles. */
const ORDER_TICKS = 7;
const TILE_TICKS = 150;

/** Returns hashes after each quarter of the ticks, and after restoring the state from there. */
export function hashCrowds(ticks: number): Record<string, string> {
  const hashes: Record<string, string> = {};
  const scene = findLevelScene('tower');
  const input = scene.create();
  const options = { ...scene.options, tileSize: 48 * scene.options.cellSize };
  const { navMesh } = buildNavMesh(input, options);
  const level = prepareTiles(input, options);
  const random = createRandom(11);
  const pick = (): [number, number, number] => findRandomPoint(navMesh, random)!.point;
  const links = [0, 1, 2].map(() => addLink(navMesh, { start: pick(), end: pick(), bothWays: true }));
  const crowd = createCrowd(navMesh, { maxAgents: AGENTS, searchBudget: 300, behaviors: [sampling] });
  links.forEach((link, i) => setLinkTraffic(crowd, link, { capacity: 1 + i, seconds: 1 + i }));
  const ids: AgentId[] = [];
  while (ids.length < AGENTS) {
    const id = addAgent(crowd, pick(), {
      maxSpeed: 1 + nextRandom(random),
      avoidance: ids.length % 5 === 0 ? 'sampled' : 'orca',
    });
    if (id !== 0) ids.push(id);
  }
  const one = (): AgentId => ids[Math.floor(nextRandom(random) * AGENTS)];
  for (let tick = 1; tick <= ticks; tick++) {
    if (tick % ORDER_TICKS === 0) {
      const kind = nextRandom(random);
      const id = one();
      const other = one();
      if (kind < 0.7) moveAgentTo(crowd, id, pick());
      else if (kind < 0.95 && id !== other) followAgent(crowd, id, other);
      else setAgentVelocity(crowd, id, [nextRandom(random) - 0.5, 0, nextRandom(random) - 0.5]);
    }
    if (tick % TILE_TICKS === 0) {
      const x = Math.floor(nextRandom(random) * 5);
      const z = Math.floor(nextRandom(random) * 5);
      const slot = findTile(navMesh, x, z, 0);
      if (slot >= 0) removeTile(navMesh, slot);
      const tile = buildPreparedTile(level, x, z);
      if (tile !== null) addTile(navMesh, tile);
      setLinkEnabled(navMesh, links[tick % 3], tick % 2 === 0);
    }
    stepCrowd(crowd);
    if (tick % (ticks / 4) === 0) hashes[`after ${tick} ticks`] = name(crowd);
  }
  const bytes = saveCrowd(crowd);
  for (let i = 0; i < 100; i++) stepCrowd(crowd);
  hashes['100 ticks on'] = name(crowd);
  restoreCrowd(crowd, bytes);
  for (let i = 0; i < 100; i++) stepCrowd(crowd);
  if (name(crowd) !== hashes['100 ticks on']) throw new Error('going back and on again leads elsewhere');
  return hashes;
}

function name(crowd: Crowd): string {
  return hashCrowd(crowd).toString(16);
}
