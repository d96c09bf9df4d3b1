/** Makes a crowd scene on any mesh: agents at random positions, each with a random goal it can reach. */
import { createRandom, findPath, findRandomPoint } from 'navkiln';
import type { NavMesh } from 'navkiln';
import type { CrowdSetup } from 'navkiln/debug';

type Point = [number, number, number];

const TRIES = 50;

/** Returns the scene, or undefined when the mesh has too little space for the agents. */
export function createWanderers(navMesh: NavMesh, seed: number, count: number): CrowdSetup | undefined {
  const random = createRandom(seed);
  const radius = navMesh.agent.radius > 0 ? navMesh.agent.radius : 0.4;
  const height = navMesh.agent.height > 0 ? navMesh.agent.height : 1.8;
  const maxSpeed = 3.5 * radius;
  const starts: Point[] = [];
  const goals: Point[] = [];
  const isFree = ([x, y, z]: Point, taken: readonly Point[]): boolean =>
    taken.every((p) => Math.abs(p[1] - y) >= height || (p[0] - x) ** 2 + (p[2] - z) ** 2 > (2.2 * radius) ** 2);
  const draw = (taken: readonly Point[], isGood: (point: Point) => boolean): Point | undefined => {
    for (let i = 0; i < TRIES; i++) {
      const { found, point } = findRandomPoint(navMesh, random);
      if (found && isFree(point, taken) && isGood(point)) return point;
    }
    return undefined;
  };
  let longest = 0;
  const agents = Array.from({ length: count }, () => {
    const position = draw(starts, () => true);
    let length = 0;
    const goal =
      position &&
      draw(goals, (point) => {
        const path = findPath(navMesh, position, point);
        length = path.length;
        return path.status === 'complete';
      });
    if (position === undefined || goal === undefined) return undefined;
    starts.push(position);
    goals.push(goal);
    longest = Math.max(longest, length);
    return { position, goal, radius, height, maxSpeed, maxAcceleration: 8 * maxSpeed, group: 0 };
  });
  if (!agents.every((agent) => agent !== undefined)) return undefined;
  return {
    level: { positions: [] },
    options: {},
    agents,
    seconds: Math.ceil(30 + (4 * longest) / maxSpeed),
    goalRadius: radius,
  };
}
