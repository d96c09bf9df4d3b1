/**
 * Draws debug geometry to a PNG, without a browser: a parallel projection from above and the south-east, with a depth buffer.
 *
 * In: triangles and lines as `navkiln/debug` makes them. Out: the bytes of a PNG.
 * Cost: linear in triangles and pixels.
 * Based on: own; PNG: W3C, Portable Network Graphics Specification.
 */
import { crc32, deflateSync } from 'node:zlib';

/** Samples of a pixel along each axis. */
const SAMPLES = 2;
/** Width of lines, samples. */
const LINE_WIDTH = 3;
/** How far lines are drawn in front of triangles, world units along the view. */
const LINE_LIFT = 0.04;
const LIGHT = [0.35, 0.85, 0.4];
const VIEW = { turn: -35, tilt: 38 };
const RADIANS = Math.PI / 180;

/** Returns [right, down, depth] of a position; a smaller depth is nearer. */
function project([x, y, z]) {
  const [sinA, cosA] = [Math.sin(VIEW.turn * RADIANS), Math.cos(VIEW.turn * RADIANS)];
  const [sinB, cosB] = [Math.sin(VIEW.tilt * RADIANS), Math.cos(VIEW.tilt * RADIANS)];
  const right = cosA * x + sinA * z;
  const back = -sinA * x + cosA * z;
  return [right, sinB * back - cosB * y, -(cosB * back + sinB * y)];
}

/**
 * Draws lists of debug geometry. `bounds` is the part of the world that fills the picture: { min, max }. All lists but the first are
 * drawn nearer by `lift`.
 */
export function rasterize(lists, { width, height, bounds, lift = 0, background = [250, 250, 248] }) {
  const [w, h] = [width * SAMPLES, height * SAMPLES];
  const color = new Uint8Array(3 * w * h);
  for (let i = 0; i < w * h; i++) color.set(background, 3 * i);
  const depth = new Float32Array(w * h).fill(Infinity);
  const toScreen = fit(bounds, w, h);
  for (const [number, { kind, positions, colors, indices, origin }] of lists.entries()) {
    const count = indices?.length ?? positions.length / 3;
    const at = (i) => {
      const v = indices?.[i] ?? i;
      return {
        point: [0, 1, 2].map((axis) => positions[3 * v + axis] + origin[axis]),
        rgba: colors.subarray(4 * v, 4 * v + 4),
      };
    };
    const step = kind === 'lines' ? 2 : 3;
    for (let i = 0; i + step <= count; i += step) {
      const corners = Array.from({ length: step }, (_, k) => at(i + k));
      const points = corners.map(({ point }) => toScreen(point));
      if (number > 0) for (const point of points) point[2] -= lift;
      if (step === 2) drawLine({ color, depth, w, h }, points, corners[0].rgba);
      else drawTriangle({ color, depth, w, h }, points, corners[0].rgba, shadeOf(corners.map(({ point }) => point)));
    }
  }
  return encodePng(downsample(color, w, h), width, height);
}

/** Returns the function from the world to the picture, so that the corners of the bounds fit. */
function fit({ min, max }, w, h) {
  const corners = Array.from({ length: 8 }, (_, i) =>
    project([i & 1 ? max[0] : min[0], i & 2 ? max[1] : min[1], i & 4 ? max[2] : min[2]]),
  );
  const low = [0, 1].map((axis) => Math.min(...corners.map((corner) => corner[axis])));
  const high = [0, 1].map((axis) => Math.max(...corners.map((corner) => corner[axis])));
  const scale = 0.96 * Math.min(w / (high[0] - low[0]), h / (high[1] - low[1]));
  return (point) => {
    const [x, y, d] = project(point);
    return [w / 2 + scale * (x - (low[0] + high[0]) / 2), h / 2 + scale * (y - (low[1] + high[1]) / 2), d];
  };
}

/** Returns how bright a triangle is, 0.55 to 1, by its slope to the light. */
function shadeOf([a, b, c]) {
  const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]));
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  return 0.55 + 0.45 * Math.abs((n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]) / length);
}

function drawTriangle(target, [a, b, c], rgba, shade) {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (area === 0) return;
  const [x0, x1] = range([a[0], b[0], c[0]], target.w);
  const [y0, y1] = range([a[1], b[1], c[1]], target.h);
  for (let y = y0; y <= y1; y++) {
    for (let x = x0; x <= x1; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const s = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
      const t = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
      if (s < 0 || t < 0 || s + t > 1) continue;
      put(target, y * target.w + x, a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]), rgba, shade);
    }
  }
}

function drawLine(target, [a, b], rgba) {
  const steps = Math.ceil(Math.max(Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1]), 1));
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    const [x, y, d] = [0, 1, 2].map((k) => a[k] + t * (b[k] - a[k]));
    for (let k = 0; k < LINE_WIDTH ** 2; k++) {
      const [px, py] = [Math.floor(x) + (k % LINE_WIDTH) - 1, Math.floor(y) + Math.floor(k / LINE_WIDTH) - 1];
      if (px >= 0 && py >= 0 && px < target.w && py < target.h) put(target, py * target.w + px, d - LINE_LIFT, rgba, 1);
    }
  }
}

/** Blends a color into a sample, unless something nearer is there. Translucent colors leave the depth. */
function put({ color, depth }, at, d, rgba, shade) {
  if (d > depth[at]) return;
  const alpha = rgba[3] / 255;
  if (alpha > 0.9) depth[at] = d;
  for (let k = 0; k < 3; k++) color[3 * at + k] += alpha * (rgba[k] * shade - color[3 * at + k]);
}

function range(values, size) {
  return [Math.max(0, Math.floor(Math.min(...values))), Math.min(size - 1, Math.ceil(Math.max(...values)))];
}

function downsample(color, w, h) {
  const out = new Uint8Array((3 * w * h) / SAMPLES ** 2);
  for (let y = 0; y < h / SAMPLES; y++) {
    for (let x = 0; x < w / SAMPLES; x++) {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let s = 0; s < SAMPLES ** 2; s++) {
          sum += color[3 * ((SAMPLES * y + Math.floor(s / SAMPLES)) * w + SAMPLES * x + (s % SAMPLES)) + k];
        }
        out[3 * ((y * w) / SAMPLES + x) + k] = sum / SAMPLES ** 2;
      }
    }
  }
  return out;
}

/** Returns the bytes of a PNG of red, green and blue bytes. */
function encodePng(rgb, width, height) {
  const rows = Buffer.alloc((3 * width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(3 * width * y, 3 * width * (y + 1)), (3 * width + 1) * y + 1);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits, red, green and blue, no interlacing.
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
