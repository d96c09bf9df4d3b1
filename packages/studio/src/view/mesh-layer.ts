/** The navigation mesh: ground by area, seams between polygons, walls, borders of tiles, links. */
import { getLink, listLinks } from 'navkiln';
import type { LinkInfo } from 'navkiln';
import { originOf } from '../app/state.ts';
import type { StudioState } from '../app/state.ts';
import type { Drawing } from './drawing.ts';
import type { LayerKind } from './layers.ts';
import { edgeArrays, groundArrays } from './mesh-arrays.ts';
import type { EdgeKind } from './mesh-arrays.ts';
import { areaColor, bytesOf } from './palette.ts';

/** Lines lie this far over the ground, world units: enough not to flicker, too little to be seen. */
const LINE_LIFT = 0.02;

export const groundLayer: LayerKind = {
  id: 'ground', title: 'Ground', group: 'Mesh', help: 'Where an agent may walk, coloured by area.',
  isShown: true, needs: ['mesh'],
  draw(state, palette) {
    if (state.mesh === undefined) return [];
    const { navMesh } = state.mesh;
    const { positions, indices, pointPolys } = groundArrays(navMesh, originOf(state));
    if (indices.length === 0) return [];
    const colors = new Uint8Array(4 * pointPolys.length);
    const known = new Map<number, readonly number[]>();
    for (let i = 0; i < pointPolys.length; i++) {
      const poly = pointPolys[i]!;
      const area = navMesh.polyArea[poly]!;
      const bytes = known.get(area) ?? bytesOf(areaColor(palette, area));
      known.set(area, bytes);
      for (let k = 0; k < 3; k++) colors[4 * i + k] = bytes[k]!;
      // Closed ground is a shade of itself.
      colors[4 * i + 3] = navMesh.polyFlags[poly] === 0 ? 45 : 165;
    }
    return [{ kind: 'triangles', positions, indices, colors, lift: 1, order: 1 }];
  },
};

function edgeLayer(about: Pick<LayerKind, 'id' | 'title' | 'help' | 'isShown'>, kind: EdgeKind, look: Partial<Drawing>,
  colorOf: (palette: Parameters<LayerKind['draw']>[1]) => string): LayerKind {
  return {
    ...about, group: 'Mesh', needs: ['mesh'],
    draw(state: StudioState, palette) {
      if (state.mesh === undefined) return [];
      const positions = edgeArrays(state.mesh.navMesh, originOf(state), kind, LINE_LIFT);
      return positions.length === 0 ? [] : [{ kind: 'lines', positions, color: colorOf(palette), order: 2, ...look } as Drawing];
    },
  };
}

export const seamsLayer: LayerKind = edgeLayer(
  { id: 'seams', title: 'Polygons', help: 'Edges between polygons.', isShown: true }, 'inner', { opacity: 0.55 },
  ({ seam }) => seam,
);

export const wallsLayer: LayerKind = edgeLayer(
  { id: 'walls', title: 'Walls', help: 'Edges where walking ends.', isShown: true }, 'wall', { width: 2 } as Partial<Drawing>,
  ({ wall }) => wall,
);

export const tileBordersLayer: LayerKind = edgeLayer(
  { id: 'tile-borders', title: 'Borders of tiles', help: 'Edges on the border of a tile; portals lie in them.', isShown: false },
  'border', { width: 2, isDashed: true } as Partial<Drawing>, ({ portal }) => portal,
);

export const linksLayer: LayerKind = {
  id: 'links', title: 'Links', group: 'Mesh', help: 'Ways off the ground: jumps, ladders, doors.', isShown: true, needs: ['mesh'],
  draw(state, palette) {
    if (state.mesh === undefined) return [];
    const origin = originOf(state);
    const { navMesh } = state.mesh;
    const positions = listLinks(navMesh).flatMap((ref) => arc(getLink(navMesh, ref)!, origin));
    if (positions.length === 0) return [];
    return [{ kind: 'lines', positions: Float32Array.from(positions), color: palette.link, width: 2.5, order: 3 }];
  },
};

/** From one end to the other in a low bow. */
function arc(link: LinkInfo, origin: readonly number[]): number[] {
  const middle = (points: LinkInfo['start']): number[] =>
    [0, 1, 2].map((axis) => (points[0][axis as 0]! + points[1][axis as 0]!) / 2 - origin[axis]!);
  const [from, to] = [middle(link.start), middle(link.end)];
  const rise = 0.25 * Math.hypot(to[0]! - from[0]!, to[2]! - from[2]!) + 0.2;
  const at = (t: number): number[] =>
    [0, 1, 2].map((axis) => from[axis]! + (to[axis]! - from[axis]!) * t + (axis === 1 ? 4 * rise * t * (1 - t) : 0));
  return Array.from({ length: 12 }, (_, i) => [...at(i / 12), ...at((i + 1) / 12)]).flat();
}
