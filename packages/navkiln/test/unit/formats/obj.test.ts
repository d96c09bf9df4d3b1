import { describe, expect, it } from 'vitest';
import { existsSync, readFileSync } from 'node:fs';
import { parseObj } from '../../../src/formats/levels/obj.ts';
import type { LevelMesh } from '../../../src/formats/levels/level.ts';

const SQUARE = 'v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n';

/** Returns twice the signed area seen from above, summed over all triangles. */
function groundArea(mesh: LevelMesh): { sum: number; absolute: number } {
  const { positions: p, indices } = mesh;
  let sum = 0;
  let absolute = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const area = ((p[b + 2] - p[a + 2]) * (p[c] - p[a]) - (p[b] - p[a]) * (p[c + 2] - p[a + 2])) / 2;
    sum += area;
    absolute += Math.abs(area);
  }
  return { sum, absolute };
}

function messageOf(text: string | Uint8Array): string {
  try {
    parseObj(text, 'level.obj');
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('parseObj did not throw');
}

describe('parseObj', () => {
  it('reads a triangle', () => {
    const mesh = parseObj('v 0 0 0\nv 0.5 -1.25 1e2\nv +3 .5 -4.\nf 1 2 3\n');
    expect([...mesh.positions]).toEqual([0, 0, 0, 0.5, -1.25, 100, 3, 0.5, -4]);
    expect([...mesh.indices]).toEqual([0, 1, 2]);
    expect(mesh.groups).toEqual([{ name: '', material: '', triangleStart: 0, triangleCount: 1 }]);
    expect(mesh.warnings).toEqual([]);
  });

  it.each([
    'f 1 2 3',
    'f 1/1 2/2 3/3',
    'f 1//1 2//2 3//3',
    'f 1/1/1 2/2/2 3/3/3',
    'f -4 -3 -2',
    'f -4/-1 2//-1 -2/1/1',
    'f 1/ 2/ 3/',
  ])('reads "%s"', (face) => expect([...parseObj(`${SQUARE}vt 0 0\nvn 0 1 0\n${face}\n`).indices]).toEqual([0, 1, 2]));

  it('makes a fan around the first corner of a convex polygon', () => {
    expect([...parseObj(`${SQUARE}f 1 2 3 4`).indices]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it("keeps the fan when a corner is concave only by a file's rounding", () => {
    const indices = (bend: number): number[] => [
      ...parseObj(`v 0 0 0\nv ${bend} 0 1\nv 0 0 2\nv -2 0 1\nf 1 2 3 4\n`).indices,
    ];
    expect(indices(-1e-5)).toEqual([0, 1, 2, 0, 2, 3]);
    expect(indices(-0.1)).not.toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('cuts the ears of concave polygons in each plane and orientation', () => {
    // An arrow head whose fan around its first corner leaves the outline.
    const arrow = [
      [0, 0],
      [4, 0],
      [1, 1],
      [0, 4],
    ];
    const axes: ((x: number, y: number) => number[])[] = [
      (x, y) => [x, y, 7],
      (x, y) => [x, 7, y],
      (x, y) => [7, x, y],
    ];
    let tried = 0;
    for (const place of axes) {
      for (let turn = 0; turn < 4; turn++) {
        for (const ring of [arrow, [...arrow].reverse()]) {
          const corners = ring.map((_, i) => ring[(i + turn) % 4]);
          const mesh = parseObj(`${corners.map(([x, y]) => `v ${place(x!, y!).join(' ')}`).join('\n')}\nf 1 2 3 4\n`);
          let total = 0;
          for (let i = 0; i < 6; i += 3) {
            const [a, b, c] = [0, 1, 2].map((k) => corners[mesh.indices[i + k]]) as [number[], number[], number[]];
            total += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
          }
          expect(total).toBe(4);
          tried++;
        }
      }
    }
    expect(tried).toBe(24);
  });

  it('triangulates combs of any size exactly, without flipped triangles', () => {
    for (const teeth of [1, 2, 7, 60, 400]) {
      const points: [number, number][] = [[0, 0]];
      for (let i = 0; i < teeth; i++) points.push([2 * i, 5], [2 * i + 1, 5], [2 * i + 1, 1], [2 * i + 2, 1]);
      points.push([2 * teeth, 0]);
      for (const far of [0, 100_000]) {
        const vertices = points.map(([x, z]) => `v ${x + far} 3 ${z + far}`).join('\n');
        const mesh = parseObj(`${vertices}\nf ${points.map((_, i) => i + 1).join(' ')}\n`);
        expect(mesh.indices.length).toBe(3 * (points.length - 2));
        const { sum, absolute } = groundArea(mesh);
        expect(Math.abs(sum)).toBe(teeth * 6);
        expect(absolute).toBe(teeth * 6);
      }
    }
  });

  it('makes n - 2 triangles for rings with straight corners, repeated corners and crossings', () => {
    const straight = parseObj('v 0 0 0\nv 0 0 1\nv 0 0 2\nv 1 0 1.5\nv 2 0 2\nv 2 0 0\nv 1 0 0\nf 1 2 3 4 5 6 7\n');
    expect(straight.indices.length).toBe(15);
    expect(groundArea(straight)).toEqual({ sum: 3.5, absolute: 3.5 });
    for (const face of ['f 1 3 2 4', 'f 1 1 2 3', 'f 1 2 1 2', 'f 1 1 1 1 1']) {
      const corners = face.split(' ').length - 1;
      expect(parseObj(`${SQUARE}${face}\n`).indices.length).toBe(3 * (corners - 2));
    }
  });

  it('reads faces before their vertices, concave ones too', () => {
    const vertices = 'v 0 0 0\nv 4 0 0\nv 1 0 1\nv 0 0 4\n';
    expect([...parseObj(`f 2 3 4 1\n${vertices}`).indices]).toEqual([...parseObj(`${vertices}f 2 3 4 1\n`).indices]);
    expect([...parseObj(`f 1 2 3\n${vertices}`).indices]).toEqual([0, 1, 2]);
  });

  it('reads CR LF, lone CR, a missing last line end, a byte order mark, tabs, comments and joined lines', () => {
    const plain = `${SQUARE}g a b\nusemtl m\nf 1 2 3 4\nf 1 2 3\n`;
    const wanted = parseObj(plain);
    expect(wanted.indices.length).toBe(9);
    const variants = [
      plain.replaceAll('\n', '\r\n'),
      plain.replaceAll('\n', '\r'),
      plain.slice(0, -1),
      `\ufeff${plain}`,
      plain.replaceAll(/(?<=^[vf].*) /gm, '\t  '),
      plain.replaceAll('\n', ' # note\n').replace('g a b # note', 'g a b').replace('usemtl m # note', 'usemtl m'),
      plain.replaceAll(/(?<=^[vf].*) /gm, ' \\\n '),
      plain.replaceAll(/(?<=^[vf].*) /gm, '\\\r\n'),
      `# C:\\levels\\\n\n  \n${plain}`,
    ];
    for (const text of variants) {
      const mesh = parseObj(text);
      expect(mesh).toEqual(wanted);
    }
    expect(parseObj(new TextEncoder().encode(plain))).toEqual(wanted);
  });

  it('ignores colors and weights after the coordinates', () => {
    expect([...parseObj('v 0 0 0 1\nv 1 0 0 1 0.5 0\nv 0 0 1 255 0 0 x\nf 1 2 3').positions]).toEqual([
      0, 0, 0, 1, 0, 0, 0, 0, 1,
    ]);
  });

  it('reads numbers to the nearest double', () => {
    const numbers = [
      '0.1',
      '-0.30000000000000004',
      '123456789012345678',
      '1e22',
      '1e23',
      '9007199254740993',
      '5e-324',
      '1.7976931348623157e308',
      '0.000000000000000000000001',
      '1e-400',
      '-0',
      '00012.500',
      '3.4028234663852886e38',
      '1E+2',
      '2.2250738585072011e-308',
    ];
    let seed = 12345;
    for (let i = 0; i < 3000; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      numbers.push(((seed / 2 ** 32 - 0.5) * 10 ** ((seed % 40) - 20)).toPrecision(((seed >>> 8) % 17) + 1));
    }
    for (const text of numbers) {
      expect(parseObj(`v ${text} 0 0\nv 0 0 0\nv 1 1 1\nf 1 2 3`).positions[0], text).toBe(Number(text));
    }
  });

  it('makes groups from o, g and usemtl that cover all triangles in order', () => {
    const text =
      `${SQUARE}o house\nusemtl wood\nf 1 2 3\nf 1 2 3\nusemtl stone\nf 1 2 3 4\nusemtl stone\nf 1 2 3\no empty\n` +
      'g caf\u00e9 \u4e2d \ud83d\ude00\nf 1 2 3\ng end\n';
    for (const input of [text, new TextEncoder().encode(text)]) {
      expect(parseObj(input).groups).toEqual([
        { name: 'house', material: 'wood', triangleStart: 0, triangleCount: 2 },
        { name: 'house', material: 'stone', triangleStart: 2, triangleCount: 3 },
        { name: 'café 中 😀', material: 'stone', triangleStart: 5, triangleCount: 1 },
      ]);
    }
    expect(
      parseObj(`${SQUARE}f 1 2 3\ng late\nf 1 2 3`).groups.map((g) => [g.name, g.triangleStart, g.triangleCount]),
    ).toEqual([
      ['', 0, 1],
      ['late', 1, 1],
    ]);
  });

  it('skips statements that it does not need, and warns of unknown ones', () => {
    const mesh = parseObj(
      `mtllib a.mtl\n${SQUARE}s off\nl 1 2\np 1\nvn 0 1 0\ncurv2 1 2\nsurf 1\nbanana\nf 1 2\nf 1 2 3\nf\n`,
      'level.obj',
    );
    expect(mesh.indices.length).toBe(3);
    expect(mesh.warnings.map((w) => [w.code, w.count])).toEqual([
      ['unknown-statement', 3],
      ['face-too-small', 2],
    ]);
    expect(mesh.warnings[0].message).toContain('level.obj: statement "curv2" on line 10');
  });
});

describe('parseObj refuses', () => {
  it.each([
    [`${SQUARE}f 1 2 5\n`, 'parseObj: level.obj:5: face index 5 is out of range: the file has 4 vertices;'],
    [`${SQUARE}f 1 2 0\n`, 'parseObj: level.obj:5: face index 0 is out of range; indices count from 1'],
    [`${SQUARE}f 1 2 -5\n`, 'parseObj: level.obj:5: face index -5 is out of range: 4 vertices so far;'],
    [`${SQUARE}f 1 2 99999999999999999999999\n`, 'e+23 is out of range'],
    [`${SQUARE}f 1 2 x\n`, 'level.obj:5: face corner "x" is not of the form'],
    [`${SQUARE}f 1 2 3.5\n`, 'level.obj:5: face corner "3.5" is not of the form'],
    ['v 0 0 0\r\nv 0 nan 0\r\n', 'parseObj: level.obj:2: vertex coordinate "nan" is not a finite number; export'],
    ['v 0 0 0\rv 0 -inf 0\r', 'parseObj: level.obj:2: vertex coordinate "-inf" is not a finite number'],
    ['v 0 1e999 0', 'parseObj: level.obj:1: vertex coordinate "1e999" is not a finite number'],
    ['v 0,5 1 0', 'parseObj: level.obj:1: vertex coordinate "0,5" is not a finite number'],
    ['v 0x10 1 0', 'parseObj: level.obj:1: vertex coordinate "0x10"'],
    ['v 0 \\\n0\\\n 1e', 'parseObj: level.obj:3: vertex coordinate "1e"'],
    ['v 1 2 # 3', 'parseObj: level.obj:1: vertex has 2 of its 3 coordinates'],
    ['', 'parseObj: level.obj has no vertices and no faces; export'],
    ['v 0 0 0', 'parseObj: level.obj has 1 vertex but no faces; export'],
    ['\u0000\u0001binary', 'parseObj: level.obj has no vertices and no faces'],
  ])('%j', (text, message) => expect(messageOf(text)).toContain(message));

  it('UTF-16 text and arguments that are not text', () => {
    expect(messageOf(new Uint8Array([0xff, 0xfe, 118, 0]))).toBe(
      'parseObj: level.obj is UTF-16 text; save it as UTF-8',
    );
    expect(() => parseObj(undefined as unknown as string)).toThrow(
      'parseObj: the first argument is undefined; must be',
    );
  });
});

describe('parseObj on real levels', () => {
  for (const name of ['dungeon.obj', 'nav_test.obj']) {
    const file = new URL(`../../../../../../shared/levels/${name}`, import.meta.url);
    it.skipIf(!existsSync(file))(`${name}${existsSync(file) ? '' : ' (skipped: the level does not exist)'}`, () => {
      const bytes = readFileSync(file);
      const mesh = parseObj(bytes, name);
      expect(parseObj(bytes.toString('utf8'), name)).toEqual(mesh);
      const lines = bytes
        .toString('utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      const vertices = lines.filter((words) => words[0] === 'v').flatMap((words) => words.slice(1, 4).map(Number));
      expect([...mesh.positions]).toEqual(vertices);
      const faces = lines.filter((words) => words[0] === 'f');
      expect(faces.length).toBeGreaterThan(700);
      expect(mesh.indices.length / 3).toBe(faces.reduce((sum, words) => sum + words.length - 3, 0));
    });
  }
});
