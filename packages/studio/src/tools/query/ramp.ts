/** The color ramp of costs. */
import { bytesOf } from '../../view/palette.ts';

/** From dark to light, so that higher costs are lighter for every kind of color vision. */
export const RAMP = ['#2c1160', '#6a1c81', '#b6377a', '#ee605e', '#fda16e', '#fde9a9'] as const;

/** Returns the color of a share from 0 to 1. */
export function rampColor(share: number): string {
  const at = Math.min(0.9999, Math.max(0, share)) * (RAMP.length - 1);
  const [a, b] = [bytesOf(RAMP[Math.floor(at)]), bytesOf(RAMP[Math.floor(at) + 1])];
  const mixed = a.map((value, i) => Math.round(value + (at % 1) * (b[i] - value)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
