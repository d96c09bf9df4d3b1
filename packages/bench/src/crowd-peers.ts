/**
 * The crowds of npm recast-navigation (DetourCrowd in wasm) and npm navcat (TypeScript) as drivers of crowd
 * scenes, with the same level, voxel sizes, agents, orders, time step and measurements as navkiln's.
 *
 * Settings follow their documentation: recast without separation (RecastDemo) and with neighbors within five
 * radii (its default), navcat with separation and neighbors within twelve radii. With the other choices fewer
 * agents arrive: navcat's never start to pass each other on the circle; recast's walk through each other,
 * because it considers the first 32 neighbors it finds. Recast gets navkiln's mesh through a .bin file, which
 * has the same polygons as its own; navcat bakes. Neither can follow agents, so targets are set four times a
 * second. Neither knows arrival, capacities of links, or a hash of its state.
 */
import { Crowd as RecastCrowd, UnsignedCharArray, importNavMesh } from 'recast-navigation';
import {
  DEFAULT_QUERY_FILTER,
  OffMeshConnectionDirection,
  addOffMeshConnection,
  addTile,
  createFindNearestPolyResult,
  findNearestPoly,
  removeTile,
} from 'navcat';
import type { NavMesh as NavcatMesh } from 'navcat';
import { crowd as navcatCrowd, generateTiledNavMesh } from 'navcat/blocks';
import { resolveBake } from 'navkiln/build';
import type { BakeConfig } from 'navkiln/build';
import { crowdRuns } from 'navkiln/debug';
import type { CrowdDriver, CrowdSetup, CrowdWorld } from 'navkiln/debug';
import { writeDetourBin } from 'navkiln/io';
import { bakeWithNavcat } from './navcat.ts';

export interface PeerDriver extends CrowdDriver {
  destroy(): void;
}

const FOLLOW_TICKS = 15;
const MAX_TILES = 1 << 10;
const MAX_POLYS = 1 << 11;
const SET_HEADER_BYTES = 40;
const RECAST_STEERING = 27;
const NAVCAT_STEERING = 31;
/** Anticipate turns and optimize paths. Obstacle avoidance and separation are separate. */
const GHOST_STEERING = 25;
const GHOST_RADIUS = 0.05;

/** Creates a record of which agent follows which, and sends the move requests of followers. */
function createFollowers(moveTo: (index: number, target: number) => void): {
  targets: Map<number, number>;
  tick: () => void;
} {
  const targets = new Map<number, number>();
  let ticks = 0;
  return {
    targets,
    tick: () => {
      if (ticks++ % FOLLOW_TICKS === 0) for (const [index, target] of targets) moveTo(index, target);
    },
  };
}

type Agent = ReturnType<RecastCrowd['addAgent']>;

/** Creates a driver for recast-navigation's crowd. `reach`: search distance for neighbors, in radii. */
export function createRecastDriver({ mesh, setup }: CrowdWorld, stepSeconds: number, reach: number = 5): PeerDriver {
  const { navMesh } = importNavMesh(writeDetourBin(mesh, { maxTiles: MAX_TILES, maxPolys: MAX_POLYS }).bytes);
  const crowd = new RecastCrowd(navMesh, {
    maxAgents: setup.agents.length,
    maxAgentRadius: Math.max(...setup.agents.map((agent) => agent.radius)),
  });
  const agents: (Agent | undefined)[] = [];
  const followers = createFollowers((index, target) => {
    const to = agents[target]?.position();
    if (to) agents[index]?.requestMoveTarget(to);
  });
  return {
    knowsRest: false,
    add({ position: [x, y, z], radius: given, height, maxSpeed, maxAcceleration, ghost = false }, index) {
      const radius = ghost ? GHOST_RADIUS : given;
      const agent = crowd.addAgent(
        { x, y, z },
        {
          radius,
          height,
          maxSpeed,
          maxAcceleration,
          collisionQueryRange: reach * radius,
          pathOptimizationRange: 30 * radius,
          separationWeight: 2,
          updateFlags: ghost ? GHOST_STEERING : RECAST_STEERING,
        },
      );
      agents[index] = agent.agentIndex >= 0 && agent.state() === 1 ? agent : undefined;
      return agents[index] !== undefined;
    },
    moveTo(index, [x, y, z]) {
      followers.targets.delete(index);
      agents[index]?.requestMoveTarget({ x, y, z });
    },
    follow(index, target) {
      followers.targets.set(index, target);
    },
    stop(index) {
      followers.targets.delete(index);
      agents[index]?.resetMoveTarget();
    },
    remove(index) {
      followers.targets.delete(index);
      if (agents[index]) crowd.removeAgent(agents[index]);
      agents[index] = undefined;
    },
    setTile(x, z) {
      // The mesh already has the new tile: its bytes are cut from the file of the whole mesh.
      const old = navMesh.getTileRefAt(x, z, 0);
      if (old) navMesh.removeTile(old);
      const blob = tileBlob(writeDetourBin(mesh, { maxTiles: MAX_TILES, maxPolys: MAX_POLYS }).bytes, x, z);
      if (!blob) return;
      const data = new UnsignedCharArray();
      data.copy(blob);
      // 1: the mesh frees the data.
      navMesh.addTile(data, 1, 0);
    },
    step() {
      followers.tick();
      crowd.update(stepSeconds);
    },
    read({ position, state }) {
      agents.forEach((agent, i) => {
        if (!agent) {
          state[i] = crowdRuns.BODY_GONE;
          return;
        }
        const { x, y, z } = agent.position();
        position[3 * i] = x;
        position[3 * i + 1] = y;
        position[3 * i + 2] = z;
        state[i] = agent.state() === 2 ? crowdRuns.BODY_ON_LINK : crowdRuns.BODY_MOVING;
      });
    },
    searches: () => NaN,
    hash: () => '',
    destroy() {
      crowd.destroy();
      navMesh.destroy();
    },
  };
}

/** Returns a copy of the data of the tile at (x, z) in a .bin file. */
function tileBlob(bytes: Uint8Array, x: number, z: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Set header: magic, version, count, parameters (28 bytes). Tile: ref, size, data, which starts with magic,
  // version, x, y.
  for (let at = SET_HEADER_BYTES, left = view.getInt32(8, true); left > 0; left--) {
    const size = view.getInt32(at + 4, true);
    if (view.getInt32(at + 16, true) === x && view.getInt32(at + 20, true) === z)
      return bytes.slice(at + 8, at + 8 + size);
    at += 8 + size;
  }
  return undefined;
}

function bakeTiledWithNavcat(level: CrowdSetup['level'], config: BakeConfig): NavcatMesh {
  const { cellSize, tileCells } = config;
  return generateTiledNavMesh(
    { positions: level.positions, indices: level.indices! },
    {
      cellSize,
      cellHeight: config.cellHeight,
      tileSizeVoxels: tileCells,
      tileSizeWorld: tileCells * cellSize,
      walkableRadiusVoxels: config.walkableRadiusCells,
      walkableRadiusWorld: config.agent.radius,
      walkableClimbVoxels: config.walkableClimbCells,
      walkableClimbWorld: config.agent.maxClimb,
      walkableHeightVoxels: config.walkableHeightCells,
      walkableHeightWorld: config.agent.height,
      walkableSlopeAngleDegrees: config.maxSlopeDegrees,
      borderSize: config.borderCells,
      minRegionArea: config.regionMinAreaCells,
      mergeRegionArea: config.regionMergeAreaCells,
      maxSimplificationError: config.maxEdgeErrorCells,
      maxEdgeLength: config.maxEdgeLengthCells,
      maxVerticesPerPoly: config.maxVerticesPerPoly,
      detailSampleDistance: config.detailSampleDistance,
      detailSampleMaxError: config.detailMaxError,
    },
  ).navMesh;
}

export function createNavcatDriver({ setup }: CrowdWorld, stepSeconds: number): PeerDriver {
  const { level, options, links = [], variants = [] } = setup;
  const config = resolveBake(level, options);
  const isTiled = config.tileCells > 0;
  const levels = [level, ...variants];
  const meshes = isTiled ? levels.map((state) => bakeTiledWithNavcat(state, config)) : [];
  const navMesh = isTiled
    ? bakeTiledWithNavcat(level, config)
    : bakeWithNavcat(level.positions as Float32Array, level.indices as Uint32Array, config).navMesh;
  for (const { start, end, bothWays, radius } of links) {
    addOffMeshConnection(navMesh, {
      start: [...start],
      end: [...end],
      radius,
      flags: 1,
      area: 1,
      direction: bothWays ? OffMeshConnectionDirection.BIDIRECTIONAL : OffMeshConnectionDirection.START_TO_END,
    });
  }
  const crowd = navcatCrowd.create(Math.max(...setup.agents.map((agent) => agent.radius)));
  const ids: (string | undefined)[] = [];
  const nearest = createFindNearestPolyResult();
  const halfExtents: [number, number, number] = [1, 1, 1];
  const send = (index: number, point: readonly number[]): void => {
    const id = ids[index];
    if (id === undefined) return;
    findNearestPoly(nearest, navMesh, [point[0], point[1], point[2]], halfExtents, DEFAULT_QUERY_FILTER);
    if (nearest.success) navcatCrowd.requestMoveTarget(crowd, id, nearest.nodeRef, nearest.position);
  };
  const followers = createFollowers((index, target) => {
    const id = ids[target];
    if (id !== undefined) send(index, crowd.agents[id].position);
  });
  return {
    knowsRest: false,
    add({ position: [x, y, z], radius: given, height, maxSpeed, maxAcceleration, ghost = false }, index) {
      const radius = ghost ? GHOST_RADIUS : given;
      findNearestPoly(nearest, navMesh, [x, y, z], halfExtents, DEFAULT_QUERY_FILTER);
      if (!nearest.success) return false;
      // The crowd keeps the array it is given.
      ids[index] = navcatCrowd.addAgent(crowd, navMesh, [x, y, z], {
        radius,
        height,
        maxSpeed,
        maxAcceleration,
        collisionQueryRange: 12 * radius,
        pathOptimizationRange: 30 * radius,
        separationWeight: 0.5,
        updateFlags: ghost ? GHOST_STEERING : NAVCAT_STEERING,
        queryFilter: DEFAULT_QUERY_FILTER,
      });
      return true;
    },
    moveTo(index, point) {
      followers.targets.delete(index);
      send(index, point);
    },
    follow(index, target) {
      followers.targets.set(index, target);
    },
    stop(index) {
      followers.targets.delete(index);
      if (ids[index] !== undefined) navcatCrowd.resetMoveTarget(crowd, ids[index]);
    },
    remove(index) {
      followers.targets.delete(index);
      if (ids[index] !== undefined) navcatCrowd.removeAgent(crowd, ids[index]);
      ids[index] = undefined;
    },
    setTile(x, z, _tile, variant) {
      removeTile(navMesh, x, z, 0);
      const from = Object.values(meshes[variant].tiles).find((tile) => tile.tileX === x && tile.tileY === z);
      if (from) addTile(navMesh, { ...structuredClone(from), polyNodes: [] });
    },
    step() {
      followers.tick();
      navcatCrowd.update(crowd, navMesh, stepSeconds);
    },
    read({ position, state }) {
      ids.forEach((id, i) => {
        const agent = id === undefined ? undefined : crowd.agents[id];
        if (!agent) {
          state[i] = crowdRuns.BODY_GONE;
          return;
        }
        for (let k = 0; k < 3; k++) position[3 * i + k] = agent.position[k];
        state[i] = agent.offMeshAnimation ? crowdRuns.BODY_ON_LINK : crowdRuns.BODY_MOVING;
      });
    },
    searches: () => NaN,
    hash: () => '',
    distanceToGround(index) {
      const id = ids[index];
      if (id === undefined) return 0;
      const { position } = crowd.agents[id];
      findNearestPoly(nearest, navMesh, position, halfExtents, DEFAULT_QUERY_FILTER);
      if (!nearest.success) return halfExtents[0];
      const dx = nearest.position[0] - position[0];
      const dz = nearest.position[2] - position[2];
      return Math.sqrt(dx * dx + dz * dz);
    },
    destroy() {},
  };
}
