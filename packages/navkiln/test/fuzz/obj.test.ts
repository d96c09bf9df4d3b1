/**
 * Random bytes for parseObj. The outcome is a mesh whose indices are in range and whose numbers are finite,
 * or an Error that starts with "parseObj:", within a time limit. NAVKILN_SEED repeats a run.
 */
import { describe, expect, it } from 'vitest';
import { parseObj } from '../../src/formats/levels/obj.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121) >>> 0;
/** Texts of each kind. `npm run soak` raises it. */
const RUNS = Number(process.env['NAVKILN_FUZZ'] ?? 5000);

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns 'mesh' or 'error'. Throws when parseObj breaks its contract. */
function check(bytes: Uint8Array | string): 'mesh' | 'error' {
  let mesh;
  try {
    mesh = parseObj(bytes, 'fuzz.obj');
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/^parseObj: fuzz\.obj/);
    expect((error as Error).message.length).toBeLessThan(400);
    return 'error';
  }
  const vertexCount = mesh.positions.length / 3;
  expect(mesh.indices.length).toBeGreaterThan(0);
  expect(mesh.indices.length % 3).toBe(0);
  expect(mesh.indices.every((index) => index < vertexCount)).toBe(true);
  expect(mesh.positions.every((value) => Number.isFinite(value))).toBe(true);
  let triangle = 0;
  for (const group of mesh.groups) {
    expect(group.triangleStart).toBe(triangle);
    expect(group.triangleCount).toBeGreaterThan(0);
    triangle += group.triangleCount;
  }
  expect(triangle).toBe(mesh.indices.length / 3);
  return 'mesh';
}

const GOOD = [
  'mtllib a.mtl\r\no caf\u00e9\r\nv 0 0 0\r\nv 1.5 -2e3 .25\r\nv 0 1 0\r\nv 4 4 4\r\n' +
    'usemtl stone\r\nf 1/1/1 2//2 3 4\r\ng b\r\nf -1 -2 -3\r\n',
  'f 1 2 3 4 5\nv 0 0 0\nv 4 0 0\nv 1 0 1\nv 0 0 4\nv -1 \\\n 0 2 # end\nf -1 -2 -3 -4',
].join('\n');

describe(`parseObj under fuzzing, seed ${SEED}`, () => {
  it('survives random OBJ statements', () => {
    const random = createRandom(SEED);
    const words = [
      'v',
      'f',
      'v',
      'f',
      'vt',
      'vn',
      'o',
      'g',
      'usemtl',
      '#',
      '\\',
      '\n',
      '\n',
      '\n',
      '\r\n',
      '\r',
      '\t',
      ' ',
      '1',
      '2',
      '3',
      '4',
      '-1',
      '-2',
      '-3',
      '0',
      '1/2/3',
      '1//2',
      '/',
      '1/',
      '0.5',
      '-.5',
      '1e5',
      '1e999',
      'nan',
      '.',
      'e',
      '+',
      '99',
      'é',
      '\u0000',
      'v 0 0 0\n',
      'v 1 0 0\n',
      'v 0 0 1\n',
      'f 1 2 3\n',
      'f -1 -2 -3\n',
    ];
    const results = { mesh: 0, error: 0 };
    for (let run = 0; run < RUNS; run++) {
      let text = random() < 0.7 ? 'v 0 0 0\nv 1 0 0\nv 0 0 1\n' : '';
      const count = Math.floor(random() * 20);
      for (let i = 0; i < count; i++) text += words[Math.floor(random() * words.length)] + (random() < 0.6 ? ' ' : '');
      results[check(text)]++;
    }
    expect(results.mesh).toBeGreaterThan(RUNS / 40);
    expect(results.error).toBeGreaterThan(RUNS / 40);
  });

  it('survives a valid file with bytes changed, removed and repeated', () => {
    const random = createRandom(SEED + 1);
    const good = new TextEncoder().encode(GOOD);
    const results = { mesh: 0, error: 0 };
    for (let run = 0; run < RUNS; run++) {
      let bytes = good.slice();
      const changes = 1 + Math.floor(random() * 4);
      for (let i = 0; i < changes; i++) {
        const at = Math.floor(random() * bytes.length);
        const kind = random();
        if (kind < 0.6) bytes[at] = Math.floor(random() * 256);
        else if (kind < 0.8) bytes = bytes.slice(0, at);
        else bytes = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(Math.floor(random() * bytes.length))]);
        if (bytes.length === 0) break;
      }
      results[check(bytes)]++;
    }
    expect(results.mesh).toBeGreaterThan(RUNS / 40);
    expect(results.error).toBeGreaterThan(RUNS / 40);
  });

  it('survives random bytes', () => {
    const random = createRandom(SEED + 2);
    for (let run = 0; run < RUNS / 5; run++) {
      const bytes = new Uint8Array(Math.floor(random() * 300));
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
      check(bytes);
    }
  });

  it('cuts random polygons into n - 2 triangles whose areas add up', () => {
    const random = createRandom(SEED + 3);
    for (let run = 0; run < 400; run++) {
      // Star-shaped around the origin, so that the outline never crosses itself. Integer points keep areas
      // exact.
      const count = 4 + Math.floor(random() * 40);
      const angles = Array.from({ length: count }, () => random() * 2 * Math.PI).sort((a, b) => a - b);
      const gap = Math.max(...angles.map((a, i) => (i + 1 < count ? angles[i + 1] - a : angles[0] + 2 * Math.PI - a)));
      if (gap > 3) continue;
      const points = angles.map((angle) => {
        const reach = 10_000 + random() * 1_000_000;
        return [Math.round(Math.cos(angle) * reach), Math.round(Math.sin(angle) * reach)];
      });
      let wanted = 0;
      points.forEach(([x, y], i) => {
        const [u, v] = points[(i + 1) % count];
        wanted += x! * v! - y! * u!;
      });
      const text = points.map(([x, y]) => `v ${x} ${y} 0`).join('\n');
      const mesh = parseObj(`${text}\nf ${points.map((_, i) => i + 1).join(' ')}`);
      expect(mesh.indices.length).toBe(3 * (count - 2));
      let absolute = 0;
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => points[mesh.indices[i + k]]) as [number[], number[], number[]];
        absolute += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
      }
      expect(absolute, `run ${run}`).toBe(wanted);
    }
  });

  it('stays fast on long runs of one byte and of one corner', () => {
    for (const piece of ['1', ' ', '\\\n', 'f ', '#', '-', '/', '\r', 'v 0 0 0 ', '.']) check(piece.repeat(300_000));
    check(`v 0 0 0\nv 1 0 0\nv 0 0 1\nf ${'1 2 3 '.repeat(30_000)}`);
    check(`v 0 0 0\nv 1 0 0\nv 0 0 1\n${'g a\n'.repeat(50_000)}f 1 2 3\n`);
  }, 120_000);
});
