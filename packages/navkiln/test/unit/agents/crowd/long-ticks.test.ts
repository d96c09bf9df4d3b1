/** Agents arrive at any length of a tick: they do not step over their goals. */
import { expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { gridTile, meshOf } from '../../meshes.ts';

const RADIUS = 0.4;
/** Places of the start and the goal, so that whole steps end at different distances from the goal. */
const SHIFTS = [0, 0.13, 0.29, 0.37, 0.55, 0.71];

/** Seconds until an agent arrives, and its distance from the goal three seconds later. */
function walk(stepSeconds: number, maxSpeed: number, maxAcceleration: number, shift: number): [number, number] {
  const crowd = createCrowd(meshOf(gridTile(40, 40)), { maxAgents: 1, stepSeconds });
  const id = addAgent(crowd, [3 + shift, 0, 4], { radius: RADIUS, maxSpeed, maxAcceleration });
  const goal = [35 - shift, 0, 31 + shift / 3];
  moveAgentTo(crowd, id, goal);
  // It may stop at each of four corners.
  const most = Math.ceil((42 / maxSpeed + 5 * (maxSpeed / maxAcceleration + stepSeconds) + 1) / stepSeconds);
  let tick = 0;
  while (tick < most && getAgent(crowd, id)!.status !== 'arrived') {
    stepCrowd(crowd);
    tick++;
  }
  for (let i = 0; i < 3 / stepSeconds; i++) stepCrowd(crowd);
  const { position } = getAgent(crowd, id)!;
  return [tick < most ? tick * stepSeconds : Infinity, Math.hypot(position[0] - goal[0], position[2] - goal[2])];
}

it.each([
  [1 / 240, [1, 40]],
  [1 / 30, [3, 40]],
  [0.1, [3, 8, 40]],
  [0.2, [3, 5, 12, 40]],
  [0.25, [2, 5, 20, 40]],
])('arrives with ticks of %f seconds', (stepSeconds, speeds) => {
  for (const maxSpeed of speeds) {
    for (const maxAcceleration of [2 * maxSpeed, 200]) {
      for (const shift of SHIFTS) {
        const [seconds, distance] = walk(stepSeconds, maxSpeed, maxAcceleration, shift);
        expect({ maxSpeed, maxAcceleration, shift, seconds }).not.toHaveProperty('seconds', Infinity);
        expect(distance).toBeLessThanOrEqual(RADIUS);
      }
    }
  }
});
