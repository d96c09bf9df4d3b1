/**
 * The colors of pictures. Areas have the eight colors of Okabe and Ito, which are distinguishable with all
 * common kinds of color blindness. The surface is blue and the path vermilion, the pair with the highest
 * contrast. Levels are pale stone, so that meshes stand out.
 *
 * Based on: M. Okabe, K. Ito, "Color Universal Design", 2008.
 */
import { AREA_GROUND } from '../base/constants.ts';

export const PAPER = '#fbfaf6';
export const PAPER_EDGE = '#d9d5ca';
export const INK = '#26323a';
export const INK_SOFT = '#6b747a';
export const PATH_COLOR = '#d55e00';
export const GROUND_FILL = '#3d93c9';
export const GROUND_EDGE = '#0b4a75';

/** Lines drawn with the path, in this order. */
export const LINE_COLORS = ['#009e73', '#8c6bb1', '#e69f00', '#cc79a7'] as const;

const AREA_FILLS = ['#e69f00', '#009e73', '#cc79a7', '#f0e442', '#56b4e9', '#8c6bb1', '#999999'] as const;

/** Returns the fill of an area's polygons: blue for `AREA_GROUND`, otherwise one of seven colors by id. */
export function areaFill(area: number): string {
  return area === AREA_GROUND ? GROUND_FILL : AREA_FILLS[(area - 1) % AREA_FILLS.length];
}

/** Returns a stone color: light is 0 (dark) to 1, height is 0 (low, cool) to 1 (high, warm). */
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
