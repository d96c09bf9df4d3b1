/**
 * Draws all agents in two draw calls: bodies as one instanced mesh, whose matrices are written from the
 * crowd's arrays in each frame, and signs above them as points.
 *
 * A body has the radius and height of its agent, and its legs swing with the distance that it walks. Large crowds get simpler bodies. When many agents are only a
 * few pixels high, arrows are drawn instead (flock.ts), because software rendering and old tablets are slow
 * with instances.
 */
import type { Crowd } from 'navkiln/crowd';
import { Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedMesh } from 'three';
import type { BufferGeometry, MeshLambertMaterial, Object3D } from 'three';
import type { Vec3 } from '../../state/state.ts';
import { LOOKS, LOOK_NONE, lookOf } from '../looks.ts';
import { FRAME_STRIDE } from '../record.ts';
import type { CrowdFrame } from '../record.ts';
import { bodyGeometry, bodyMaterial } from './body-shape.ts';
import { createFlock } from './flock.ts';
import type { Flock } from './flock.ts';
import type { Pose } from './pose.ts';
import { createSigns } from './signs.ts';
import type { Signs } from './signs.ts';

export interface Bodies {
  object: Object3D;
  mesh: InstancedMesh;
  /** The slot of each instance. */
  slots: Int32Array;
  /** Number of bodies in the last frame. */
  count: number;
  /** Draws the crowd between its last two ticks: alpha 0 is the older one, 1 the newer one. */
  showCrowd: (crowd: Crowd, origin: Vec3, alpha: number) => void;
  /** Draws a recorded frame with the current radii and heights. */
  showFrame: (frame: CrowdFrame, crowd: Crowd, origin: Vec3) => void;
  setSigns: (areOn: boolean) => void;
  /** Gives agents clothes of several colors instead of that of their status. */
  setClothes: (colors: readonly string[]) => void;
  /** Sets the approximate height of a body of 1.8 m on the page, pixels. */
  setSize: (pixels: number) => void;
}

/** Above this number of agents, bodies are simpler. */
const MANY = 1500;
/** Arrows replace bodies of fewer pixels in crowds of more agents. */
const FEW = 400;
const SMALL = 9;
/** Numbers of an instance matrix. Its columns are right, up, forward and position. */
const MATRIX_SIZE = 16;
/** Size of agents that have been removed since a frame was recorded. */
const DEFAULT_RADIUS = 0.3;
const DEFAULT_HEIGHT = 1.8;

/** The state that the functions of this file share. */
interface BodyBuffers {
  bodies: Bodies;
  material: MeshLambertMaterial;
  /** Colors of the looks, r, g, b each. */
  colors: Float32Array;
  /** The look of each instance, to write only colors that change. */
  looks: Uint8Array;
  /** Colors of clothes, r, g, b each; empty: colors are those of looks. */
  clothes: Float32Array;
  gaits: Gaits;
  flock: Flock;
  signs: Signs;
  isFlock: boolean;
  pixels: number;
}

/** How each agent walks, by slot: where it was drawn last, the phase of its steps (radians), and how far its legs swing (0 to 1). */
interface Gaits {
  x: Float32Array;
  z: Float32Array;
  phase: Float32Array;
  swing: Float32Array;
}

/** Length of two steps, as a share of the height. */
const STRIDE = 0.8;
/** Farther than that, an agent has been moved and has not walked. World units. */
const JUMP = 1.5;
/** Share of the way to its new value that a swing goes in a frame. */
const EASING = 0.25;

/** Reused for each agent. */
const pose: Pose = { x: 0, y: 0, z: 0, headingX: 0, headingZ: 0, radius: 0, height: 0 };

export function createBodies(): Bodies {
  const object = new Group();
  const material = bodyMaterial();
  const bodies: Bodies = {
    object,
    mesh: createMesh(64, material),
    slots: new Int32Array(64),
    count: 0,
    showCrowd: (crowd, origin, alpha) => showCrowd(buffers, crowd, origin, alpha),
    showFrame: (frame, crowd, origin) => showFrame(buffers, frame, crowd, origin),
    setSize: (pixels) => void (buffers.pixels = pixels),
    setSigns: (areOn) => void (buffers.signs.points.visible = areOn),
    setClothes(colors) {
      if (3 * colors.length === buffers.clothes.length) return;
      buffers.clothes = new Float32Array(colors.flatMap((color) => new Color(color).toArray()));
      buffers.looks.fill(LOOK_NONE);
    },
  };
  const buffers: BodyBuffers = {
    bodies,
    material,
    colors: new Float32Array(LOOKS.flatMap(({ color }) => new Color(color).toArray())),
    looks: new Uint8Array(64).fill(LOOK_NONE),
    clothes: new Float32Array(0),
    gaits: createGaits(64),
    flock: createFlock(),
    signs: createSigns(),
    isFlock: false,
    pixels: 100,
  };
  object.add(bodies.mesh, buffers.flock.mesh, buffers.signs.points);
  return bodies;
}

function createMesh(size: number, material: MeshLambertMaterial): InstancedMesh {
  const mesh = new InstancedMesh(withGaits(bodyGeometry('full'), size), material, size);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * size), 3).setUsage(DynamicDrawUsage);
  mesh.castShadow = true;
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.count = 0;
  return mesh;
}

/** Gives a geometry the phase and the swing of each instance. */
function withGaits(geometry: BufferGeometry, size: number): BufferGeometry {
  const gaits = new InstancedBufferAttribute(new Float32Array(2 * size), 2).setUsage(DynamicDrawUsage);
  return geometry.setAttribute('gait', gaits);
}

function createGaits(size: number): Gaits {
  const [x, z, phase, swing] = Array.from({ length: 4 }, () => new Float32Array(size));
  // People who begin together are not in step.
  for (let slot = 0; slot < size; slot++) phase[slot] = 2.4 * slot;
  return { x, z, phase, swing };
}

function showCrowd(buffers: BodyBuffers, crowd: Crowd, origin: Vec3, alpha: number): void {
  const { slotCount, agents } = crowd;
  const { position, previous, heading, radius, height } = agents;
  begin(buffers, slotCount);
  for (let slot = 0; slot < slotCount; slot++) {
    const look = lookOf(crowd, slot);
    if (look === LOOK_NONE) continue;
    const p = 3 * slot;
    pose.x = previous[p] + alpha * (position[p] - previous[p]) - origin[0];
    pose.y = previous[p + 1] + alpha * (position[p + 1] - previous[p + 1]) - origin[1];
    pose.z = previous[p + 2] + alpha * (position[p + 2] - previous[p + 2]) - origin[2];
    pose.headingX = heading[2 * slot];
    pose.headingZ = heading[2 * slot + 1];
    pose.radius = radius[slot];
    pose.height = height[slot];
    addBody(buffers, slot, look);
  }
  end(buffers);
}

function showFrame(buffers: BodyBuffers, frame: CrowdFrame, { agents: { radius, height } }: Crowd, origin: Vec3): void {
  const { slotCount, poses, looks } = frame;
  begin(buffers, slotCount);
  for (let slot = 0; slot < slotCount; slot++) {
    if (looks[slot] === LOOK_NONE) continue;
    const p = FRAME_STRIDE * slot;
    pose.x = poses[p] - origin[0];
    pose.y = poses[p + 1] - origin[1];
    pose.z = poses[p + 2] - origin[2];
    pose.headingX = poses[p + 3];
    pose.headingZ = poses[p + 4];
    pose.radius = radius[slot] || DEFAULT_RADIUS;
    pose.height = height[slot] || DEFAULT_HEIGHT;
    addBody(buffers, slot, looks[slot]);
  }
  end(buffers);
}

function begin(buffers: BodyBuffers, slotCount: number): void {
  const { bodies, flock, signs } = buffers;
  reserve(buffers, slotCount);
  signs.begin(slotCount);
  buffers.isFlock = slotCount > FEW && buffers.pixels < SMALL;
  if (buffers.isFlock) flock.begin(bodies.slots.length);
  bodies.count = 0;
}

function reserve(buffers: BodyBuffers, needed: number): void {
  const { bodies, material } = buffers;
  if (needed <= bodies.slots.length) return;
  const size = Math.max(needed, 2 * bodies.slots.length);
  bodies.object.remove(bodies.mesh);
  bodies.mesh.geometry.dispose();
  bodies.mesh.dispose();
  bodies.mesh = createMesh(size, material);
  bodies.object.add(bodies.mesh);
  bodies.slots = new Int32Array(size);
  buffers.looks = new Uint8Array(size).fill(LOOK_NONE);
  buffers.gaits = createGaits(size);
}

/** Adds a body at `pose`, with its sign. */
function addBody(buffers: BodyBuffers, slot: number, look: number): void {
  const { bodies, looks, colors, clothes, flock, signs, isFlock } = buffers;
  const index = bodies.count++;
  const { x, y, z, headingX, headingZ, radius, height } = pose;
  const matrix = bodies.mesh.instanceMatrix.array as Float32Array;
  const m = MATRIX_SIZE * index;
  matrix[m] = radius * headingZ;
  matrix[m + 2] = -radius * headingX;
  matrix[m + 5] = height;
  matrix[m + 8] = radius * headingX;
  matrix[m + 10] = radius * headingZ;
  matrix[m + 12] = x;
  matrix[m + 13] = y;
  matrix[m + 14] = z;
  matrix[m + 15] = 1;
  bodies.slots[index] = slot;
  if (isFlock) flock.add(look, pose);
  else walk(buffers, slot, index);
  if (looks[index] !== look) {
    looks[index] = look;
    const tint = bodies.mesh.instanceColor!;
    const [from, own] = clothes.length > 0 ? [clothes, slot % (clothes.length / 3)] : [colors, look];
    for (let k = 0; k < 3; k++) tint.array[3 * index + k] = from[3 * own + k];
    tint.needsUpdate = true;
  }
  if (signs.points.visible && LOOKS[look].sign !== '') signs.add(look, x, y + height, z);
}

/** Moves the legs of a body as far as its agent has moved since the last frame. */
function walk({ bodies, gaits }: BodyBuffers, slot: number, index: number): void {
  const { x, z, height } = pose;
  const [dx, dz] = [x - gaits.x[slot], z - gaits.z[slot]];
  const moved = Math.sqrt(dx * dx + dz * dz);
  gaits.x[slot] = x;
  gaits.z[slot] = z;
  if (moved < JUMP) {
    const step = (2 * Math.PI * moved) / (STRIDE * height);
    gaits.phase[slot] = (gaits.phase[slot] + step) % (2 * Math.PI);
    // A frame of usual speed moves the phase by about a tenth.
    gaits.swing[slot] += EASING * (Math.min(1, step / 0.1) - gaits.swing[slot]);
  }
  const { array } = bodies.mesh.geometry.getAttribute('gait');
  array[2 * index] = gaits.phase[slot];
  array[2 * index + 1] = gaits.swing[slot];
}

function end({ bodies, flock, signs, isFlock }: BodyBuffers): void {
  const { mesh } = bodies;
  mesh.count = bodies.count;
  mesh.instanceMatrix.needsUpdate = true;
  flock.mesh.visible = isFlock;
  mesh.visible = !isFlock;
  if (isFlock) flock.end();
  const shape = bodies.count <= MANY ? 'full' : 'plain';
  if (shape !== mesh.geometry.userData['shape']) {
    mesh.geometry.dispose();
    mesh.geometry = withGaits(bodyGeometry(shape), bodies.slots.length);
  }
  mesh.geometry.getAttribute('gait').needsUpdate = true;
  signs.end();
}
