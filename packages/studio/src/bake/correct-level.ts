/** Applies a correction to the triangles of a level: a turn about the x axis, a scale, a flip, two-sided faces. Loaded on demand. */
import { orientTwoSided } from 'navkiln/world';
import { NO_CORRECTION } from '../state/state.ts';
import type { LevelCorrection } from '../state/state.ts';

export interface Triangles {
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
}

/** Returns corrected copies. Without a correction, returns the arrays themselves. */
export function correctLevel({ positions, indices }: Triangles, correction: LevelCorrection | undefined): Triangles {
  const { turn, scale, isFlipped, isTwoSided } = correction ?? NO_CORRECTION;
  const moved = turn === 0 && scale === 1 ? positions : positions.slice();
  if (moved !== positions) {
    for (let i = 0; i + 2 < moved.length; i += 3) {
      const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
      moved[i] = scale * x;
      moved[i + 1] = scale * (turn === 0 ? y : turn < 0 ? z : -z);
      moved[i + 2] = scale * (turn === 0 ? z : turn < 0 ? -y : y);
    }
  }
  const faces = isFlipped ? indices.slice() : indices;
  if (isFlipped) {
    for (let i = 0; i + 2 < faces.length; i += 3) [faces[i + 1], faces[i + 2]] = [indices[i + 2], indices[i + 1]];
  }
  const all = isTwoSided ? new Uint8Array(faces.length / 3).fill(1) : undefined;
  return { positions: moved, indices: orientTwoSided(moved, faces, all) };
}
