/**
 * Finds what lies under the pointer: the navigation mesh or the level. Builds its hierarchies on first use.
 */
import { navMeshTriangles } from 'navkiln/debug';
import { BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Ray as ThreeRay, Vector3 } from 'three';
import type { Side } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { LevelData, StudioState, Vec3 } from '../state/state.ts';
import type { Ray } from './view.ts';

export interface Hit {
  on: 'ground' | 'level' | 'plane';
  /** World units. */
  point: Vec3;
  distance: number;
  /** Triangle of the level, or -1. */
  triangle: number;
  /** Dense index of the polygon, or -1. */
  poly: number;
}

export interface Picking {
  /** Returns the nearest hit; where mesh and level coincide, that on the mesh. undefined: nothing is hit. */
  pick: (state: StudioState, ray: Ray) => Hit | undefined;
  pickLevel: (state: StudioState, ray: Ray) => Hit | undefined;
  pickGround: (state: StudioState, ray: Ray) => Hit | undefined;
  /** Returns the hierarchy over the triangles of the level. */
  levelTree: (state: StudioState) => Tree | undefined;
}

export interface Tree {
  of: object;
  bvh: MeshBVH;
  polys: Int32Array | undefined;
  /** Its coordinates are relative to this point. */
  origin: Vec3;
}

export function createPicking(): Picking {
  let levelTree: Tree | undefined;
  let groundTree: Tree | undefined;

  const levelOf = ({ level }: StudioState): Tree | undefined => {
    if (level === undefined) return undefined;
    if (levelTree?.of === level) return levelTree;
    const bvh = treeOf(level.display, level.indices, level.tree);
    return (levelTree = { of: level, bvh, polys: undefined, origin: level.origin });
  };
  const groundOf = (state: StudioState): Tree | undefined => {
    const { mesh } = state;
    if (mesh === undefined) return undefined;
    if (groundTree?.of === mesh) return groundTree;
    const geometry = navMeshTriangles(mesh.navMesh, { lift: 0 });
    const { positions, indices, polys } = geometry;
    if (indices!.length === 0) return undefined;
    const bvh = treeOf(positions, indices!, mesh.tree);
    return (groundTree = { of: mesh, bvh, polys, origin: geometry.origin as Vec3 });
  };
  const cast = (
    tree: Tree | undefined,
    state: StudioState,
    ray: Ray,
    on: Hit['on'],
    side: Side = DoubleSide,
  ): Hit | undefined => {
    if (tree === undefined) return undefined;
    const { origin } = tree;
    const start = belowCut(ray, state.cut);
    const local = new ThreeRay(
      new Vector3(start[0] - origin[0], start[1] - origin[1], start[2] - origin[2]),
      new Vector3(...ray.direction),
    );
    const hidden = hiddenOf(state, on, tree);
    let found = tree.bvh.raycastFirst(local, side) ?? undefined;
    // Transparent triangles are only hit where nothing is behind them.
    if (found !== undefined && hidden(found.faceIndex ?? -1)) {
      const others = tree.bvh.raycast(local, side).filter(({ faceIndex }) => !hidden(faceIndex ?? -1));
      found = others.sort((a, b) => a.distance - b.distance)[0] ?? found;
    }
    if (found === undefined) return undefined;
    const triangle = found.faceIndex ?? -1;
    const { x, y, z } = found.point;
    return {
      on,
      point: [x + origin[0], y + origin[1], z + origin[2]],
      distance: found.distance,
      triangle: on === 'level' ? triangle : -1,
      poly: tree.polys?.[triangle] ?? -1,
    };
  };
  // Triangles that turn their back to the camera are transparent, unless there is nothing else.
  const pickLevel: Picking['pickLevel'] = (state, ray) =>
    cast(levelOf(state), state, ray, 'level', FrontSide) ?? cast(levelOf(state), state, ray, 'level');
  const pickGround: Picking['pickGround'] = (state, ray) => cast(groundOf(state), state, ray, 'ground');
  return {
    levelTree: levelOf,
    pickLevel,
    pickGround,
    pick(state, ray) {
      const ground = pickGround(state, ray);
      const isFlat = state.map !== undefined && state.map.levels === undefined;
      const level = pickLevel(state, ray) ?? (isFlat ? pickPlane(ray) : undefined);
      if (ground === undefined || level === undefined) return ground ?? level;
      // The mesh lies up to a climb height above or below the floor that it was baked from.
      const slack = (state.mesh?.navMesh.agent.maxClimb ?? 0) + 2 * (state.mesh?.navMesh.cellHeight ?? 0) + 0.05;
      const steepness = Math.max(0.15, Math.abs(ray.direction[1]));
      return ground.distance <= level.distance + slack / steepness ? ground : level;
    },
  };
}

/** Returns a function that tells whether a triangle belongs to the shell of the building. */
function hiddenOf({ shell, level, mesh }: StudioState, on: Hit['on'], { polys }: Tree): (triangle: number) => boolean {
  if (shell === undefined) return () => false;
  if (on === 'level') return (triangle) => shell.level === level?.id && shell.triangles[triangle] === 1;
  return (triangle) => shell.mesh === mesh?.id && shell.polys[polys?.[triangle] ?? -1] === 1;
}

/** Returns the point at which a ray goes below the cut. Everything before that point is hidden. */
function belowCut({ origin, direction }: Ray, cut: number | undefined): Vec3 {
  if (cut === undefined || origin[1] <= cut || direction[1] >= 0) return origin;
  const distance = (cut - origin[1]) / direction[1];
  return [origin[0] + distance * direction[0], cut, origin[2] + distance * direction[2]];
}

/** Picks the plane y = 0, in which 2D maps lie. */
function pickPlane({ origin, direction }: Ray): Hit | undefined {
  const distance = -origin[1] / direction[1];
  if (!(distance > 0) || !Number.isFinite(distance)) return undefined;
  const point: Vec3 = [origin[0] + distance * direction[0], 0, origin[2] + distance * direction[2]];
  return { on: 'plane', point, distance, triangle: -1, poly: -1 };
}

/** Returns the hierarchy that the worker has built, or builds it. */
function treeOf(positions: Float32Array, indices: Uint32Array, built: LevelData['tree']): MeshBVH {
  const geometry = geometryOf(positions, indices);
  return built === undefined
    ? new MeshBVH(geometry, { indirect: true })
    : MeshBVH.deserialize({ ...built, index: indices }, geometry, { setIndex: false });
}

function geometryOf(positions: Float32Array, indices: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}
