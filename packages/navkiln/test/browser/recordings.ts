/** A crowd in a town, recorded in Node and replayed in Node and in Chromium. */
import { addLink, createRandom, findRandomPoint, nextRandom } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { createCrowd, hashCrowd } from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { createRecorder, finishRecording, replay } from 'navkiln/record';
import { findLevelScene } from 'navkiln-scenes';

/** Ticks from one order to an agent to its next one: ten seconds. */
const ORDER_TICKS = 600;
/** Ticks from one change of a door to the next. */
const DOOR_TICKS = 100;

/** What a replay has found. */
export interface TownReplay {
  tick: number;
  agents: number;
  agreedChecks: number;
  divergence: string;
  hash: string;
}

/** Bakes the town: `scale` times its usual number of blocks. */
function bakeTown(scale: number): NavMesh {
  const scene = findLevelScene('city');
  const { navMesh } = buildNavMesh(scene.create(1, scale), { ...scene.options, tileSize: 48 * scene.options.cellSize });
  const random = createRandom(2);
  for (let i = 0; i < 4; i++) {
    const [start, end] = [findRandomPoint(navMesh, random)!.point, findRandomPoint(navMesh, random)!.point];
    addLink(navMesh, { start, end, bothWays: true, name: `door ${i}` });
  }
  return navMesh;
}

/** Records a crowd that gets an order each ten seconds, an agent, and whose doors open and close. */
export function recordTown(ticks: number, agents: number, scale: number): { file: Uint8Array; hash: string } {
  const navMesh = bakeTown(scale);
  const crowd = createCrowd(navMesh, { maxAgents: agents });
  const recorder = createRecorder(crowd, { info: { ticks, agents } });
  const { calls } = recorder;
  const random = createRandom(5);
  const ids: AgentId[] = [];
  while (ids.length < agents) {
    const id = calls.addAgent(crowd, findRandomPoint(navMesh, random)!.point, { maxSpeed: 1 + nextRandom(random) });
    if (id !== 0) ids.push(id);
  }
  let due = 0;
  for (let tick = 0; tick < ticks; tick++) {
    for (due += agents / ORDER_TICKS; due >= 1; due--) {
      const id = ids[Math.floor(nextRandom(random) * agents)]!;
      calls.moveAgentTo(crowd, id, findRandomPoint(navMesh, random)!.point);
    }
    if (tick % DOOR_TICKS === 0)
      calls.setEnabled(navMesh, `door ${Math.floor(nextRandom(random) * 4)}`, nextRandom(random) < 0.5);
    calls.stepCrowd(crowd);
  }
  return { file: finishRecording(recorder), hash: hashCrowd(crowd).toString(16) };
}

/** Replays a recording of the town, given as base64. */
export function replayTown(base64: string, scale: number): TownReplay {
  const file = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const { crowd, tick, agreedChecks, divergence } = replay(file, bakeTown(scale));
  const { agentCount: agents } = crowd;
  return { tick, agents, agreedChecks, divergence: divergence?.message ?? '', hash: hashCrowd(crowd).toString(16) };
}
