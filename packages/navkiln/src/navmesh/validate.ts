/**
 * What is wrong with a mesh? A list of violations, empty for a sound one. For tests, tools and doubts; exported from
 * `navkiln/debug`. Cost: linear in the mesh (see check.ts, whose checks these are, and the derived look-up table's).
 */
import { checkNavMesh } from './check.ts';
import type { ViolationCode } from './check.ts';
import { tileBucket } from './tile-grid.ts';
import type { NavMesh } from './types.ts';

export type { ViolationCode } from './check.ts';

export interface Violation {
  code: ViolationCode;
  /** The field and its index, as in `polyArea[3]`. */
  where: string;
  /** One sentence. */
  message: string;
}

/** Violations kept; of a mesh with more, the rest is left out. */
const MAX_VIOLATIONS = 1000;

export function validateNavMesh(mesh: NavMesh): Violation[] {
  const violations: Violation[] = [];
  const report = (code: ViolationCode, where: string, problem: string): void => {
    if (violations.length < MAX_VIOLATIONS) {
      violations.push({ code, where, message: `${where}${/^[,:]/.test(problem) ? '' : ' '}${problem}` });
    }
  };
  checkNavMesh(mesh, report);
  if (!violations.some((one) => one.code === 'size')) checkTileHash(mesh, report);
  return violations;
}

/** Each used slot is in the bucket of its place, once; no free slot is in any. */
function checkTileHash(mesh: NavMesh, report: (code: ViolationCode, where: string, problem: string) => void): void {
  const { tileHash, tileNext, tileSlotCount } = mesh;
  const buckets = tileHash.length;
  if (buckets === 0 || (buckets & (buckets - 1)) !== 0 || tileNext.length < tileSlotCount) {
    report('tile-hash', 'tileHash', `has ${buckets} buckets, or tileNext ${tileNext.length} entries, which cannot be`);
    return;
  }
  const seen = new Uint8Array(tileSlotCount);
  for (let bucket = 0; bucket < buckets; bucket++) {
    let where = `tileHash[${bucket}]`;
    for (let slot = tileHash[bucket]; slot !== -1; slot = tileNext[slot]) {
      const isGood = slot >= 0 && slot < tileSlotCount && seen[slot] === 0 && mesh.tileState[slot] === 1 &&
        tileBucket(mesh, mesh.tileX[slot], mesh.tileZ[slot]) === bucket;
      if (!isGood) {
        report('tile-hash', where, `is ${slot}: no tile of this bucket, or one met before`);
        return;
      }
      seen[slot] = 1;
      where = `tileNext[${slot}]`;
    }
  }
  for (let slot = 0; slot < tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 1 && seen[slot] === 0) {
      report('tile-hash', `tileNext[${slot}]`, `: tile slot ${slot} is in no bucket`);
    }
  }
}
