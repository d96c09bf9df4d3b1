/** Places that questions are about: on the ground, on a grid, on corners of the mesh, moved by keys. */
import { findNearest } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { findScene } from '../../scenes/list.ts';
import { isPoint } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import type { Hit } from '../../view/picking.ts';
import type { View } from '../../view/view.ts';
import type { ToolPointer } from '../tool.ts';

export type Snap = 'free' | 'corners' | '0.5' | '1';

export const SNAPS: readonly (readonly [Snap, string])[] = [
  ['free', 'off'],
  ['corners', 'corners of polygons'],
  ['0.5', 'a grid of 0.5 m'],
  ['1', 'a grid of 1 m'],
];

/** To the millimetre, so that what is shown, linked and copied is what was asked. */
export function rounded(point: ArrayLike<number>): Vec3 {
  const at = (axis: number): number => Number(point[axis].toFixed(3)) + 0;
  return [at(0), at(1), at(2)];
}

/** '1, 2 3' -> a point. */
export function readPlace(text: string): Vec3 | undefined {
  const numbers = text
    .replace(/[[\](){}]/g, ' ')
    .split(/[\s,;]+/)
    .filter((one) => one !== '')
    .map(Number);
  return isPoint(numbers) ? rounded(numbers) : undefined;
}

/** Where a path worth asking for begins and ends, in a bundled scene. */
export function sceneEnds({ source }: StudioState): { from?: Vec3; to?: Vec3 } {
  return (source?.kind === 'scene' ? findScene(source.name)?.path : undefined) ?? {};
}

/** The same place at the height of the ground there, when ground is within an agent's height. */
function onGround(mesh: NavMesh, [x, y, z]: Vec3): Vec3 {
  const found = findNearest(mesh, [x, y, z], { halfExtents: [1e-3, Math.max(mesh.agent.height, 0.5), 1e-3] });
  return rounded([x, found.found && found.isOver ? found.point[1] : y, z]);
}

/** Where a hit is snapped to. */
export function snapped(mesh: NavMesh | undefined, hit: Hit, pointer: ToolPointer, snap: Snap): Vec3 {
  if (mesh === undefined) return rounded(hit.point);
  const wanted = pointer.ctrl ? 'corners' : snap;
  if (wanted === 'free') return rounded(hit.point);
  if (wanted === 'corners') {
    const corners = hit.poly < 0 ? [] : cornersOf(mesh, hit.poly);
    const at = pointer.nearest(corners);
    return rounded(at < 0 ? hit.point : corners[at]);
  }
  const step = Number(wanted);
  const [x, y, z] = hit.point;
  return onGround(mesh, [Math.round(x / step) * step, y, Math.round(z / step) * step]);
}

function cornersOf({ polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh, poly: number): Vec3[] {
  return Array.from({ length: polyVertexCount[poly] }, (_, k): Vec3 => {
    const at = 3 * edgeVertex[polyEdgeStart[poly] + k];
    return [vertices[at], vertices[at + 1], vertices[at + 2]];
  });
}

const ARROWS: Readonly<Record<string, readonly [right: number, away: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const STEP = 0.1;

/**
 * Where a key moves a place to: along the axis of the world that is nearest to the arrow's way on the screen.
 */
export function nudged(mesh: NavMesh | undefined, place: Vec3, event: KeyboardEvent, view: View): Vec3 | undefined {
  const step = event.shiftKey ? 10 * STEP : STEP;
  const [x, y, z] = place;
  if (event.key === 'PageUp') return rounded([x, y + step, z]);
  if (event.key === 'PageDown') return rounded([x, y - step, z]);
  const arrow = ARROWS[event.key];
  if (arrow === undefined) return undefined;
  const { position, target } = view.pose();
  const ahead = [target[0] - position[0], target[2] - position[2]];
  const isAlongX = Math.abs(ahead[0]) > Math.abs(ahead[1]);
  const [ax, az] = isAlongX ? [Math.sign(ahead[0]), 0] : [0, Math.sign(ahead[1]) || -1];
  const [right, away] = arrow;
  const next: Vec3 = [x + step * (away * ax - right * az), y, z + step * (away * az + right * ax)];
  return mesh === undefined ? rounded(next) : onGround(mesh, next);
}
