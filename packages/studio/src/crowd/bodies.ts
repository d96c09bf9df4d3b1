/**
 * All agents in two draw calls: bodies, one instanced mesh whose matrices are written from the crowd's arrays
 * each frame, and signs above them, points with a little picture each (looks.ts).
 *
 * A body is as wide as the agent and as high; it tapers, and has a nose where it faces. Of many it has fewer
 * corners, and of many that are a few pixels high arrows are drawn instead (flock.ts): what a graphics card
 * draws at once, software drawing (and old tablets) feel.
 */
import type { Crowd } from 'navkiln/crowd';
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshLambertMaterial,
  Points,
  ShaderMaterial,
} from 'three';
import type { Object3D } from 'three';
import type { Vec3 } from '../state/state.ts';
import { createFlock } from './flock.ts';
import { LOOKS, LOOK_NONE, inkOn, lookOf } from './looks.ts';
import { PICTURE_STRIDE } from './record.ts';
import type { Picture } from './record.ts';

export interface Bodies {
  object: Object3D;
  mesh: InstancedMesh;
  /** Slot of each instance. */
  slots: Int32Array;
  count: number;
  /** Between the last two ticks: 0 the older, 1 the newer. */
  showCrowd: (crowd: Crowd, origin: Vec3, alpha: number) => void;
  /** Radii and heights are those of now. */
  showPicture: (picture: Picture, crowd: Crowd, origin: Vec3) => void;
  setSigns: (areOn: boolean) => void;
  /** How high a body of 1.8 m is on the page about now, pixels. */
  setSize: (pixels: number) => void;
}

/** Agents above which bodies are plainer. */
const MANY = 1500;
/** Arrows are drawn of more agents than this that are less than so many pixels high. */
const FEW = 400;
const SMALL = 9;
const CELL = 64;

export function createBodies(): Bodies {
  const object = new Group();
  const colors = new Float32Array(LOOKS.flatMap(({ color }) => new Color(color).toArray()));
  const material = new MeshLambertMaterial({ flatShading: true });
  let mesh = createMesh(64, material);
  const signs = createSigns();
  const flock = createFlock();
  object.add(mesh, flock.mesh, signs);
  let isFlock = false;
  let slots = new Int32Array(64);
  let looks = new Uint8Array(64).fill(LOOK_NONE);
  let signPlaces = new Float32Array(0);
  let signLooks = new Float32Array(0);
  let signCount = 0;
  let pixels = 100;

  const reserve = (needed: number): void => {
    if (needed <= slots.length) return;
    const size = Math.max(needed, 2 * slots.length);
    object.remove(mesh);
    mesh.geometry.dispose();
    mesh.dispose();
    mesh = createMesh(size, material);
    bodies.mesh = mesh;
    object.add(mesh);
    bodies.slots = slots = new Int32Array(size);
    looks = new Uint8Array(size).fill(LOOK_NONE);
  };
  const reserveSigns = (needed: number): void => {
    if (needed <= signLooks.length) return;
    const size = Math.max(256, 2 * needed);
    signs.geometry.dispose();
    signPlaces = new Float32Array(3 * size);
    signLooks = new Float32Array(size);
    signs.geometry.setAttribute('position', new BufferAttribute(signPlaces, 3).setUsage(DynamicDrawUsage));
    signs.geometry.setAttribute('look', new BufferAttribute(signLooks, 1).setUsage(DynamicDrawUsage));
  };
  const begin = (slotCount: number): void => {
    reserve(slotCount);
    reserveSigns(slotCount);
    isFlock = slotCount > FEW && pixels < SMALL;
    if (isFlock) flock.begin(slots.length);
    bodies.count = 0;
    signCount = 0;
  };
  const put = (
    slot: number,
    look: number,
    x: number,
    y: number,
    z: number,
    hx: number,
    hz: number,
    r: number,
    height: number,
  ): void => {
    const i = bodies.count++;
    const m = mesh.instanceMatrix.array as Float32Array;
    const at = 16 * i;
    // Columns: right, up, ahead, place.
    m[at] = r * hz;
    m[at + 2] = -r * hx;
    m[at + 5] = height;
    m[at + 8] = r * hx;
    m[at + 10] = r * hz;
    m[at + 12] = x;
    m[at + 13] = y;
    m[at + 14] = z;
    m[at + 15] = 1;
    slots[i] = slot;
    if (isFlock) flock.add(look, x, y, z, hx, hz, r, height);
    if (looks[i] !== look) {
      looks[i] = look;
      const tint = mesh.instanceColor!;
      for (let k = 0; k < 3; k++) tint.array[3 * i + k] = colors[3 * look + k];
      tint.needsUpdate = true;
    }
    if (!signs.visible || LOOKS[look].sign === '') return;
    signPlaces[3 * signCount] = x;
    signPlaces[3 * signCount + 1] = y + height;
    signPlaces[3 * signCount + 2] = z;
    signLooks[signCount++] = look;
  };
  const end = (): void => {
    mesh.count = bodies.count;
    mesh.instanceMatrix.needsUpdate = true;
    flock.mesh.visible = isFlock;
    mesh.visible = !isFlock;
    if (isFlock) flock.end();
    const shape = bodies.count <= MANY ? 'full' : 'plain';
    if (shape !== mesh.geometry.userData['shape']) {
      mesh.geometry.dispose();
      mesh.geometry = bodyGeometry(shape);
    }
    signs.geometry.setDrawRange(0, signCount);
    for (const name of ['position', 'look']) {
      const attribute = signs.geometry.getAttribute(name) as BufferAttribute | undefined;
      if (attribute !== undefined) attribute.needsUpdate = true;
    }
  };

  const bodies: Bodies = {
    object,
    mesh,
    slots,
    count: 0,
    showCrowd(crowd, origin, alpha) {
      const {
        slotCount,
        agents: { position, previous, heading, radius, height },
      } = crowd;
      begin(slotCount);
      for (let slot = 0; slot < slotCount; slot++) {
        const look = lookOf(crowd, slot);
        if (look === LOOK_NONE) continue;
        const at = 3 * slot;
        const x = previous[at] + alpha * (position[at] - previous[at]) - origin[0];
        const y = previous[at + 1] + alpha * (position[at + 1] - previous[at + 1]) - origin[1];
        const z = previous[at + 2] + alpha * (position[at + 2] - previous[at + 2]) - origin[2];
        put(slot, look, x, y, z, heading[2 * slot], heading[2 * slot + 1], radius[slot], height[slot]);
      }
      end();
    },
    showPicture({ slotCount, poses, looks: then }, { agents: { radius, height } }, origin) {
      begin(slotCount);
      for (let slot = 0; slot < slotCount; slot++) {
        if (then[slot] === LOOK_NONE) continue;
        const p = PICTURE_STRIDE * slot;
        const [x, y, z] = [poses[p] - origin[0], poses[p + 1] - origin[1], poses[p + 2] - origin[2]];
        put(slot, then[slot], x, y, z, poses[p + 3], poses[p + 4], radius[slot] || 0.3, height[slot] || 1.8);
      }
      end();
    },
    setSize: (next) => void (pixels = next),
    setSigns: (areOn) => void (signs.visible = areOn),
  };
  return bodies;
}

function createMesh(size: number, material: MeshLambertMaterial): InstancedMesh {
  const mesh = new InstancedMesh(bodyGeometry('full'), material, size);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * size), 3).setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.count = 0;
  return mesh;
}

/** Height, and width there: shoulders, neck, head. */
const RINGS: readonly (readonly [number, number])[] = [
  [0, 0.72],
  [0.62, 1],
  [0.8, 0.42],
  [0.92, 0.5],
  [1, 0.22],
];
const PLAIN_RINGS: readonly (readonly [number, number])[] = [
  [0, 0.7],
  [0.72, 1],
  [1, 0.3],
];

type Shape = 'full' | 'plain';

/**
 * Radius 1, height 1, feet at the origin, facing +z. Corners are shared: shading is flat, by the picture's
 * own slopes.
 */
function bodyGeometry(shape: Shape): BufferGeometry {
  const { positions, indices } = turned(shape);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  geometry.userData['shape'] = shape;
  return geometry;
}

function turned(shape: Shape): { positions: number[]; indices: number[] } {
  const rings = shape === 'plain' ? PLAIN_RINGS : RINGS;
  const sides = shape === 'plain' ? 4 : 8;
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [y, r] of rings) {
    for (let side = 0; side < sides; side++) {
      const turn = (2 * Math.PI * (side + 0.5)) / sides;
      positions.push(r * Math.sin(turn), y, r * Math.cos(turn));
    }
  }
  for (let i = 1; i < rings.length; i++) {
    for (let side = 0; side < sides; side++) {
      const [a, c] = [(i - 1) * sides + side, i * sides + side];
      const [b, d] = [(i - 1) * sides + ((side + 1) % sides), i * sides + ((side + 1) % sides)];
      indices.push(a, b, d, a, d, c);
    }
  }
  const top = (rings.length - 1) * sides;
  for (let side = 2; side < sides; side++) indices.push(top, top + side - 1, top + side);
  // The nose: a wedge from the chest, beyond the body's circle, where nobody stands.
  const nose = positions.length / 3;
  positions.push(0, 0.52, 1.55, 0.5, 0.52, 0.6, -0.5, 0.52, 0.6, 0, 0.66, 0.6, 0, 0.4, 0.6);
  indices.push(nose + 1, nose, nose + 3, nose, nose + 2, nose + 3);
  if (shape === 'full') indices.push(nose + 1, nose + 4, nose, nose + 4, nose + 2, nose);
  return { positions, indices };
}

/** Signs face the eye, and shrink with distance until they are left out. */
function createSigns(): Points {
  const material = new ShaderMaterial({
    uniforms: {
      picture: { value: signTexture() },
      cells: { value: LOOKS.length },
      pixels: { value: Math.min(2, globalThis.devicePixelRatio) },
    },
    transparent: true,
    depthTest: true,
    depthWrite: false,
    clipping: true,
    vertexShader: `
      #include <clipping_planes_pars_vertex>
      attribute float look;
      uniform float pixels;
      varying float vLook;
      void main() {
        vLook = look;
        vec4 mvPosition = modelViewMatrix * vec4(position + vec3(0.0, 0.35, 0.0), 1.0);
        #include <clipping_planes_vertex>
        gl_Position = projectionMatrix * mvPosition;
        float size = pixels * 420.0 / max(1.0, -mvPosition.z);
        gl_PointSize = clamp(size, 9.0 * pixels, 22.0 * pixels);
        if (size < 4.0 * pixels) gl_Position.z = 2.0 * gl_Position.w;
      }`,
    fragmentShader: `
      #include <clipping_planes_pars_fragment>
      uniform sampler2D picture;
      uniform float cells;
      varying float vLook;
      void main() {
        #include <clipping_planes_fragment>
        vec4 color = texture2D(picture, vec2((vLook + gl_PointCoord.x) / cells, 1.0 - gl_PointCoord.y));
        if (color.a < 0.05) discard;
        gl_FragColor = color;
        #include <colorspace_fragment>
      }`,
  });
  const points = new Points(new BufferGeometry(), material);
  points.frustumCulled = false;
  points.matrixAutoUpdate = false;
  points.renderOrder = 60;
  return points;
}

/** All signs side by side, each on a disc of the body's colour. */
function signTexture(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = CELL * LOOKS.length;
  canvas.height = CELL;
  const pen = canvas.getContext('2d')!;
  LOOKS.forEach(({ sign, color }, i) => {
    if (sign === '') return;
    pen.setTransform(CELL / 16, 0, 0, CELL / 16, CELL * i, 0);
    pen.beginPath();
    pen.arc(8, 8, 7.6, 0, 7);
    const isDark = inkOn(color) === '#ffffff';
    pen.fillStyle = color;
    pen.fill();
    pen.lineWidth = 0.9;
    pen.strokeStyle = isDark ? '#ffffff' : '#14191c';
    pen.stroke();
    pen.lineWidth = 2.2;
    pen.lineCap = pen.lineJoin = 'round';
    pen.stroke(new Path2D(sign));
  });
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = 'srgb';
  return texture;
}
