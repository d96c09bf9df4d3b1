/**
 * Wide lines that change every frame, in the same buffers and with the same material: nothing is compiled or
 * taken anew.
 */
import { InstancedInterleavedBuffer, InterleavedBufferAttribute } from 'three';
import type { Object3D } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

export interface Strokes {
  object: Object3D;
  /** Lines there are now. */
  count: number;
  begin: () => void;
  add: (ax: number, ay: number, az: number, bx: number, by: number, bz: number) => void;
  end: () => void;
  setColor: (color: string) => void;
}

export interface StrokeLook {
  color: string;
  /** Pixels. */
  width: number;
  isDashed?: boolean;
  order?: number;
}

const ROOM = 64;
/** World units from dash to dash, and how many a line has at most. */
const DASH = 0.35;
const MAX_DASHES = 120;

export function createStrokes({ color, width, isDashed = false, order = 0 }: StrokeLook): Strokes {
  const material = new LineMaterial({
    color,
    linewidth: width,
    transparent: true,
    depthTest: false,
    depthWrite: false,
  });
  const geometry = new LineSegmentsGeometry();
  const lines = new LineSegments2(geometry, material);
  lines.frustumCulled = false;
  lines.matrixAutoUpdate = false;
  lines.renderOrder = 150 + order;
  let places = new Float32Array(0);
  let buffer: InstancedInterleavedBuffer | undefined;
  const reserve = (needed: number): void => {
    if (6 * needed <= places.length) return;
    const grown = new Float32Array(6 * Math.max(ROOM, 2 * needed));
    grown.set(places);
    places = grown;
    geometry.dispose();
    buffer = new InstancedInterleavedBuffer(places, 6, 1);
    geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(buffer, 3, 0));
    geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(buffer, 3, 3));
  };
  reserve(ROOM);
  const strokes: Strokes = {
    object: lines,
    count: 0,
    begin: () => void (strokes.count = 0),
    add(ax, ay, az, bx, by, bz) {
      if (!isDashed) return put(ax, ay, az, bx, by, bz);
      const length = Math.hypot(bx - ax, by - ay, bz - az);
      const dashes = Math.max(1, Math.min(MAX_DASHES, Math.round(length / DASH)));
      for (let i = 0; i < dashes; i++) {
        const [from, to] = [i / dashes, (i + 0.55) / dashes];
        const [dx, dy, dz] = [bx - ax, by - ay, bz - az];
        put(ax + from * dx, ay + from * dy, az + from * dz, ax + to * dx, ay + to * dy, az + to * dz);
      }
    },
    end() {
      buffer!.needsUpdate = true;
      geometry.instanceCount = strokes.count;
      lines.visible = strokes.count > 0;
    },
    setColor: (next) => void material.color.set(next),
  };
  const put: Strokes['add'] = (ax, ay, az, bx, by, bz) => {
    reserve(strokes.count + 1);
    const at = 6 * strokes.count++;
    places[at] = ax;
    places[at + 1] = ay;
    places[at + 2] = az;
    places[at + 3] = bx;
    places[at + 4] = by;
    places[at + 5] = bz;
  };
  strokes.end();
  return strokes;
}
