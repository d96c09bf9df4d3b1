/**
 * Applies a correction to the triangles of a level: a turn about the x axis, a scale, a flip, two-sided faces, areas of objects, and
 * objects that are left out. Loaded on demand.
 */
import { orientTwoSided } from 'navkiln/world';
import { AREA_GROUND } from 'navkiln';
import { LEFT_OUT, NO_CORRECTION } from '../state/state.ts';
import type { LevelCorrection, LevelObject } from '../state/state.ts';

export interface Triangles {
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  /** Area id of each triangle; undefined: all are ground. */
  areas?: Uint8Array;
}

/** Returns corrected copies. Without a correction, returns the arrays themselves. */
export function correctLevel(
  opened: Triangles,
  correction: LevelCorrection | undefined,
  objects: readonly LevelObject[] = [],
): Triangles {
  const { turn, scale, isFlipped, isTwoSided, objects: choices = {} } = correction ?? NO_CORRECTION;
  const { positions, indices, areas } = chosenObjects(opened, objects, choices);
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
  return { positions: moved, indices: orientTwoSided(moved, faces, all), areas };
}

/** Returns the triangles that are not left out, with their areas where some are not ground. */
function chosenObjects(
  opened: Triangles,
  objects: readonly LevelObject[],
  choices: Readonly<Record<string, number>>,
): Triangles {
  const chosen = Object.entries(choices).filter(([number]) => objects[Number(number)] !== undefined);
  if (chosen.length === 0) return opened;
  // This id, above the largest one, marks objects that are left out.
  const out = 255;
  const all = new Uint8Array(opened.indices.length / 3).fill(AREA_GROUND);
  for (const [number, area] of chosen) {
    for (const [start, count] of objects[Number(number)].ranges)
      all.fill(area === LEFT_OUT ? out : area, start, start + count);
  }
  const ofAreas = chosen.some(([, area]) => area !== LEFT_OUT);
  if (!all.includes(out)) return { ...opened, areas: ofAreas ? all : undefined };
  const indices = opened.indices.filter((_, i) => all[Math.floor(i / 3)] !== out);
  const areas = ofAreas ? all.filter((area) => area !== out) : undefined;
  return { positions: compacted(opened.positions, indices), indices, areas };
}

/** Returns the vertices in use, and renumbers the indices in place: those of objects that are left out do not count for the bounds. */
function compacted(positions: Triangles['positions'], indices: Uint32Array): Triangles['positions'] {
  const numbers = new Int32Array(positions.length / 3).fill(-1);
  let count = 0;
  const used = positions.slice();
  for (let i = 0; i < indices.length; i++) {
    const vertex = indices[i];
    if (numbers[vertex] < 0) {
      numbers[vertex] = count;
      used.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * count++);
    }
    indices[i] = numbers[vertex];
  }
  return used.slice(0, 3 * count);
}
