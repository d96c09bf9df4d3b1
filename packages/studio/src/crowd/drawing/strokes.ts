/**
 * Wide lines that change in every frame. They reuse their buffers and material, so that nothing is allocated
 * or compiled again.
 */
import { InstancedInterleavedBuffer, InterleavedBufferAttribute } from 'three';
import type { Object3D } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

export interface Strokes {
  object: Object3D;
  /** Number of lines, including dashes. */
  count: number;
  begin: () => void;
  add: (ax: number, ay: number, az: number, bx: number, by: number, bz: number) => void;
  end: () => void;
  setColor: (color: string) => void;
}

export interface StrokeStyle {
  color: string;
  /** Pixels. */
  width: number;
  isDashed?: boolean;
  order?: number;
}

const INITIAL_LINES = 64;
/** Numbers of a line: both ends. */
const LINE_SIZE = 6;
/** Drawn above the overlays of other tools. */
const STROKE_ORDER = 150;
/** World units from dash to dash, and the maximum number of dashes of a line. */
const DASH = 0.35;
const MAX_DASHES = 120;

export function createStrokes({ color, width, isDashed = false, order = 0 }: StrokeStyle): Strokes {
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
  lines.renderOrder = STROKE_ORDER + order;
  let positions = new Float32Array(0);
  let buffer: InstancedInterleavedBuffer | undefined;
  const reserve = (needed: number): void => {
    if (LINE_SIZE * needed <= positions.length) return;
    const grown = new Float32Array(LINE_SIZE * Math.max(INITIAL_LINES, 2 * needed));
    grown.set(positions);
    positions = grown;
    geometry.dispose();
    buffer = new InstancedInterleavedBuffer(positions, LINE_SIZE, 1);
    geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(buffer, 3, 0));
    geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(buffer, 3, 3));
  };
  reserve(INITIAL_LINES);
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
    const p = LINE_SIZE * strokes.count++;
    positions[p] = ax;
    positions[p + 1] = ay;
    positions[p + 2] = az;
    positions[p + 3] = bx;
    positions[p + 4] = by;
    positions[p + 5] = bz;
  };
  strokes.end();
  return strokes;
}
