/**
 * Limits of profiles: tests whether a profile allows a length and a rise, and computes the largest distance.
 *
 * In: a profile, a peak, the rise from start to end. Out: distances, or whether the limits allow the link.
 * Cost: constant.
 * Based on: own.
 */
import type { Profile } from '../types.ts';

/** Returns the largest horizontal distance of a link; negative if its rise or peak exceeds the limits. */
export function reachOf(profile: Profile, peak: number, rise: number): number {
  const { maxDistance, maxRise, maxDrop, maxLift, runSpeed, gravity } = profile;
  if (rise > maxRise || -rise > maxDrop) return -1;
  if (runSpeed === 0) return maxDistance;
  const h1 = peak + Math.max(0, rise);
  const h2 = peak + Math.max(0, -rise);
  // The margin covers rounding: `peaksOf` derives peaks from `maxLift`, so that h1 can equal it.
  if (h1 > maxLift * (1 + 1e-9)) return -1;
  return runSpeed * (Math.sqrt((2 * h1) / gravity) + Math.sqrt((2 * h2) / gravity));
}

/** Returns the peaks to try for ends whose heights differ by `difference`, lowest first. */
export function peaksOf({ peaks, maxLift }: Profile, difference: number): number[] {
  if (maxLift === Infinity) return peaks;
  const left = Math.max(0, 1 - difference / maxLift);
  // Peaks above the landing of a jump up, and above the take-off of a jump down.
  const all = [...peaks.map((peak) => peak * left), ...peaks].filter((peak) => peak > 0);
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Returns whether the profile allows a link with these ends in this direction, at any peak. */
export function allows(profile: Profile, distance: number, rise: number): boolean {
  if (distance > profile.maxDistance) return false;
  return peaksOf(profile, Math.abs(rise)).some((peak) => distance <= reachOf(profile, peak, rise));
}
