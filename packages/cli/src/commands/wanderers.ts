/** Makes a crowd scene on any mesh: agents at random positions, each with a random goal it can reach. */
import { createRandom, findPath, findRandomPoint } from 'navkiln';
import type { AgentType, NavMesh, QueryFilter } from 'navkiln';
import type { CrowdSetup } from 'navkiln/debug';

type Point = [number, number, number];

const TRIES = 50;

/** Returns the scene, or undefined when the mesh has too little space for the agents. Agents have the given types in turn, or none. */
export function createWanderers(
  navMesh: NavMesh,
  seed: number,
  count: number,
  types: readonly AgentType[] = [],
): CrowdSetup | undefined {
  const random = createRandom(seed);
  const bodies = (types.length === 0 ? [undefined] : types).map((type) => {
    const { radius, height } = (type && navMesh.sizes[type.filter.size ?? 0]) ?? navMesh.agent;
    const own = { radius: radius > 0 ? radius : 0.4, height: height > 0 ? height : 1.8 };
    return { ...own, ...(type === undefined ? {} : { type }) };
  });
  const radius = Math.max(...bodies.map((body) => body.radius));
  const height = Math.max(...bodies.map((body) => body.height));
  const starts: Point[] = [];
  const goals: Point[] = [];
  const isFree = ([x, y, z]: Point, taken: readonly Point[]): boolean =>
    taken.every((p) => Math.abs(p[1] - y) >= height || (p[0] - x) ** 2 + (p[2] - z) ** 2 > (2.2 * radius) ** 2);
  const draw = (
    taken: readonly Point[],
    isGood: (point: Point) => boolean,
    options: { filter?: QueryFilter },
  ): Point | undefined => {
    for (let i = 0; i < TRIES; i++) {
      const { found, point } = findRandomPoint(navMesh, random, options);
      if (found && isFree(point, taken) && isGood(point)) return point;
    }
    return undefined;
  };
  let longest = 0;
  let slowest = Infinity;
  const agents = Array.from({ length: count }, (_, i) => {
    const body = bodies[i % bodies.length];
    const options = body.type === undefined ? {} : { filter: body.type.filter };
    const maxSpeed = 3.5 * body.radius;
    const position = draw(starts, () => true, options);
    let length = 0;
    const isReachable = (point: Point): boolean => {
      const path = findPath(navMesh, position!, point, options);
      length = path.length;
      return path.status === 'complete';
    };
    const goal = position && draw(goals, isReachable, options);
    if (position === undefined || goal === undefined) return undefined;
    starts.push(position);
    goals.push(goal);
    longest = Math.max(longest, length);
    slowest = Math.min(slowest, maxSpeed);
    return { position, goal, ...body, maxSpeed, maxAcceleration: 8 * maxSpeed, group: i % bodies.length };
  });
  if (!agents.every((agent) => agent !== undefined)) return undefined;
  return {
    level: { positions: [] },
    options: {},
    agents,
    seconds: Math.ceil(30 + (4 * longest) / slowest),
    goalRadius: radius,
  };
}
