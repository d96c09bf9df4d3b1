/**
 * Detour's own path corridor (npm recast-navigation), on the same polygons as ours.
 *
 * The library has no binding for it, except in the agents of a crowd. So a crowd of one agent without acceleration is
 * loaded with a corridor, updated by 0 seconds, and read back: the update finds corners, takes shortcuts, crosses a
 * link, repairs the start, and moves the position to where the test has put the agent. The corridor is written to and
 * read from the record in the library's memory: position, target, refs, count, capacity.
 */
import { Raw } from 'recast-navigation';
import { expect } from 'vitest';
import type { NavMesh } from '../../src/mesh/types.ts';
import type { Corridor } from '../../src/query/path/corridor.ts';
import { linkRefs, refsOf } from './detour-import.ts';
import type { DetourTwin } from './detour-import.ts';
import type { Point } from './detour.ts';

/** The capacity of a crowd's corridors. */
const MAX_PATH = 256;
/** A radius of agents, and a time, that no link exceeds. */
const REACH = 100;
const TARGET_VALID = 2;
const STATE_WALKING = 1;
const OPTIMIZE_VISIBILITY = 8;
const OPTIMIZE_TOPOLOGY = 16;
/** `DT_STRAIGHTPATH_OFFMESH_CONNECTION`. */
const DETOUR_LINK = 4;

export interface DetourCorridor {
  /** The refs of the corridor, with those of off-mesh connections. */
  refs: number[];
  position: Point;
  target: Point;
}

export interface DetourCorner {
  point: Point;
  /** Whether the path enters an off-mesh connection there. */
  isLink: boolean;
}

export interface CorridorTwin {
  /** Returns Detour's refs for a corridor of ours: those of off-mesh connections are inserted. */
  refsOf: (corridor: Corridor) => number[];
  load: (corridor: DetourCorridor) => boolean;
  read: () => DetourCorridor;
  corners: () => DetourCorner[];
  move: (point: Point) => void;
  optimizeVisibility: (range: number) => void;
  optimizeTopology: () => void;
  /** Moves over the link that is the last corner. Returns whether Detour did. */
  crossLink: () => boolean;
  /** Returns whether Detour replaces the path, since one of its first ten polygons is closed. Loses the corridor. */
  needsPath: () => boolean;
  destroy: () => void;
}

interface Heap {
  HEAPF32: Float32Array;
  HEAPU32: Uint32Array;
}

export function createCorridorTwin(mesh: NavMesh, twin: DetourTwin): CorridorTwin {
  const heap = Raw.Module as unknown as Heap;
  const crowd = new Raw.Module.dtCrowd();
  expect(crowd.init(1, REACH, twin.detour.raw.getNavMesh())).toBe(true);
  const params = new Raw.Module.dtCrowdAgentParams();
  params.radius = 0;
  params.height = 1;
  params.maxAcceleration = 0;
  params.maxSpeed = 1;
  params.collisionQueryRange = 1;
  params.pathOptimizationRange = 10;
  params.updateFlags = 0;
  const first = mesh.edgeVertex[mesh.polyEdgeStart[0]];
  expect(crowd.addAgent(Array.from(mesh.vertices.subarray(3 * first, 3 * first + 3)), params)).toBe(0);
  const agent = crowd.getEditableAgent(0);
  const debug = new Raw.Module.dtCrowdAgentDebugInfo();
  debug.idx = -1;
  const at = Raw.Module.getPointer(agent.corridor) >> 2;
  const links = linkRefs(mesh, twin);
  const update = (flags: number): void => {
    agent.params.updateFlags = flags;
    crowd.update(0, debug);
    agent.params.updateFlags = 0;
  };
  const floats = (from: number): Point => Array.from(heap.HEAPF32.subarray(from, from + 3)) as Point;
  const corners = (): DetourCorner[] =>
    Array.from({ length: agent.ncorners }, (_, i) => ({
      point: [0, 1, 2].map((k) => agent.get_cornerVerts(3 * i + k)) as Point,
      isLink: (agent.get_cornerFlags(i) & DETOUR_LINK) !== 0,
    }));
  return {
    refsOf: (corridor) => refsOf(corridor, twin, links),
    load: ({ refs, position, target }) => {
      if (refs.length > MAX_PATH || refs.includes(0)) return false;
      heap.HEAPF32.set(position, at);
      heap.HEAPF32.set(target, at + 3);
      heap.HEAPU32.set(refs, heap.HEAPU32[at + 6] >> 2);
      heap.HEAPU32[at + 7] = refs.length;
      agent.state = STATE_WALKING;
      agent.targetState = TARGET_VALID;
      agent.targetRef = refs.at(-1)!;
      agent.targetReplan = false;
      agent.targetReplanTime = 0;
      agent.topologyOptTime = 0;
      for (let k = 0; k < 3; k++) {
        agent.set_npos(k, position[k]);
        agent.set_targetPos(k, target[k]);
        agent.set_vel(k, 0);
      }
      return true;
    },
    read: () => {
      const refs = heap.HEAPU32[at + 6] >> 2;
      const count = heap.HEAPU32[at + 7];
      return {
        refs: Array.from(heap.HEAPU32.subarray(refs, refs + count)),
        position: floats(at),
        target: floats(at + 3),
      };
    },
    corners: () => {
      update(0);
      return corners();
    },
    move: (point) => {
      for (let k = 0; k < 3; k++) agent.set_npos(k, point[k]);
      update(0);
    },
    optimizeVisibility: (range) => {
      agent.params.pathOptimizationRange = range;
      update(OPTIMIZE_VISIBILITY);
    },
    optimizeTopology: () => {
      agent.topologyOptTime = 1;
      update(OPTIMIZE_TOPOLOGY);
    },
    crossLink: () => {
      agent.params.radius = REACH;
      update(0);
      agent.params.radius = 0;
      if (agent.state === STATE_WALKING) return false;
      // Ends the agent's animation, which leaves the corridor alone.
      crowd.update(REACH * REACH, debug);
      return true;
    },
    needsPath: () => {
      update(0);
      return agent.targetReplan;
    },
    destroy: () => {
      crowd.removeAgent(0);
      for (const one of [debug, params, crowd]) Raw.destroy(one);
    },
  };
}
