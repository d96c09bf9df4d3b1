/**
 * The colours of pictures. Areas take the eight colours of Okabe and Ito, which remain apart for every common kind of colour
 * blindness; the ground is blue and the path vermilion, the pair that is furthest apart. The level itself stays a pale stone,
 * so that nothing competes with the mesh.
 * Based on: M. Okabe, K. Ito, "Color Universal Design", 2008.
 */
import { AREA_GROUND } from '../constants.ts';

export const PAPER = '#fbfaf6';
export const PAPER_EDGE = '#d9d5ca';
export const INK = '#26323a';
export const INK_SOFT = '#6b747a';
export const PATH_COLOR = '#d55e00';
export const GROUND_FILL = '#3d93c9';
export const GROUND_EDGE = '#0b4a75';

const AREA_FILLS = ['#e69f00', '#009e73', '#cc79a7', '#f0e442', '#56b4e9', '#8c6bb1', '#999999'] as const;

/** Fill of polygons of an area: the ground's blue, else one of seven by id. */
export function areaFill(area: number): string {
  return area === AREA_GROUND ? GROUND_FILL : AREA_FILLS[(area - 1) % AREA_FILLS.length];
}

/** Stone, from the deepest shade to full light, with lower ground cooler and higher ground warmer. */
export function stoneColor(light: number, height: number): string {
  const shade = Math.min(1, Math.max(0, light));
  const warm = Math.min(1, Math.max(0, height));
  const red = 116 + 130 * shade + 6 * warm;
  const green = 120 + 124 * shade + 3 * warm;
  const blue = 126 + 112 * shade - 8 * warm;
  return `#${hex(red)}${hex(green)}${hex(blue)}`;
}

function hex(value: number): string {
  return Math.min(255, Math.round(value)).toString(16).padStart(2, '0');
}
