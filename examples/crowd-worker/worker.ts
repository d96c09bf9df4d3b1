/** The worker of the crowd: bakes the map, steps the crowd, and writes positions into memory that it shares with the page. */
import { createRandom, findRandomPoint } from 'navkiln';
import { addAgent, createCrowd, interpolateAgentInto, listEvents, moveAgentTo, stepCrowd } from 'navkiln/crowd';
import type { AgentId } from 'navkiln/crowd';
import { buildFromPolygons, findNearest2d, mapToMesh } from 'navkiln/polygon';

interface Start {
  shared: SharedArrayBuffer;
  count: number;
  side: number;
}

let send: ((goal: [number, number]) => void) | undefined;

globalThis.addEventListener('message', ({ data }: MessageEvent<Start | { goal: [number, number] }>) => {
  if ('goal' in data) send?.(data.goal);
  else start(data);
});

function start({ shared, count, side }: Start): void {
  const state = new Float64Array(shared);
  const outline = [0, 0, side, 0, side, 0.6 * side, 0, 0.6 * side];
  const corners = [0, 2, 4, 6].map((i): [number, number] => [outline[i], outline[i + 1]]);
  const { navMesh } = buildFromPolygons({ polygons: [{ outline: corners }], yAxis: 'down' }, { radius: 0.5 });
  const crowd = createCrowd(navMesh, { maxAgents: count });
  const random = createRandom(5);
  const agents: AgentId[] = [];
  for (let i = 0; i < count; i++) {
    agents.push(addAgent(crowd, findRandomPoint(navMesh, random).point, { radius: 0.4, maxSpeed: 2.5 }));
    moveAgentTo(crowd, agents[i], findRandomPoint(navMesh, random).point);
  }
  send = (goal) => {
    const { point } = findNearest2d(navMesh, goal, { halfExtents: side });
    for (const agent of agents) moveAgentTo(crowd, agent, mapToMesh(navMesh, point));
  };
  const drawn = new Float64Array(5);
  setInterval(() => {
    stepCrowd(crowd);
    for (const { kind, agent } of listEvents(crowd))
      if (kind === 'arrived') moveAgentTo(crowd, agent, findRandomPoint(navMesh, random).point);
    for (const [i, agent] of agents.entries()) {
      interpolateAgentInto(drawn, crowd, agent, 1);
      state[2 * i] = drawn[0];
      state[2 * i + 1] = drawn[2];
    }
    state[2 * count]++;
  }, 1000 / 60);
}
