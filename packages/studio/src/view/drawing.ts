/**
 * Drawings: what layers and tools pass to the view, as flat arrays with a style. Only this file turns them
 * into three.js objects.
 */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  BackSide,
  FrontSide,
  GreaterDepth,
  LessEqualDepth,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Points,
  PointsMaterial,
  Sphere,
  Vector3,
} from 'three';
import type { Material, Object3D } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

interface Style {
  /** xyz, relative to the state's origin. */
  positions: Float32Array;
  /** '#rrggbb'. Default white. */
  color?: string;
  /** r, g, b, a of each point, 0 to 255. Takes precedence over `color`. */
  colors?: Uint8Array;
  /** With `colors`: all of them have an alpha of 255. Default false. */
  isOpaque?: boolean;
  /** From 0 to 1. Default 1. */
  opacity?: number;
  /** Visible through everything in front of it. Default false. */
  isOnTop?: boolean;
  /**
   * Draws only where something is in front of it. The counterpart of a drawing without it, and not counted. Default
   * false.
   */
  isBehind?: boolean;
  /**
   * Distance that it is moved towards the camera for the depth test, world units: it covers bumps that rise above it
   * by less. Its position on the screen stays the same. Default 0.
   */
  nearer?: number;
  /** Not counted, because another drawing shows the same. Default false. */
  isGhost?: boolean;
  /** Does not hide what is behind it: something else does that. Default false. */
  isThin?: boolean;
  /** Drawings of higher order cover those of lower order at equal depth. Default 0. */
  order?: number;
}

export interface Triangles extends Style {
  kind: 'triangles';
  indices?: Uint32Array;
  /** Lit from above with flat shading. Default false. */
  isShaded?: boolean;
  /** The side from which it is visible. Default 'both'. */
  side?: 'both' | 'front' | 'back';
  /**
   * Polygon offset towards the camera, in steps, so that the mesh covers the floor that it was baked from.
   * Default 0.
   */
  lift?: number;
}

/** Line segments: two points each. */
export interface Lines extends Style {
  kind: 'lines';
  /** Pixels. Default 1. */
  width?: number;
  isDashed?: boolean;
}

export interface Dots extends Style {
  kind: 'points';
  /** Diameter in pixels. Default 6. */
  size?: number;
}

export type Drawing = Triangles | Lines | Dots;

export interface DrawingCounts {
  triangles: number;
  lines: number;
  points: number;
}

export function countDrawings(drawings: readonly Drawing[]): DrawingCounts {
  const counts = { triangles: 0, lines: 0, points: 0 };
  for (const drawing of drawings) {
    if (drawing.isBehind === true || drawing.isGhost === true) continue;
    if (drawing.kind === 'triangles') counts.triangles += (drawing.indices?.length ?? drawing.positions.length / 3) / 3;
    else if (drawing.kind === 'lines') counts.lines += drawing.positions.length / 6;
    else counts.points += drawing.positions.length / 3;
  }
  return counts;
}

/** Creates the three.js object of a drawing. */
export function drawn(drawing: Drawing): Object3D {
  const object =
    drawing.kind === 'triangles'
      ? drawnTriangles(drawing)
      : drawing.kind === 'lines'
        ? drawnLines(drawing)
        : drawnDots(drawing);
  object.renderOrder = (drawing.order ?? 0) + (drawing.isOnTop === true ? 100 : 0);
  object.frustumCulled = false;
  object.matrixAutoUpdate = false;
  return object;
}

/** Returns the parameters that all materials share. */
function materialOptions({
  color,
  colors,
  opacity = 1,
  isOnTop = false,
  isBehind = false,
  isThin = false,
  isOpaque = false,
}: Style): object {
  return {
    color: new Color(color ?? '#ffffff'),
    vertexColors: colors !== undefined,
    opacity,
    transparent: opacity < 1 || isOnTop || isBehind || isThin || (colors !== undefined && !isOpaque),
    depthTest: !isOnTop,
    depthFunc: isBehind ? GreaterDepth : LessEqualDepth,
    depthWrite: opacity === 1 && !isOnTop && !isBehind && !isThin,
  };
}

function geometryOf({ positions, colors }: Style): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', attributeOf(positions, 3));
  if (colors !== undefined) geometry.setAttribute('color', colorsOf(colors));
  // Only its center is used, to sort what is transparent; three.js would visit all points.
  geometry.boundingSphere = new Sphere(middleOf(positions), 1);
  return geometry;
}

/** Attributes of arrays that several drawings share, so that they are on the GPU once. */
const attributes = new WeakMap<ArrayBufferView, BufferAttribute>();

function attributeOf(array: Float32Array | Uint32Array, size: number): BufferAttribute {
  const attribute = attributes.get(array) ?? new BufferAttribute(array, size);
  attributes.set(array, attribute);
  return attribute;
}

function colorsOf(colors: Uint8Array): BufferAttribute {
  const attribute = attributes.get(colors) ?? new BufferAttribute(toLinear(colors), 4, true);
  attributes.set(colors, attribute);
  return attribute;
}

/** Returns the mean of some points. */
function middleOf(positions: Float32Array): Vector3 {
  const middle = new Vector3();
  const step = 3 * Math.max(1, Math.floor(positions.length / 3 / 256));
  let count = 0;
  for (let i = 0; i + 2 < positions.length; i += step, count++) {
    middle.x += positions[i];
    middle.y += positions[i + 1];
    middle.z += positions[i + 2];
  }
  return count === 0 ? middle : middle.divideScalar(count);
}

/** Linear light of each sRGB byte, because vertex colors are linear. */
const LINEAR = Uint16Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return Math.round(65535 * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
});

function toLinear(colors: Uint8Array): Uint16Array {
  const out = new Uint16Array(colors.length);
  for (let i = 0; i < out.length; i++) out[i] = i % 4 === 3 ? 257 * colors[i] : LINEAR[colors[i]];
  return out;
}

/** Replaces the depth by that of a point nearer to the camera on the same ray. */
const NEARER_CODE = `
  float nearerDepth = max(0.5 * gl_Position.w, gl_Position.w - nearer);
  gl_Position.z = gl_Position.w * (-projectionMatrix[2][2] + projectionMatrix[3][2] / nearerDepth - nearerShare);
`;
/** Share of the depth range by which lines are nearer, so that the surface that they lie on does not hide them. */
const LINE_SHARE = 1.5e-5;

/** Moves a drawing towards the camera for the depth test: by a distance in world units, and a share of the depth range. */
function moveNearer(material: Material, nearer = 0, share = 0): void {
  if (nearer === 0 && share === 0) return;
  material.onBeforeCompile = (shader) => {
    shader.uniforms['nearer'] = { value: nearer };
    shader.uniforms['nearerShare'] = { value: share };
    const end = shader.vertexShader.lastIndexOf('}');
    shader.vertexShader = `uniform float nearer;\nuniform float nearerShare;\n${shader.vertexShader.slice(0, end)}${NEARER_CODE}}`;
  };
}

function drawnTriangles(drawing: Triangles): Object3D {
  const { indices, isShaded = false, side = 'both', lift = 0, nearer } = drawing;
  const geometry = geometryOf(drawing);
  if (indices !== undefined) geometry.setIndex(attributeOf(indices, 1));
  const options = {
    ...materialOptions(drawing),
    side: side === 'both' ? DoubleSide : side === 'front' ? FrontSide : BackSide,
    polygonOffset: lift !== 0,
    polygonOffsetFactor: -lift,
    polygonOffsetUnits: -4 * lift,
  };
  const material = isShaded
    ? new MeshLambertMaterial({ ...options, flatShading: true })
    : new MeshBasicMaterial(options);
  moveNearer(material, nearer);
  const mesh = new Mesh(geometry, material);
  const { opacity = 1 } = drawing;
  // Walls that hide rooms are drawn faintly, and hide no light.
  if (isShaded && side === 'front' && opacity === 1) {
    material.shadowSide = DoubleSide;
    mesh.castShadow = mesh.receiveShadow = true;
  }
  return mesh;
}

function drawnLines(drawing: Lines): Object3D {
  const { positions, colors, width = 1, isDashed = false } = drawing;
  if (width <= 1 && !isDashed) {
    const material = new LineBasicMaterial(materialOptions(drawing));
    moveNearer(material, drawing.nearer, LINE_SHARE);
    return new LineSegments(geometryOf(drawing), material);
  }
  const geometry = new LineSegmentsGeometry();
  // As in `geometryOf`: nothing is culled.
  geometry.computeBoundingBox = geometry.computeBoundingSphere = () => undefined;
  geometry.setPositions(positions);
  geometry.boundingSphere = new Sphere(middleOf(positions), 1);
  if (colors !== undefined) {
    const triples = new Float32Array(positions.length);
    for (let i = 0; i < triples.length; i++) triples[i] = LINEAR[colors[4 * Math.floor(i / 3) + (i % 3)]] / 65535;
    geometry.setColors(triples);
  }
  const material = new LineMaterial({
    ...materialOptions(drawing),
    linewidth: width,
    dashed: isDashed,
    dashSize: drawing.isBehind === true ? 0.7 : 0.35,
    gapSize: drawing.isBehind === true ? 0.35 : 0.25,
  });
  moveNearer(material, drawing.nearer, LINE_SHARE);
  const lines = new LineSegments2(geometry, material);
  if (isDashed) lines.computeLineDistances();
  return lines;
}

function drawnDots(drawing: Dots): Object3D {
  const { size = 6 } = drawing;
  const material = new PointsMaterial({ ...materialOptions(drawing), size: size * 2, sizeAttenuation: false });
  // Round points without a texture.
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <clipping_planes_fragment>',
      '#include <clipping_planes_fragment>\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;',
    );
  };
  return new Points(geometryOf(drawing), material);
}

/** Returns one object of each style that layers use, to compile their shaders early. */
export function sampleObjects(): Object3D[] {
  const positions = new Float32Array(9);
  const line = new Float32Array(6);
  const samples: Drawing[] = [
    { kind: 'triangles', positions, isShaded: true, side: 'front' },
    { kind: 'triangles', positions, isShaded: true, side: 'back', opacity: 0.1 },
    { kind: 'triangles', positions, colors: new Uint8Array(12), lift: 1, nearer: 1 },
    { kind: 'triangles', positions, colors: new Uint8Array(12), lift: 1, nearer: 1, opacity: 0.3, isBehind: true },
    { kind: 'lines', positions: line, opacity: 0.55 },
    { kind: 'lines', positions: line, width: 2 },
    { kind: 'lines', positions: line, width: 2, isDashed: true },
    { kind: 'lines', positions: line, width: 2, isDashed: true, isBehind: true },
    { kind: 'lines', positions: line, width: 2, isOnTop: true },
    { kind: 'points', positions: line },
    { kind: 'points', positions: line, isOnTop: true },
  ];
  return samples.map(drawn);
}

/** Frees the GPU resources of an object and its children. */
export function disposeObject(object: Object3D): void {
  object.traverse((inner) => {
    const { geometry, material } = inner as Mesh;
    geometry?.dispose();
    for (const each of Array.isArray(material) ? material : [material]) each?.dispose();
  });
}
