/** The points of queries: on the surface, snapped to a grid or to polygon corners, or moved by keys. */
import { findNearest } from 'navkiln';
import type { NavMesh } from 'navkiln';
import { mapToMesh, meshToMap } from 'navkiln/polygon';
import { findScene } from '../../scenes/list.ts';
import { isPoint } from '../../state/state.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import type { Hit } from '../../view/picking.ts';
import type { View } from '../../view/view.ts';
import type { ToolPointer } from '../tool.ts';

export type Snap = 'free' | 'corners' | '0.5' | '1';

export const SNAPS: readonly (readonly [Snap, string])[] = [
  ['free', 'off'],
  ['corners', 'polygon corners'],
  ['0.5', 'a grid of 0.5 m'],
  ['1', 'a grid of 1 m'],
];

/** Rounds to millimeters, so that the displayed, linked and copied point equals the point of the query. */
export function rounded(point: ArrayLike<number>): Vec3 {
  const at = (axis: number): number => Number(point[axis].toFixed(3)) + 0;
  return [at(0), at(1), at(2)];
}

/** Parses a point such as '1, 2 3', or '1, 2' of a 2D map with its mesh. Returns undefined for anything else. */
export function readPoint(text: string, map?: NavMesh): Vec3 | undefined {
  const numbers = text
    .replace(/[[\](){}]/g, ' ')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (map !== undefined && numbers.length === 2 && numbers.every(Number.isFinite)) {
    return rounded(mapToMesh(map, [numbers[0], numbers[1]]));
  }
  return isPoint(numbers) ? rounded(numbers) : undefined;
}

/** Returns a point as text; with the mesh of a 2D map, as a point of the map. */
export function writePoint(point: Vec3 | undefined, map?: NavMesh): string {
  if (point === undefined) return '';
  return (map === undefined ? point : meshToMap(map, point)).join(', ');
}

/** Returns the ends of the example path of a bundled scene. */
export function sceneEnds({ source }: StudioState): { from?: Vec3; to?: Vec3 } {
  return (source?.kind === 'scene' ? findScene(source.name)?.path : undefined) ?? {};
}

/** How far an end of an example path may move onto the mesh, world units. */
const MOST_MOVED = 3;

/** Returns an end of the example path on a mesh. With other settings than the scene's, the mesh may not reach it: then it moves. */
export function sampleOn(mesh: NavMesh, sample: Vec3): Vec3 {
  if (findNearest(mesh, sample).found) return sample;
  const near = findNearest(mesh, sample, { halfExtents: MOST_MOVED });
  return near.found ? rounded(near.point) : sample;
}

/** Moves a point vertically to the surface, if that is within an agent's height. */
function onSurface(mesh: NavMesh, [x, y, z]: Vec3): Vec3 {
  const found = findNearest(mesh, [x, y, z], { halfExtents: [1e-3, Math.max(mesh.agent.height, 0.5), 1e-3] });
  return rounded([x, found.found && found.isOver ? found.point[1] : y, z]);
}

/** Returns the point that a hit snaps to. */
export function snapped(mesh: NavMesh | undefined, hit: Hit, pointer: ToolPointer, snap: Snap): Vec3 {
  if (mesh === undefined) return rounded(hit.point);
  const wanted = pointer.ctrl ? 'corners' : snap;
  if (wanted === 'free') return rounded(hit.point);
  if (wanted === 'corners') {
    const corners = hit.poly < 0 ? [] : cornersOf(mesh, hit.poly);
    const index = pointer.nearest(corners);
    return rounded(index < 0 ? hit.point : corners[index]);
  }
  const step = Number(wanted);
  const [x, y, z] = hit.point;
  return onSurface(mesh, [Math.round(x / step) * step, y, Math.round(z / step) * step]);
}

function cornersOf({ polyEdgeStart, polyVertexCount, edgeVertex, vertices }: NavMesh, poly: number): Vec3[] {
  return Array.from({ length: polyVertexCount[poly] }, (_, k): Vec3 => {
    const offset = 3 * edgeVertex[polyEdgeStart[poly] + k];
    return [vertices[offset], vertices[offset + 1], vertices[offset + 2]];
  });
}

const ARROWS: Readonly<Record<string, readonly [right: number, away: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** How far a key moves a point, world units. With Shift it is ten times as far. */
const STEP = 0.1;

/**
 * Moves a point by a key: along the world axis that is nearest to the direction of the arrow on the screen.
 */
export function nudged(mesh: NavMesh | undefined, point: Vec3, event: KeyboardEvent, view: View): Vec3 | undefined {
  const step = event.shiftKey ? 10 * STEP : STEP;
  const [x, y, z] = point;
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
  return mesh === undefined ? rounded(next) : onSurface(mesh, next);
}
