/**
 * Layers of the navigation mesh: the walkable surface by area, polygon edges, walls, tile borders and links.
 */
import { getLink, listLinks } from 'navkiln';
import type { LinkInfo, NavMesh } from 'navkiln';
import { navMeshTriangles, rgba } from 'navkiln/debug';
import { chosenType, fitsType } from '../state/agent-types.ts';
import { originOf } from '../state/state.ts';
import type { StudioState, Vec3 } from '../state/state.ts';
import { drawingOf } from './debug-geometry.ts';
import type { Drawing } from './drawing.ts';
import { partsFor } from './layers.ts';
import type { LayerKind } from './layers.ts';
import { edgeArrays } from './mesh-arrays.ts';
import type { EdgeKind } from './mesh-arrays.ts';
import { areaColor } from './palette.ts';

/** Height of lines above the surface, world units: enough to avoid flickering, too little to notice. */
const LINE_LIFT = 0.02;

/** Alpha of the surface: the level shows through it. */
const SURFACE_ALPHA = 140;

/** Opacity of the surface where something is in front of it. */
const HIDDEN_OPACITY = 0.22;

/**
 * Returns how far the mesh may lie below the level and still cover it, world units. The bake moves surfaces by up to
 * a part of the climb height, and bumps smaller than that are walkable.
 */
function reachOf({ agent, cellHeight }: NavMesh): number {
  return 0.5 * agent.maxClimb + 2 * cellHeight;
}

function polyParts({ mesh }: StudioState): number {
  return partsFor(mesh?.navMesh.polyCount ?? 0);
}

export const groundLayer: LayerKind = {
  id: 'ground',
  title: 'Walkable surface',
  group: 'Mesh',
  help: 'Where an agent can walk, colored by area. Where the chosen agent type does not fit, it is faint.',
  isShown: true,
  needs: ['mesh', 'shell', 'agentType'],
  partCount: polyParts,
  draw(state, palette, { start, end }) {
    if (state.mesh === undefined) return [];
    const { navMesh } = state.mesh;
    const roofs = roofsOf(state);
    const type = chosenType(state);
    // Polygons on which the chosen type does not fit are drawn as closed ones. Polygons without flags are closed and drawn almost transparent, as roofs are.
    const colors = new Map<number, number>();
    const color = (poly: number): number => {
      const isOpen = navMesh.polyFlags[poly] !== 0 && (type === undefined || fitsType(type, navMesh, poly));
      const isFaint = !isOpen || roofs?.[poly] === 1;
      const key = 2 * navMesh.polyArea[poly] + (isFaint ? 1 : 0);
      const known = colors.get(key) ?? rgba(areaColor(palette, navMesh.polyArea[poly]), isFaint ? 45 : SURFACE_ALPHA);
      colors.set(key, known);
      return known;
    };
    const filter = (poly: number): boolean => poly >= start && poly < end;
    const geometry = navMeshTriangles(navMesh, { lift: 0, color, filter });
    return geometry.indices!.length === 0
      ? []
      : [
          drawingOf(geometry, originOf(state), {
            lift: 1,
            order: 1,
            nearer: reachOf(navMesh),
            // The level hides lines that lie below it, not the mesh, which is moved.
            isThin: state.level !== undefined,
          } as Partial<Drawing>),
          // Storeys below a roof and ground behind a hill are seen faintly.
          drawingOf(geometry, originOf(state), {
            order: 0.5,
            nearer: reachOf(navMesh),
            opacity: HIDDEN_OPACITY,
            isBehind: true,
          }),
        ];
  },
};

/** Returns the marks of polygons on roofs that one looks through. */
function roofsOf({ shell, mesh }: StudioState): Uint8Array | undefined {
  return shell?.mesh === mesh?.id ? shell?.polys : undefined;
}

function edgeLayer(
  about: Pick<LayerKind, 'id' | 'title' | 'help' | 'isShown'>,
  kind: EdgeKind,
  look: Partial<Drawing>,
  colorOf: (palette: Parameters<LayerKind['draw']>[1]) => string,
): LayerKind {
  return {
    ...about,
    group: 'Mesh',
    needs: ['mesh', 'shell'],
    partCount: polyParts,
    draw(state: StudioState, palette, part) {
      if (state.mesh === undefined) return [];
      const options = { leftOut: roofsOf(state), part };
      const positions = edgeArrays(state.mesh.navMesh, originOf(state), kind, LINE_LIFT, options);
      return positions.length === 0
        ? []
        : [
            {
              kind: 'lines',
              positions,
              color: colorOf(palette),
              order: 2,
              nearer: 1.05 * reachOf(state.mesh.navMesh),
              ...look,
            } as Drawing,
          ];
    },
  };
}

export const seamsLayer: LayerKind = edgeLayer(
  { id: 'seams', title: 'Polygon edges', help: 'Edges between two polygons.', isShown: true },
  'inner',
  { opacity: 0.55 },
  ({ seam }) => seam,
);

export const wallsLayer: LayerKind = edgeLayer(
  { id: 'walls', title: 'Walls', help: 'Boundary edges of the walkable surface.', isShown: true },
  'wall',
  { width: 2 } as Partial<Drawing>,
  ({ wall }) => wall,
);

export const tileBordersLayer: LayerKind = edgeLayer(
  {
    id: 'tile-borders',
    title: 'Tile borders',
    help: 'Edges on the border of a tile. Portals connect them.',
    isShown: false,
  },
  'border',
  { width: 2, isDashed: true } as Partial<Drawing>,
  ({ portal }) => portal,
);

export const linksLayer: LayerKind = linkLayer(
  { id: 'links', title: 'Links', help: 'Off-mesh links: jumps, ladders, doors.' },
  'link',
  ({ userId, start, end }) => (isAuto(userId) ? [] : [arc(middleOf(start), middleOf(end))]),
);

/** Both sides of each link, and its ends. */
export const autoLinksLayer: LayerKind = linkLayer(
  {
    id: 'auto-links',
    title: 'Automatic links',
    help: 'Jumps, drops and climbs found in the level. Agents cross anywhere between the sides.',
  },
  'autoLink',
  ({ userId, start, end }) => (isAuto(userId) ? [arc(start[0], end[0]), arc(start[1], end[1]), start, end] : []),
);

/** Returns whether a link is automatic, as `autoLinkKind` of navkiln/links does, whose code is loaded on demand. */
const isAuto = (userId: number): boolean => userId >= 2 ** 52;

function linkLayer(
  about: Pick<LayerKind, 'id' | 'title' | 'help'>,
  color: 'link' | 'autoLink',
  linesOf: (link: LinkInfo) => Vec3[][],
): LayerKind {
  return {
    ...about,
    group: 'Mesh',
    isShown: true,
    needs: ['mesh'],
    draw(state, palette) {
      if (state.mesh === undefined) return [];
      const origin = originOf(state);
      const { navMesh } = state.mesh;
      const positions = listLinks(navMesh)
        .flatMap((ref) => linesOf(getLink(navMesh, ref)!))
        .flatMap((line) => {
          const points = line.map((point) => point.map((value, axis) => value - origin[axis as 0]));
          return points.slice(1).flatMap((point, i) => [...points[i], ...point]);
        });
      if (positions.length === 0) return [];
      return [{ kind: 'lines', positions: Float32Array.from(positions), color: palette[color], width: 2.5, order: 3 }];
    },
  };
}

function middleOf([a, b]: LinkInfo['start']): Vec3 {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

const ARC_SEGMENTS = 12;

/** Returns points on an arc from one end of a link to the other. */
export function arc(from: Vec3, to: Vec3): Vec3[] {
  const rise = 0.25 * Math.hypot(to[0] - from[0], to[2] - from[2]) + 0.2;
  return Array.from({ length: ARC_SEGMENTS + 1 }, (_, i): Vec3 => {
    const t = i / ARC_SEGMENTS;
    const y = from[1] + (to[1] - from[1]) * t + 4 * rise * t * (1 - t);
    return [from[0] + (to[0] - from[0]) * t, y, from[2] + (to[2] - from[2]) * t];
  });
}
