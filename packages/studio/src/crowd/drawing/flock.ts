/**
 * Draws many small agents as one mesh of arrows, three triangles each, whose vertices are written in each
 * frame.
 *
 * GPUs draw instances as fast. Software rendering treats each instance as a draw call of its own.
 */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, MeshLambertMaterial } from 'three';
import { LOOKS } from '../looks.ts';
import type { Pose } from './pose.ts';

export interface Flock {
  mesh: Mesh;
  /** Starts a frame with room for a number of arrows. */
  begin: (capacity: number) => void;
  add: (look: number, pose: Pose) => void;
  end: () => void;
}

/** Forward, sideways and up of each vertex: tip, two rear vertices, top. */
const VERTICES = [
  [1.6, 0, 0],
  [-1, 1.2, 0],
  [-1, -1.2, 0],
  [-0.4, 0, 1],
] as const;
const FACES = [0, 1, 3, 1, 2, 3, 2, 0, 3] as const;

export function createFlock(): Flock {
  const material = new MeshLambertMaterial({ flatShading: true, vertexColors: true });
  const geometry = new BufferGeometry();
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  const tints = Uint8Array.from(
    LOOKS.flatMap(({ color }) => new Color(color).toArray().map((part) => Math.round(255 * part))),
  );
  let positions = new Float32Array(0);
  let colors = new Uint8Array(0);
  let size = 0;
  let count = 0;
  return {
    mesh,
    begin(capacity) {
      count = 0;
      if (capacity <= size) return;
      size = capacity;
      geometry.dispose();
      positions = new Float32Array(12 * size);
      colors = new Uint8Array(12 * size);
      const indices = new Uint32Array(9 * size);
      for (let i = 0; i < indices.length; i++) indices[i] = 4 * Math.floor(i / 9) + FACES[i % 9];
      geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage));
      geometry.setAttribute('color', new BufferAttribute(colors, 3, true).setUsage(DynamicDrawUsage));
      geometry.setIndex(new BufferAttribute(indices, 1));
    },
    add(look, { x, y, z, headingX, headingZ, radius, height }) {
      let p = 12 * count++;
      for (const [ahead, side, up] of VERTICES) {
        positions[p] = x + radius * (ahead * headingX + side * headingZ);
        positions[p + 1] = y + up * height;
        positions[p + 2] = z + radius * (ahead * headingZ - side * headingX);
        for (let k = 0; k < 3; k++) colors[p + k] = tints[3 * look + k];
        p += 3;
      }
    },
    end() {
      for (const name of ['position', 'color']) {
        const attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
        if (attribute !== undefined) attribute.needsUpdate = true;
      }
      geometry.setDrawRange(0, 9 * count);
    },
  };
}
