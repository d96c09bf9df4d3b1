/**
 * Random damage to Detour's files. The outcome is a clear Error, or a mesh without violations, with time and
 * memory bounded by the file's size.
 */
import { expect, it } from 'vitest';
import { parseDetourBin } from '../../src/formats/detour/detour-bin.ts';
import { writeDetourBin } from '../../src/formats/detour/detour-bin-write.ts';
import { addLink } from '../../src/mesh/change/links.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { bumpTile, gridTile, meshOf, ringMesh, seeded, wornMesh } from '../unit/meshes.ts';
import { firstBlob, transcode } from '../unit/formats/detour-file.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261206);
/** `npm run soak` raises it. */
const ROUNDS = Number(process.env['NAVKILN_FUZZ'] ?? 1000);
const EDGE_VALUES = [0, 1, 2, 3, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7f800000, 0x7fc00000];

it(`survives ${ROUNDS} damaged files, seed ${SEED}`, () => {
  const random = seeded(SEED);
  const below = (n: number): number => Math.floor(random() * n);
  const linked = ringMesh();
  addLink(linked, { start: [0.5, 0, 0.5], end: [2.5, 0, 2.5], bothWays: true });
  const plain = [wornMesh(), linked, meshOf(bumpTile(), gridTile(3, 2)), meshOf()].map(
    (mesh) => writeDetourBin(mesh).bytes,
  );
  const files = [
    ...plain,
    firstBlob(plain[1]),
    transcode(plain[1], { bigEndian: true }),
    transcode(plain[2], { wideRefs: true }),
  ];
  const outcomes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    let bytes = files[below(files.length)].slice();
    const view = new DataView(bytes.buffer);
    const kind = below(5);
    for (let i = 1 + below(3); i > 0; i--) {
      if (kind === 0) bytes[below(bytes.length)] ^= 1 << below(8);
      if (kind === 1)
        view.setUint32(4 * below(Math.min(bytes.length, 148) / 4), EDGE_VALUES[below(EDGE_VALUES.length)], true);
      if (kind === 2) view.setUint32(4 * below(bytes.length / 4), EDGE_VALUES[below(EDGE_VALUES.length)], true);
      if (kind === 3) view.setUint16(2 * below(bytes.length / 2), below(64), true);
      if (kind === 4)
        view.setUint16(2 * below(bytes.length / 2), EDGE_VALUES[below(EDGE_VALUES.length)] & 0xffff, true);
    }
    if (random() < 0.1)
      bytes = random() < 0.5 ? bytes.slice(0, below(bytes.length)) : Uint8Array.from([...bytes, 1, 2, 3, 4]);
    const message = `seed ${SEED}, round ${round}`;
    let outcome = 'read';
    let mesh;
    try {
      mesh = parseDetourBin(bytes).navMesh;
    } catch (error) {
      expect(error, message).toBeInstanceOf(Error);
      expect((error as Error).message, message).toMatch(/^parseDetourBin: \S/);
      outcome = (error as Error).message
        .slice(16)
        .replace(/[-\d.]+/g, '#')
        .slice(0, 60);
    }
    if (mesh !== undefined) {
      expect(validateNavMesh(mesh), message).toEqual([]);
      const sound = mesh;
      expect(() => findPath(sound, [0.5, 0, 0.5], [2.5, 0, 2.5]), message).not.toThrow();
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // The damage reaches every stage of the reader.
  expect(outcomes.size, JSON.stringify([...outcomes])).toBeGreaterThan(40);
  expect(outcomes.get('read')).toBeGreaterThan(ROUNDS / 10);
});
