/**
 * Colours of the view, light and dark. Areas take Okabe and Ito's colours, each moved to a lightness of its
 * own, so that two areas that may lie side by side differ in lightness too, and stay apart without colour
 * vision; a test simulates that.
 * Based on: M. Okabe, K. Ito, "Color Universal Design", 2008.
 */
import { AREA_GROUND } from 'navkiln';

export interface Palette {
  background: string;
  level: string;
  levelEdge: string;
  ground: string;
  /** Between polygons. */
  seam: string;
  /** Where walking ends. */
  wall: string;
  portal: string;
  link: string;
  path: string;
  /** Around lines and points that must be seen over anything. */
  halo: string;
  start: string;
  end: string;
}

export const LIGHT: Palette = {
  background: '#eef0ee',
  level: '#d9d4c8',
  levelEdge: '#a39d90',
  ground: '#3d93c9',
  seam: '#1d6796',
  wall: '#08304d',
  portal: '#8a5a00',
  link: '#7a3e9d',
  path: '#c44600',
  halo: '#ffffff',
  start: '#00734f',
  end: '#c44600',
};

export const DARK: Palette = {
  background: '#15191c',
  level: '#5b5f60',
  levelEdge: '#2b2f31',
  ground: '#3a8fc7',
  seam: '#9fd0ee',
  wall: '#dff2ff',
  portal: '#ffc857',
  link: '#d9a6f0',
  path: '#ff9a4d',
  halo: '#0b0d0f',
  start: '#4ade9f',
  end: '#ff9a4d',
};

/**
 * Areas other than the ground, by lightness from dark to light; the ground's blue lies between the third and
 * the fourth. For full and for each kind of lacking colour vision they and the ground are at least 6 steps of
 * CIE lightness apart; found by search.
 */
export const AREA_FILLS = ['#4a2374', '#0a5839', '#a44c86', '#5db29f', '#e5b1d7', '#fbd416', '#f4f37d'] as const;

/** Neighbouring ids are far apart in lightness. */
const ORDER = [0, 5, 1, 3, 6, 2, 4] as const;

export function areaColor(palette: Palette, area: number): string {
  return area === AREA_GROUND ? palette.ground : AREA_FILLS[ORDER[(area - 1) % ORDER.length]];
}

/** '#rrggbb' -> three bytes. */
export function bytesOf(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
