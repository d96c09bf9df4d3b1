/**
 * Overlays: what agents know, drawn on the surface. They show the corridor, the next corners, neighbors,
 * walls, the desired and the chosen velocity, and the constraints of avoidanceScene. Kinds also differ in shape:
 * fill, wide line, thin line, dashes.
 */
import { CORNER_KINDS } from 'navkiln/corridor';
import { getAgentPath } from 'navkiln/crowd';
import type { Crowd } from 'navkiln/crowd';
import { AGENT_ROWS, AGENT_STATES, avoidance, refs } from 'navkiln/kernel';
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial } from 'three';
import type { Object3D } from 'three';
import type { Vec3 } from '../../state/state.ts';
import type { Palette } from '../../view/palette.ts';
import { createStrokes } from './strokes.ts';
import type { Strokes } from './strokes.ts';

export interface OverlayKind {
  id: 'path' | 'corridor' | 'corners' | 'neighbors' | 'avoidanceScene' | 'walls';
  title: string;
  help: string;
}

export const OVERLAYS: readonly OverlayKind[] = [
  { id: 'path', title: 'Path', help: 'Its whole path, from where it is to the end.' },
  { id: 'corridor', title: 'Corridor', help: 'The polygons of its path, filled.' },
  { id: 'corners', title: 'Corners', help: 'The next corners of its path as a wide line, and its goal as a cross.' },
  { id: 'neighbors', title: 'Neighbors', help: 'The agents that it avoids: thin lines.' },
  {
    id: 'avoidanceScene',
    title: 'Avoidance',
    help: 'The desired velocity (dashes) and the chosen one (arrow), one second ahead. Bars are constraints.',
  },
  { id: 'walls', title: 'Walls', help: 'The walls that it avoids: the widest lines.' },
];

export type OverlayId = OverlayKind['id'];

export interface Overlays {
  object: Object3D;
  /** Draws the overlays in `shown` for these slots, and a ring around the slot `selected` (-1: none). */
  show: (crowd: Crowd, origin: Vec3, slots: readonly number[], selected: number, shown: ReadonlySet<OverlayId>) => void;
  /** Returns the number of lines of each kind, and of triangles of the corridor. */
  counts: () => Record<OverlayId | 'ring', number>;
  setPalette: (palette: Palette) => void;
}

/** Height of lines above the surface, world units. */
const LIFT = 0.07;
const RING_SIDES = 20;
const MAX_CORRIDOR = 512;
/** Velocities are drawn as the movement of this many seconds. */
const AHEAD = 1;
/** Half the length of a constraint bar, world units. */
const BAR = 0.4;

export function createOverlays(palette: Palette): Overlays {
  const object = new Group();
  const strokes = {
    path: createStrokes({ color: palette.start, width: 3, order: 2 }),
    corners: createStrokes({ color: palette.path, width: 4, order: 3 }),
    neighbors: createStrokes({ color: palette.halo, width: 1.6, order: 2 }),
    walls: createStrokes({ color: '#d62728', width: 6, order: 1 }),
    bounds: createStrokes({ color: '#111418', width: 1.3, order: 4 }),
    desired: createStrokes({ color: '#111418', width: 2.5, isDashed: true, order: 5 }),
    chosen: createStrokes({ color: '#0b3d91', width: 4, order: 6 }),
    ring: createStrokes({ color: palette.path, width: 3.5, order: 7 }),
  };
  for (const kind of Object.values(strokes)) object.add(kind.object);
  const fill = createFill(palette);
  object.add(fill.mesh);
  return {
    object,
    show(crowd, origin, slots, selected, shown) {
      for (const kind of Object.values(strokes)) kind.begin();
      if (shown.has('path')) for (const slot of slots) addPath(strokes.path, crowd, slot, origin);
      if (shown.has('corners')) for (const slot of slots) addCorners(strokes.corners, crowd, slot, origin);
      if (shown.has('neighbors')) for (const slot of slots) addNeighbors(strokes.neighbors, crowd, slot, origin);
      if (shown.has('walls')) for (const slot of slots) addWalls(strokes.walls, crowd, slot, origin);
      if (shown.has('avoidanceScene')) {
        for (const slot of slots) {
          addVelocity(strokes.desired, crowd, slot, crowd.agents.desired, origin, false);
          addVelocity(strokes.chosen, crowd, slot, crowd.agents.chosen, origin, true);
        }
        if (selected >= 0) addBounds(strokes.bounds, crowd, selected, origin);
      }
      if (selected >= 0) addRing(strokes.ring, crowd, selected, origin);
      for (const kind of Object.values(strokes)) kind.end();
      fill.show(crowd, shown.has('corridor') ? selected : -1, origin);
    },
    counts: () => ({
      path: strokes.path.count,
      corridor: fill.triangles(),
      corners: strokes.corners.count,
      neighbors: strokes.neighbors.count,
      walls: strokes.walls.count,
      avoidanceScene: strokes.desired.count + strokes.chosen.count + strokes.bounds.count,
      ring: strokes.ring.count,
    }),
    setPalette(next) {
      strokes.path.setColor(next.start);
      strokes.corners.setColor(next.path);
      strokes.ring.setColor(next.path);
      strokes.neighbors.setColor(next.halo);
      fill.setColor(next.wall);
    },
  };
}

function addPath(out: Strokes, crowd: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const points = getAgentPath(crowd, refs.agentIdOf(crowd, slot))?.points ?? [];
  for (let i = 1; i < points.length; i++) {
    const [[ax, ay, az], [bx, by, bz]] = [points[i - 1], points[i]];
    out.add(ax - ox, ay - oy + LIFT, az - oz, bx - ox, by - oy + LIFT, bz - oz);
  }
}

function addCorners(out: Strokes, { agents }: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const { corners, cornerKind, position, goal } = agents;
  if (cornerKind[slot] === 0) return;
  const [p, c] = [3 * slot, 6 * slot];
  let [x, y, z] = [position[p] - ox, position[p + 1] - oy + LIFT, position[p + 2] - oz];
  for (const k of cornerKind[slot] === CORNER_KINDS.goal ? [c] : [c, c + 3]) {
    const [nx, ny, nz] = [corners[k] - ox, corners[k + 1] - oy + LIFT, corners[k + 2] - oz];
    out.add(x, y, z, nx, ny, nz);
    [x, y, z] = [nx, ny, nz];
  }
  const [gx, gy, gz] = [goal[p] - ox, goal[p + 1] - oy + LIFT, goal[p + 2] - oz];
  for (const side of [-0.3, 0.3]) out.add(gx - 0.3, gy, gz - side, gx + 0.3, gy, gz + side);
}

function addNeighbors(out: Strokes, { agents }: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const { neighbors, neighborCount, position, height } = agents;
  const lift = height[slot] / 2;
  for (let n = AGENT_ROWS.neighbors * slot; n < AGENT_ROWS.neighbors * slot + neighborCount[slot]; n++) {
    const [a, b] = [3 * slot, 3 * neighbors[n]];
    out.add(
      position[a] - ox,
      position[a + 1] - oy + lift,
      position[a + 2] - oz,
      position[b] - ox,
      position[b + 1] - oy + lift,
      position[b + 2] - oz,
    );
  }
}

function addWalls(out: Strokes, { agents }: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const { walls, wallCount, position } = agents;
  const y = position[3 * slot + 1] - oy + LIFT;
  for (let w = 0; w < wallCount[slot]; w++) {
    const k = 4 * (AGENT_ROWS.walls * slot + w);
    out.add(walls[k] - ox, y, walls[k + 1] - oz, walls[k + 2] - ox, y, walls[k + 3] - oz);
  }
}

function addVelocity(
  out: Strokes,
  { agents }: Crowd,
  slot: number,
  from: Float64Array,
  [ox, oy, oz]: Vec3,
  isArrow: boolean,
): void {
  const { position, height } = agents;
  const [vx, vz] = [AHEAD * from[2 * slot], AHEAD * from[2 * slot + 1]];
  if (vx * vx + vz * vz < 1e-4) return;
  const x = position[3 * slot] - ox;
  const y = position[3 * slot + 1] - oy + height[slot] / 2;
  const z = position[3 * slot + 2] - oz;
  out.add(x, y, z, x + vx, y, z + vz);
  if (!isArrow) return;
  for (const side of [-0.16, 0.16]) {
    out.add(x + vx, y, z + vz, x + 0.75 * vx - side * vz, y, z + 0.75 * vz + side * vx);
  }
}

const avoidanceScene = avoidance.createAvoidanceScene(AGENT_ROWS.neighbors, AGENT_ROWS.walls);
const chosenVelocity = new Float64Array(2);

/**
 * Draws the half-planes of allowed velocities: a bar along the border of each, with a short line towards the
 * allowed side. It assumes equal priority and patience of both agents, whereas the crowd weights them.
 */
function addBounds(out: Strokes, crowd: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const { agents } = crowd;
  if (agents.state[slot] !== AGENT_STATES.ground || agents.neighborCount[slot] === 0) return;
  const { position, velocity, desired, radius } = agents;
  avoidanceScene.self.set([
    velocity[2 * slot],
    velocity[2 * slot + 1],
    desired[2 * slot],
    desired[2 * slot + 1],
    radius[slot],
    agents.maxSpeed[slot],
    agents.horizon[slot],
    0.3,
    crowd.stepSeconds,
    crowd.passingSide,
  ]);
  avoidanceScene.wallCount = 0;
  avoidanceScene.neighborCount = agents.neighborCount[slot];
  for (let n = 0; n < avoidanceScene.neighborCount; n++) {
    const other = agents.neighbors[AGENT_ROWS.neighbors * slot + n];
    avoidanceScene.neighbors.set(
      [
        position[3 * other] - position[3 * slot],
        position[3 * other + 2] - position[3 * slot + 2],
        velocity[2 * other],
        velocity[2 * other + 1],
        radius[other],
        agents.restTick[other] >= 0 ? 1 : 0.5,
      ],
      6 * n,
    );
  }
  avoidanceScene.lines.fill(0);
  avoidance.avoidByOrca(chosenVelocity, avoidanceScene);
  const y = position[3 * slot + 1] - oy + agents.height[slot] / 2;
  const max = agents.maxSpeed[slot];
  for (let n = 0; n < avoidanceScene.neighborCount; n++) {
    const [nx, nz, c] = [avoidanceScene.lines[4 * n], avoidanceScene.lines[4 * n + 1], avoidanceScene.lines[4 * n + 2]];
    const size = Math.hypot(nx, nz);
    // A border beyond the maximum speed constrains nothing.
    if (size === 0 || Math.abs(c / size) > 1.2 * max) continue;
    const [ux, uz] = [nx / size, nz / size];
    const x = position[3 * slot] - ox + (AHEAD * ux * c) / size;
    const z = position[3 * slot + 2] - oz + (AHEAD * uz * c) / size;
    out.add(x - BAR * uz, y, z + BAR * ux, x + BAR * uz, y, z - BAR * ux);
    out.add(x, y, z, x + 0.15 * ux, y, z + 0.15 * uz);
  }
}

function addRing(out: Strokes, { agents }: Crowd, slot: number, [ox, oy, oz]: Vec3): void {
  const { position, radius } = agents;
  const [x, y, z] = [position[3 * slot] - ox, position[3 * slot + 1] - oy + LIFT, position[3 * slot + 2] - oz];
  const r = 1.35 * radius[slot] + 0.05;
  for (let side = 0; side < RING_SIDES; side++) {
    const [a, b] = [(2 * Math.PI * side) / RING_SIDES, (2 * Math.PI * (side + 1)) / RING_SIDES];
    out.add(x + r * Math.cos(a), y, z + r * Math.sin(a), x + r * Math.cos(b), y, z + r * Math.sin(b));
  }
}

interface Fill {
  mesh: Mesh;
  show: (crowd: Crowd, slot: number, origin: Vec3) => void;
  triangles: () => number;
  setColor: (color: string) => void;
}

/** Draws the polygons of a corridor as translucent triangle fans. */
function createFill(palette: Palette): Fill {
  const positions = new Float32Array(9 * 10 * MAX_CORRIDOR);
  const geometry = new BufferGeometry();
  const attribute = new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage);
  geometry.setAttribute('position', attribute);
  const material = new MeshBasicMaterial({
    color: palette.wall,
    transparent: true,
    opacity: 0.4,
    depthWrite: false,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -6,
    polygonOffsetUnits: -24,
  });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.renderOrder = 10;
  let shown = '';
  let count = 0;
  return {
    mesh,
    triangles: () => count / 3,
    show(crowd, slot, origin) {
      const path = crowd.corridors[slot];
      // Between a change of the mesh and the next tick, the corridor still has the old polygon indices.
      const isCurrent =
        path !== undefined && path.revision === crowd.mesh.revision && crowd.agents.state[slot] === AGENT_STATES.ground;
      mesh.visible = isCurrent;
      if (!isCurrent) {
        shown = '';
        count = 0;
        return;
      }
      const { corridor } = path;
      const polys = Math.min(corridor.count, MAX_CORRIDOR);
      const key = `${slot} ${crowd.mesh.revision} ${corridor.polys[0]} ${polys} ${corridor.polys[polys - 1]}`;
      if (key === shown) return;
      shown = key;
      count = 0;
      const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = crowd.mesh;
      const put = (vertex: number): void => {
        for (let k = 0; k < 3; k++) {
          positions[3 * count + k] = vertices[3 * vertex + k] - origin[k as 0] + (k === 1 ? LIFT / 2 : 0);
        }
        count++;
      };
      for (let i = 0; i < polys; i++) {
        const first = polyEdgeStart[corridor.polys[i]];
        const corners = polyVertexCount[corridor.polys[i]];
        for (let k = 1; k < corners - 1 && 3 * (count + 3) <= positions.length; k++) {
          put(edgeVertex[first]);
          put(edgeVertex[first + k]);
          put(edgeVertex[first + k + 1]);
        }
      }
      attribute.needsUpdate = true;
      geometry.setDrawRange(0, count);
    },
    setColor: (color) => void material.color.set(color),
  };
}
