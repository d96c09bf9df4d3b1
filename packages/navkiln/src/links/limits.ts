/**
 * Limits of profiles: whether a way of some length and height is within them, and how far it may reach.
 *
 * In: a profile, a peak, the rise from start to end. Out: distances and yes or no.
 * Cost: constant.
 * Based on: own.
 */
import type { Profile } from './types.ts';

/** Returns the largest horizontal distance of a way; negative when its heights are out of the limits. */
export function reachOf(profile: Profile, peak: number, rise: number): number {
  const { maxDistance, maxRise, maxDrop, maxLift, runSpeed, gravity } = profile;
  if (rise > maxRise || -rise > maxDrop) return -1;
  if (runSpeed === 0) return maxDistance;
  const h1 = peak + Math.max(0, rise);
  const h2 = peak + Math.max(0, -rise);
  // A hundredth of a millionth: the peak is what is left below `maxLift`.
  if (h1 > maxLift * (1 + 1e-9)) return -1;
  return runSpeed * (Math.sqrt((2 * h1) / gravity) + Math.sqrt((2 * h2) / gravity));
}

/** Returns the peaks to try for ends whose heights differ by `difference`, lowest first. */
export function peaksOf({ peaks, maxLift }: Profile, difference: number): number[] {
  if (maxLift === Infinity) return peaks;
  const left = Math.max(0, 1 - difference / maxLift);
  // Over the landing of a jump up, and over the take-off of a jump down.
  const all = [...peaks.map((peak) => peak * left), ...peaks].filter((peak) => peak > 0);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Returns whether some way with these ends is within the limits in this direction. */
export function allows(profile: Profile, distance: number, rise: number): boolean {
  if (distance > profile.maxDistance) return false;
  return peaksOf(profile, Math.abs(rise)).some((peak) => distance <= reachOf(profile, peak, rise));
}
