/**
 * Many agents that are a few pixels high, as one mesh of arrows of three triangles whose corners are written
 * each frame.
 *
 * For graphics cards instances are as good; drawing in software takes every instance as a draw of its own.
 */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, MeshLambertMaterial } from 'three';
import { LOOKS } from './looks.ts';

export interface Flock {
  mesh: Mesh;
  begin: (room: number) => void;
  add: (look: number, x: number, y: number, z: number, hx: number, hz: number, radius: number, height: number) => void;
  end: () => void;
}

/** Ahead, to the side, up: tip, two corners behind, top. */
const CORNERS = [
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
  let places = new Float32Array(0);
  let colors = new Uint8Array(0);
  let size = 0;
  let count = 0;
  return {
    mesh,
    begin(room) {
      count = 0;
      if (room <= size) return;
      size = room;
      geometry.dispose();
      places = new Float32Array(12 * size);
      colors = new Uint8Array(12 * size);
      const indices = new Uint32Array(9 * size);
      for (let i = 0; i < indices.length; i++) indices[i] = 4 * Math.floor(i / 9) + FACES[i % 9];
      geometry.setAttribute('position', new BufferAttribute(places, 3).setUsage(DynamicDrawUsage));
      geometry.setAttribute('color', new BufferAttribute(colors, 3, true).setUsage(DynamicDrawUsage));
      geometry.setIndex(new BufferAttribute(indices, 1));
    },
    add(look, x, y, z, hx, hz, radius, height) {
      let at = 12 * count++;
      for (const [ahead, side, up] of CORNERS) {
        places[at] = x + radius * (ahead * hx + side * hz);
        places[at + 1] = y + up * height;
        places[at + 2] = z + radius * (ahead * hz - side * hx);
        for (let k = 0; k < 3; k++) colors[at + k] = tints[3 * look + k];
        at += 3;
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
