/**
 * The libraries whose first calls are measured, and their calls. Each import is part of a call, so that nothing is loaded before the clock
 * starts. Runs in Node (process.ts) and in pages (page.ts).
 */
import type { BakeConfig, BuildOptions } from 'navkiln/build';
import type { PolygonMap } from 'navkiln/polygon';

type Point = [number, number, number];

/** The input of a call. Every library gets the same level, points and agents, and a mesh in the form that it saves. */
export interface FirstCallInput {
  positions: Float32Array;
  indices: Uint32Array;
  options: BuildOptions;
  config: BakeConfig;
  /** The baked mesh as navkiln, recast-navigation (.bin) and navcat (JSON) save it. */
  saved: { navkiln: Uint8Array; recast: Uint8Array; navcat: string };
  halfExtents: Point;
  /** Ends of the path. */
  path: [Point, Point];
  /** Start and goal of each agent. */
  agents: [Point, Point][];
}

export interface FirstMapInput {
  map: PolygonMap;
  /** The same rings for earcut: coordinates and first corners of holes, one entry per outline. */
  groups: { flat: number[]; holes: number[] }[];
}

export interface FirstCallTimes {
  /** Import, initialization and first call, in milliseconds. */
  firstMs: number;
  /** The import and initialization alone. */
  importMs: number;
  /** The same call again. */
  secondMs: number;
  /** Time of the first call in which the main thread was ready, but had no core. 0 where the system does not tell. */
  waitMs: number;
  secondWaitMs: number;
  /** The result of the call as one number, to compare libraries. */
  answer: number;
}

const STEP_SECONDS = 1 / 60;
const AGENT = { radius: 0.4, height: 1.8, maxSpeed: 3.5, maxAcceleration: 8 };

/** A library that is imported and initialized: its call, which can be repeated. */
type Call = () => number;
type Library = Record<string, (input: FirstCallInput & FirstMapInput) => Promise<Call>>;

const navkiln: Library = {
  async bake({ positions, indices, options }) {
    const { buildNavMesh } = await import('navkiln/build');
    return () => buildNavMesh({ positions, indices }, options).navMesh.polyCount;
  },
  async path({ saved, path, halfExtents }) {
    const { findPath, loadNavMesh } = await import('navkiln');
    return () => findPath(loadNavMesh(saved.navkiln), path[0], path[1], { halfExtents }).points.length;
  },
  async crowd({ saved, agents }) {
    const { loadNavMesh } = await import('navkiln');
    const { addAgent, createCrowd, moveAgentTo, stepCrowd } = await import('navkiln/crowd');
    return () => {
      const crowd = createCrowd(loadNavMesh(saved.navkiln), { maxAgents: agents.length });
      for (const [start, goal] of agents) moveAgentTo(crowd, addAgent(crowd, start, AGENT), goal);
      stepCrowd(crowd);
      return agents.length;
    };
  },
  async map({ map }) {
    const { buildFromPolygons } = await import('navkiln/polygon');
    return () => buildFromPolygons(map).navMesh.polyCount;
  },
};

const recast: Library = {
  async bake({ positions, indices, config }) {
    const { bakeWithRecast, initRecast } = await import('../recast.ts');
    await initRecast();
    return () => {
      const { navMesh, polyCount } = bakeWithRecast(positions, indices, config, false);
      navMesh.destroy();
      return polyCount;
    };
  },
  async path({ saved, path, halfExtents }) {
    const { NavMeshQuery, importNavMesh, init } = await import('recast-navigation');
    await init();
    const at = ([x, y, z]: Point): { x: number; y: number; z: number } => ({ x, y, z });
    return () => {
      const { navMesh } = importNavMesh(saved.recast);
      const query = new NavMeshQuery(navMesh);
      const found = query.computePath(at(path[0]), at(path[1]), { halfExtents: at(halfExtents) });
      query.destroy();
      navMesh.destroy();
      return found.path.length;
    };
  },
  async crowd({ saved, agents }) {
    const { Crowd, importNavMesh, init } = await import('recast-navigation');
    await init();
    return () => {
      const { navMesh } = importNavMesh(saved.recast);
      const crowd = new Crowd(navMesh, { maxAgents: agents.length, maxAgentRadius: AGENT.radius });
      for (const [start, goal] of agents) {
        const agent = crowd.addAgent({ x: start[0], y: start[1], z: start[2] }, AGENT);
        agent.requestMoveTarget({ x: goal[0], y: goal[1], z: goal[2] });
      }
      crowd.update(STEP_SECONDS);
      crowd.destroy();
      navMesh.destroy();
      return agents.length;
    };
  },
};

const navcat: Library = {
  async bake({ positions, indices, config }) {
    const { bakeWithNavcat } = await import('../navcat.ts');
    return () => bakeWithNavcat(positions, indices, config).polyCount;
  },
  async path({ saved, path, halfExtents }) {
    const { DEFAULT_QUERY_FILTER, findPath } = await import('navcat');
    return () => findPath(JSON.parse(saved.navcat), path[0], path[1], halfExtents, DEFAULT_QUERY_FILTER).path.length;
  },
  async crowd({ saved, agents, halfExtents }) {
    const { DEFAULT_QUERY_FILTER, createFindNearestPolyResult, findNearestPoly } = await import('navcat');
    const { crowd: crowds } = await import('navcat/blocks');
    return () => {
      const navMesh = JSON.parse(saved.navcat);
      const crowd = crowds.create(AGENT.radius);
      const nearest = createFindNearestPolyResult();
      for (const [start, goal] of agents) {
        const id = crowds.addAgent(crowd, navMesh, start, {
          ...AGENT,
          collisionQueryRange: 12 * AGENT.radius,
          separationWeight: 0.5,
          updateFlags: 31,
          queryFilter: DEFAULT_QUERY_FILTER,
        });
        findNearestPoly(nearest, navMesh, goal, halfExtents, DEFAULT_QUERY_FILTER);
        if (nearest.success) crowds.requestMoveTarget(crowd, id, nearest.nodeRef, nearest.position);
      }
      crowds.update(crowd, navMesh, STEP_SECONDS);
      return agents.length;
    };
  },
};

const earcut: Library = {
  async map({ groups }) {
    const { default: triangulate } = await import('earcut');
    return () => groups.reduce((sum, { flat, holes }) => sum + triangulate(flat, holes).length, 0);
  },
};

export const LIBRARIES: Record<string, Library> = { navkiln, recast, navcat, earcut };
