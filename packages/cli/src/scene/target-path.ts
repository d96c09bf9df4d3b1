/** Computes the position of a target that moves along points. No Node. */
import type { ScenePoint, SceneTarget } from './types.ts';

export interface TargetPath {
  points: readonly ScenePoint[];
  /** Path length to each point. A loop has one more: the length of a full round. */
  lengths: readonly number[];
  speed: number;
  isLoop: boolean;
  startsAt: number;
}

/** Returns undefined when the target stands still. */
export function pathOfTarget({ path, speed, loop = false, startsAt = 0 }: SceneTarget): TargetPath | undefined {
  if (path === undefined) return undefined;
  const lengths = [0];
  const way = loop ? [...path.slice(1), path[0]] : path.slice(1);
  way.forEach(([x, y, z], i) => {
    const [fromX, fromY, fromZ] = path[i];
    lengths.push(lengths[i] + Math.sqrt((x - fromX) ** 2 + (y - fromY) ** 2 + (z - fromZ) ** 2));
  });
  return { points: path, lengths, speed: speed!, isLoop: loop, startsAt };
}

/** Writes the position at a second. Returns false when the target no longer moves. */
export function moveTarget(
  out: ScenePoint,
  { points, lengths, speed, isLoop, startsAt }: TargetPath,
  second: number,
): boolean {
  const whole = lengths[lengths.length - 1];
  let way = Math.max(0, (second - startsAt) * speed);
  const isDone = !isLoop && way >= whole;
  if (isLoop) way -= Math.floor(way / whole) * whole;
  else way = Math.min(way, whole);
  let i = 1;
  while (i < lengths.length - 1 && lengths[i] < way) i++;
  const length = lengths[i] - lengths[i - 1];
  const share = length > 0 ? (way - lengths[i - 1]) / length : 1;
  const from = points[i - 1];
  const to = points[i % points.length];
  for (let k = 0; k < 3; k++) out[k] = share >= 1 ? to[k] : from[k] + (to[k] - from[k]) * share;
  return !isDone;
}
