/**
 * The shapes of bodies: a low-poly person whose arms and legs swing, and a tapered column for large crowds. Both have a front, so that
 * one sees where an agent faces.
 *
 * A vertex has a limb (1 left leg, -1 right leg, 2 right arm, -2 left arm, 0 neither) and a color of its own with a share: the rest has
 * the color of the agent's status.
 */
import { BufferAttribute, BufferGeometry, Color, MeshLambertMaterial } from 'three';

export type Shape = 'full' | 'plain';

interface Arrays {
  positions: number[];
  indices: number[];
  limbs: number[];
  /** r, g, b and its share. */
  tints: number[];
}

/** A ring of a limb: height, half width, half depth, and how far its middle lies forward. */
type Ring = readonly [y: number, width: number, depth: number, ahead?: number];

interface Limb {
  /** The middle, sideways. */
  x: number;
  sides: number;
  rings: readonly Ring[];
  limb: number;
  color: string;
  /** Share of `color`, 0 to 1. */
  share: number;
}

const SKIN = '#d9a27e';
const CLOTH = '#2f3a44';
const SHOE = '#1c2126';

const LEG = [
  [0.02, 0.2, 0.24],
  [0.48, 0.3, 0.36],
] as const;
const FOOT = [
  [0, 0.24, 0.5, 0.2],
  [0.055, 0.22, 0.4, 0.1],
] as const;
const ARM = [
  [0.42, 0.13, 0.16],
  [0.78, 0.19, 0.24],
] as const;

const PERSON: readonly Limb[] = [
  { x: 0, sides: 8, rings: [[0.44, 0.6, 0.46], [0.62, 0.62, 0.46], [0.78, 0.86, 0.46], [0.83, 0.34, 0.3]], limb: 0, color: CLOTH, share: 0 },
  { x: 0, sides: 8, rings: [[0.82, 0.3, 0.32], [0.87, 0.46, 0.5], [0.93, 0.47, 0.52], [0.98, 0.34, 0.38], [1, 0.12, 0.14]], limb: 0, color: SKIN, share: 1 },
  ...[-1, 1].flatMap((side): Limb[] => [
    { x: 0.32 * side, sides: 6, rings: LEG, limb: side, color: CLOTH, share: 0.8 },
    { x: 0.32 * side, sides: 6, rings: FOOT, limb: side, color: SHOE, share: 1 },
    { x: 0.98 * side, sides: 6, rings: ARM, limb: -2 * side, color: CLOTH, share: 0.18 },
  ]),
]; // oxfmt-ignore

/** A column with a head, four sides, and a nose at the chest. */
const COLUMN: readonly Limb[] = [
  { x: 0, sides: 4, rings: [[0, 0.7, 0.7], [0.72, 1, 1], [1, 0.3, 0.3]], limb: 0, color: CLOTH, share: 0 },
]; // oxfmt-ignore

/** Creates a body of radius 1 and height 1, standing on the origin and facing +z. */
export function bodyGeometry(shape: Shape): BufferGeometry {
  const arrays: Arrays = { positions: [], indices: [], limbs: [], tints: [] };
  for (const limb of shape === 'full' ? PERSON : COLUMN) addLimb(arrays, limb);
  if (shape === 'plain') addNose(arrays);
  const { positions, indices, limbs, tints } = arrays;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute('limb', new BufferAttribute(new Float32Array(limbs), 1));
  geometry.setAttribute('tint', new BufferAttribute(new Float32Array(tints), 4));
  geometry.setIndex(indices);
  geometry.userData['shape'] = shape;
  return geometry;
}

function addLimb({ positions, indices, limbs, tints }: Arrays, { x, sides, rings, limb, color, share }: Limb): void {
  const first = limbs.length;
  const { r, g, b } = new Color(color);
  for (const [y, width, depth, ahead = 0] of rings) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * (side + 0.5)) / sides;
      positions.push(x + width * Math.sin(angle), y, ahead + depth * Math.cos(angle));
      limbs.push(limb);
      tints.push(r, g, b, share);
    }
  }
  for (let i = 1; i < rings.length; i++) {
    for (let side = 0; side < sides; side++) {
      const [a, c] = [first + (i - 1) * sides + side, first + i * sides + side];
      const next = (side + 1) % sides;
      const [b, d] = [first + (i - 1) * sides + next, first + i * sides + next];
      indices.push(a, b, d, a, d, c);
    }
  }
  const top = first + (rings.length - 1) * sides;
  for (let side = 2; side < sides; side++) indices.push(top, top + side - 1, top + side);
}

/** Adds a wedge from the chest that reaches beyond the radius. */
function addNose({ positions, indices, limbs, tints }: Arrays): void {
  const nose = limbs.length;
  positions.push(0, 0.52, 1.55, 0.5, 0.52, 0.6, -0.5, 0.52, 0.6, 0, 0.66, 0.6);
  limbs.push(0, 0, 0, 0);
  for (let i = 0; i < 4; i++) tints.push(0, 0, 0, 0);
  indices.push(nose + 1, nose, nose + 3, nose, nose + 2, nose + 3);
}

/**
 * Swings arms and legs about hips and shoulders by the phase of the gait (radians) and its share (0 to 1), both in `gait`. A body is
 * 1.8 m high and 0.35 m wide, so that lengths forward are five times as large as those upward.
 */
const GAIT = `
  float swing = sin(gait.x) * gait.y * sign(limb);
  float pivot = abs(limb) > 1.5 ? 0.8 : 0.5;
  float below = limb == 0.0 ? 0.0 : max(0.0, pivot - position.y);
  transformed.z += swing * below * (abs(limb) > 1.5 ? 2.0 : 2.9);
  if (limb != 0.0 && abs(limb) < 1.5) transformed.y += 0.07 * gait.y * max(0.0, cos(gait.x) * sign(limb)) * (1.0 - position.y);
  transformed.y += 0.014 * gait.y * abs(cos(gait.x));
`;

/** Creates the material of bodies with an attribute `gait` for each instance. */
export function bodyMaterial(): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ flatShading: true });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `attribute float limb;\nattribute vec4 tint;\nattribute vec2 gait;\n${shader.vertexShader}`
      .replace('#include <color_vertex>', '#include <color_vertex>\n  vColor.rgb = mix(vColor.rgb, tint.rgb, tint.a);')
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${GAIT}`);
  };
  return material;
}
