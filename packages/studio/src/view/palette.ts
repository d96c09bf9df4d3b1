/**
 * The colors of the view, light and dark. Areas use the hues of Okabe and Ito, each at a lightness of its
 * own, so that areas stay distinguishable without color vision. A test simulates this.
 *
 * Based on: M. Okabe, K. Ito, "Color Universal Design", 2008.
 */
import { AREA_GROUND } from 'navkiln';

export interface Palette {
  /** The lower and the upper end of the background. */
  background: string;
  sky: string;
  level: string;
  levelEdge: string;
  ground: string;
  /** Edges between polygons. */
  seam: string;
  /** Boundary edges of the walkable surface. */
  wall: string;
  portal: string;
  link: string;
  autoLink: string;
  path: string;
  /** Outlines of lines and points that must be visible on any background. */
  halo: string;
  start: string;
  end: string;
}

export const LIGHT: Palette = {
  background: '#f6f3ec',
  sky: '#d7e3ea',
  level: '#e4dccd',
  levelEdge: '#a39d90',
  ground: '#3d93c9',
  seam: '#1d6796',
  wall: '#08304d',
  portal: '#8a5a00',
  link: '#7a3e9d',
  autoLink: '#a8186b',
  path: '#c44600',
  halo: '#ffffff',
  start: '#00734f',
  end: '#c44600',
};

export const DARK: Palette = {
  background: '#12161a',
  sky: '#222c35',
  level: '#6b6862',
  levelEdge: '#2b2f31',
  ground: '#3a8fc7',
  seam: '#9fd0ee',
  wall: '#dff2ff',
  portal: '#ffc857',
  link: '#d9a6f0',
  autoLink: '#ff8ac4',
  path: '#ff9a4d',
  halo: '#0b0d0f',
  start: '#4ade9f',
  end: '#ff9a4d',
};

/**
 * Colors of all areas but AREA_GROUND, from dark to light. The blue of AREA_GROUND lies between the third and
 * the fourth. For full color vision and each kind of deficiency, all of them are at least 6 steps of CIE
 * lightness apart. Found by search.
 */
export const AREA_FILLS = ['#4a2374', '#0a5839', '#a44c86', '#5db29f', '#e5b1d7', '#fbd416', '#f4f37d'] as const;

/** Gives consecutive area ids colors of very different lightness. */
const ORDER = [0, 5, 1, 3, 6, 2, 4] as const;

export function areaColor(palette: Palette, area: number): string {
  return area === AREA_GROUND ? palette.ground : AREA_FILLS[ORDER[(area - 1) % ORDER.length]];
}

/** Parses '#rrggbb' into three bytes. */
export function bytesOf(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
