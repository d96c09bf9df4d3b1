/**
 * Checks the invariants of a corridor, for tests and debugging.
 *
 * In: a corridor, and the current state of its mesh.
 * Out: violations, one sentence each; an empty list for a valid corridor. Edges, portals and links are
 * checked on the mesh, not through the code that made the corridor.
 * Cost: linear in the corridor.
 * Based on: own.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkRecord } from '../../base/data/refuse.ts';
import { isLinkCrossing, linkEndOf, linkOf, otherEnd, portalOf, setCrossingEnds } from '../../mesh/crossing.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import { LINK_USED } from '../../mesh/types.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { checkFilter, passesFilter, passesLinkEnd } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { NO_CROSSING } from '../../query/path/corridor.ts';
import type { PathCorridor } from './types.ts';

/** How far a point may be outside its polygon, in cells. Tiles may be this far apart. */
const OUTSIDE_CELLS = 1 / 20;
/** The tolerance for rounding, relative to the coordinates. */
const ROUNDING = 1e-12;
/** The tolerance for lengths, relative to the length. */
const LENGTH_TOLERANCE = 1e-9;

/**
 * Returns the violations of a corridor, one sentence each. With a filter, closed polygons after the first one and
 * closed links are violations, too. A corridor with another `revision` than the mesh is invalid; call `rebaseCorridor`
 * first.
 */
export function validateCorridor(c: PathCorridor, mesh: NavMesh, filter?: QueryFilter): string[] {
  checkRecord('validateCorridor', 'c', c, 'refs', 'a PathCorridor');
  checkNavMesh('validateCorridor', mesh);
  if (filter !== undefined) checkFilter('validateCorridor', filter, 'filter');
  const { corridor, refs } = c;
  const { polys, crossings, count } = corridor;
  if (count < 1) return ['the corridor has no polygon'];
  if (c.revision !== mesh.revision) {
    return [`the corridor has revision ${c.revision}, the mesh ${mesh.revision}`];
  }
  const wrong: string[] = [];
  if (Math.min(polys.length, crossings.length, refs.length, c.left.length) < count)
    wrong.push('the columns are too short');
  for (let i = 0; i < count; i++) {
    const poly = polys[i];
    if (polyIndexOf(mesh, refs[i] as PolyRef) !== poly) {
      wrong.push(`ref ${refs[i]} of polygon ${i} does not name polygon ${poly}`);
      continue;
    }
    if (i > 0 && filter !== undefined && !passesFilter(filter, mesh, poly)) wrong.push(`polygon ${i} is closed`);
    if (i < count - 1) checkCrossing(wrong, c, mesh, i, filter);
  }
  if (wrong.length > 0) return wrong;
  checkPoint(wrong, mesh, 'position', c.position, polys[0]);
  checkPoint(wrong, mesh, 'target', c.target, polys[count - 1]);
  checkLeft(wrong, c, mesh);
  return wrong;
}

/** Checks the crossing from polygon i to the next. */
function checkCrossing(
  wrong: string[],
  { corridor }: PathCorridor,
  mesh: NavMesh,
  i: number,
  filter: QueryFilter | undefined,
): void {
  const from = corridor.polys[i];
  const to = corridor.polys[i + 1];
  const crossing = corridor.crossings[i];
  const first = mesh.polyEdgeStart[from];
  const isOwn = (edge: number): boolean => edge >= first && edge < first + mesh.polyVertexCount[from];
  const what = `polygon ${i} does not lead to the next by`;
  if (crossing === NO_CROSSING) {
    wrong.push(`${what} any crossing`);
  } else if (crossing >= 0) {
    if (!isOwn(crossing) || mesh.edgeNeighbor[crossing] !== to) wrong.push(`${what} edge ${crossing}`);
  } else if (isLinkCrossing(crossing)) {
    const linkEnd = linkEndOf(crossing);
    const isThere = linkEnd < 2 * mesh.linkCount && (mesh.linkState[linkOf(linkEnd)] & LINK_USED) !== 0;
    if (!isThere || mesh.linkPoly[linkEnd] !== from || mesh.linkPoly[otherEnd(linkEnd)] !== to)
      wrong.push(`${what} link end ${linkEnd}`);
    else if (filter !== undefined && !passesLinkEnd(filter, mesh, linkEnd))
      wrong.push(`${what} link end ${linkEnd}, which is closed`);
  } else {
    let portal = mesh.polyPortal[from];
    while (portal >= 0 && portal !== portalOf(crossing)) portal = mesh.portalNext[portal];
    if (portal < 0 || !isOwn(mesh.portalEdge[portal]) || mesh.portalPoly[portal] !== to) {
      wrong.push(`${what} portal ${portalOf(crossing)}`);
    }
  }
}

function checkPoint(wrong: string[], mesh: NavMesh, name: string, point: Float64Array, poly: number): void {
  const [x, y, z] = point;
  if (!(x - x + (y - y) + (z - z) === 0)) {
    wrong.push(`the ${name} is ${x}, ${y}, ${z}`);
    return;
  }
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const first = polyEdgeStart[poly];
  const end = first + polyVertexCount[poly];
  let outside = 0;
  for (let e = first; e < end; e++) {
    const a = 3 * edgeVertex[e];
    const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
    const ux = vertices[b] - vertices[a];
    const uz = vertices[b + 2] - vertices[a + 2];
    const length = Math.sqrt(ux * ux + uz * uz);
    if (length > 0) outside = Math.max(outside, (ux * (z - vertices[a + 2]) - uz * (x - vertices[a])) / length);
  }
  const slack = OUTSIDE_CELLS * mesh.cellSize + ROUNDING * (1 + Math.abs(x) + Math.abs(z));
  if (outside > slack) wrong.push(`the ${name} is ${outside} outside its polygon`);
  const ground = new Float64Array(3);
  closestPointOnPoly(ground, mesh, poly, point);
  const climb = Math.max(mesh.agent.maxClimb, mesh.cellHeight);
  if (Math.abs(ground[1] - y) > climb + slack) wrong.push(`the ${name} is ${y - ground[1]} above the mesh`);
}

function checkLeft(wrong: string[], c: PathCorridor, mesh: NavMesh): void {
  const { corridor, left, target } = c;
  const { count } = corridor;
  let to = Array.from(target);
  let sum = 0;
  for (let i = count - 1; i >= 0; i--) {
    if (i < count - 1) {
      const crossing = corridor.crossings[i];
      const isLink = isLinkCrossing(crossing);
      const near = new Float64Array(6);
      if (isLink) near.set(mesh.linkAnchors.subarray(6 * linkEndOf(crossing), 6 * linkEndOf(crossing) + 6));
      else setCrossingEnds(near, mesh, corridor.polys[i], crossing);
      const far = isLink
        ? mesh.linkAnchors.subarray(6 * otherEnd(linkEndOf(crossing)), 6 * otherEnd(linkEndOf(crossing)) + 6)
        : near;
      const [leaves, arrives] = [near, far].map((ends) => [0, 1, 2].map((k) => (ends[k] + ends[k + 3]) / 2));
      const cost = isLink ? mesh.linkCost[linkOf(linkEndOf(crossing))] : -1;
      sum += distance(arrives, to) + (cost >= 0 ? cost : distance(leaves, arrives));
      to = leaves;
    }
    const isClose = Math.abs(left[i] - sum) <= LENGTH_TOLERANCE * (1 + sum);
    if (!isClose) wrong.push(`the remaining length from polygon ${i} is ${left[i]}; must be ${sum}`);
  }
}

function distance(a: number[], b: number[]): number {
  return Math.sqrt(a.reduce((sum, value, k) => sum + (b[k] - value) * (b[k] - value), 0));
}
