/** The content of the path tool on 2D maps: points of the map, the passages that the radius closes, and calls in 2D. */
import type { NavMesh, Path } from 'navkiln';
import { mapToMesh, meshToMap } from 'navkiln/polygon';
import { row } from '../../dom/dom.ts';
import type { StudioState, Vec3 } from '../../state/state.ts';
import type { Marks } from '../../view/marks.ts';
import type { QueryResult } from './kind.ts';

/** Half size of crosses at closed passages, in widths of an agent. */
const CROSS = 1;
/** Narrow passages that are drawn. */
const MAX_DRAWN = 100;

export function isMapMesh(mesh: NavMesh): boolean {
  return mesh.mapYSign !== 0 && isFlat(mesh);
}

const flat = new WeakMap<NavMesh, boolean>();

/** Returns whether all vertices lie at the height 0, unlike those of a building with several levels. */
function isFlat(mesh: NavMesh): boolean {
  let known = flat.get(mesh);
  if (known !== undefined) return known;
  known = true;
  for (let i = 1; i < mesh.vertices.length; i += 3) known &&= mesh.vertices[i] === 0;
  flat.set(mesh, known);
  return known;
}

/** Returns rows that say how far the ends were moved onto the walkable area. */
export function movedRows(path: Path & { startDistance?: number; endDistance?: number }): HTMLElement[] {
  const ends: [string, number | undefined][] = [
    ['Start', path.startDistance],
    ['End', path.endDistance],
  ];
  return ends.flatMap(([title, distance]) =>
    distance === undefined || !(distance > 0) || !Number.isFinite(distance)
      ? []
      : [row(`${title} was moved by`, `${distance.toFixed(2)} m`)],
  );
}

interface Passages {
  /** The sentence of the report, or '' when no passage is closed. */
  text: string;
  draw: (marks: Marks) => void;
}

/** Returns the passages of the open map that are too narrow for the agent. */
export function closedPassages({ mesh }: StudioState): Passages {
  const warnings: readonly object[] = mesh?.report?.warnings ?? [];
  const found = warnings.find((warning): warning is ClosedWarning => 'passages' in warning);
  if (mesh === undefined || found === undefined) return { text: '', draw: () => undefined };
  const size = CROSS * Math.max(2 * mesh.navMesh.agent.radius, 1e-3);
  return {
    text: `${found.message.charAt(0).toUpperCase()}${found.message.slice(1)}.`,
    draw(marks) {
      for (const { at } of found.passages.slice(0, MAX_DRAWN)) marks.cross(mapToMesh(mesh.navMesh, at), size);
    },
  };
}

interface ClosedWarning {
  message: string;
  passages: readonly { at: readonly [number, number] }[];
}

/** Returns the query as code. `smooth` has no 2D form, so its ends are positions on the mesh. */
export function codeOfMapPaths(
  mesh: NavMesh,
  ends: readonly [Vec3, Vec3],
  methods: readonly { id: string }[],
  { step, hasFilter }: { step: number; hasFilter: boolean },
): QueryResult['code'] {
  const points = ends.map((end) => `[${meshToMap(mesh, end).join(', ')}]`);
  const options = (...entries: string[]): string => {
    const all = [...(hasFilter ? ['filter'] : []), ...entries];
    return all.length === 0 ? '' : `, { ${all.join(', ')} }`;
  };
  const alongCorridor = methods.filter(({ id }) => id === 'midpoints' || id === 'centers');
  const corridor = `const corridor = findPath2d(navMesh, ${points.join(', ')}${options('mode: findMidpointPath')});`;
  const lines = methods.map((method) => {
    const { id } = method;
    if (alongCorridor.includes(method)) {
      const line = `const ${id} = getCorridorLine(navMesh, corridor, '${id}');`;
      return method === alongCorridor[0] ? `${corridor}\n${line}` : line;
    }
    if (id !== 'smooth') {
      return `const ${id} = findPath2d(navMesh, ${points.join(', ')}${options(...(id === 'funnel' ? ["mode: 'funnel'"] : []))});`;
    }
    const positions = points.map((point) => `mapToMesh(navMesh, ${point})`).join(', ');
    return `const smooth = findSmoothPath(navMesh, ${positions}${options('halfExtents: Infinity', `step: ${step}`)});`;
  });
  const hasSmooth = methods.some(({ id }) => id === 'smooth');
  return {
    names: [
      ...(hasSmooth ? ['findSmoothPath'] : []),
      ...(alongCorridor.length > 0 ? ['findMidpointPath', 'getCorridorLine'] : []),
    ],
    mapNames: [
      ...(methods.some(({ id }) => id !== 'smooth') ? ['findPath2d'] : []),
      ...(hasSmooth ? ['mapToMesh'] : []),
    ],
    lines,
  };
}
