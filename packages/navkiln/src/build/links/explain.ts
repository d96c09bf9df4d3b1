/**
 * Explains why no automatic link leads over a gap: names the limit that a link would exceed.
 *
 * The function searches links around the gap with much larger limits. Among the links that connect both islands, it picks the link that
 * exceeds the given limits least.
 *
 * In: a level, limits; the gap that `explainPath` has found. Out: a sentence.
 * Cost: a search of the links of all walls near the gap. For tools and logs.
 * Based on: own.
 */
import type { AutoLinkKind, SolidInput } from '../../mesh/auto-linker.ts';
import { islandOf } from '../../mesh/islands.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { GapExplanation } from '../../query/explain/explanation.ts';
import { createFilter } from '../../query/create-filter.ts';
import { passEverything } from '../../query/filter.ts';
import { findNearestInto, createNearestHit } from '../../query/nearest/nearest.ts';
import { createPolyList, findPolysInBoxInto } from '../../query/nearest/polys-in-box.ts';
import { findUseful } from './find.ts';
import { readLinkOptions } from './options.ts';
import { BACK, OUT } from './runs.ts';
import { buildSolid } from './sweep/solid.ts';
import { checkLinkOptions, surfaceOf } from './sizes.ts';
import { KINDS } from './types.ts';
import type { AutoLink, AutoLinkOptions, Profile } from './types.ts';
import { withoutLinks } from './walk.ts';
import { orderedPolys } from './walls/walls.ts';

/** Limits grow to this many times the size of the gap, and to this many agent heights. */
const WIDER = 1.5;
const HIGHER = 2;

/** A filter that every polygon passes. */
const EVERY_POLY = createFilter({ passes: passEverything });

/** Excess of kinds for which the caller gave no limits: they are named last, in their order. */
const UNNAMED = 1e12;

const hit = createNearestHit();
const list = createPolyList();

/**
 * Returns the option `explainGap` of `explainPath`: a sentence such as "A drop of 3.2 at [4, 3.2, 6] would connect them, but
 * drop.maxHeight allows 2, it needs 3.2."
 *
 * @param level the triangles that the mesh was baked from, world units
 * @param options the limits of the links that the mesh has
 * @throws TypeError, RangeError for limits out of range, unknown keys and triangles that do not match
 */
export function createGapExplainer(
  level: SolidInput,
  options: AutoLinkOptions,
): (mesh: NavMesh, gap: GapExplanation) => string {
  const caller = 'createGapExplainer';
  checkLinkOptions(caller, options);
  const solids = [buildSolid(caller, [level])];
  return (mesh, gap) => {
    const size = Math.max(
      0,
      mesh.sizes.findIndex(({ name }) => name === gap.size),
    );
    const scale = { ...mesh, agent: { ...mesh.agent, ...mesh.sizes[size] } };
    const { profiles } = readLinkOptions(caller, scale, options, gap.size);
    const { height } = scale.agent;
    const far = WIDER * gap.across + HIGHER * height;
    const high = WIDER * Math.abs(gap.up) + HIGHER * height;
    const open = readLinkOptions(caller, scale, {
      jump: { maxDistance: far, maxRise: high, maxDrop: high, peak: Math.max(0.5, gap.across / 4) },
      drop: { maxHeight: high, maxDistance: far },
      climb: { maxHeight: high, maxDistance: far },
      vault: { maxHeight: high, maxDistance: far },
      minDetour: 0,
    });
    const view = withoutLinks(mesh);
    const [here, there] = [islandAt(view, gap.from), islandAt(view, gap.to)];
    const near = polysNear(mesh, gap, far);
    const { found } = findUseful(
      surfaceOf(mesh, size),
      view,
      solids,
      { size, search: open },
      orderedPolys(mesh).filter((poly) => near.has(poly)),
    );
    let best: { text: string; excess: number } | undefined;
    for (const { candidate, link } of found) {
      const [a, b] = candidate.polys.map((poly) => islandOf(view, poly));
      const leadsOut = a === here && b === there && (candidate.directions & OUT) !== 0;
      const leadsBack = a === there && b === here && (candidate.directions & BACK) !== 0;
      if (!leadsOut && !leadsBack) continue;
      // A link for both directions starts at the wall, so its start may be on the far island.
      const isTurned = link.bothWays && leadsBack;
      const one = judge(link, isTurned, profiles);
      if (best === undefined || one.excess < best.excess) best = one;
    }
    if (best !== undefined) return best.text;
    return 'No jump, drop, climb or vault over it is clear, whatever its limits: agents have no room there, or touch the level.';
  };
}

function islandAt(mesh: NavMesh, point: readonly number[]): number {
  const size = Math.max(mesh.agent.radius, mesh.cellSize);
  findNearestInto(hit, mesh, Float64Array.from(point), Float64Array.of(size, mesh.agent.height, size), EVERY_POLY);
  return hit.poly < 0 ? -1 : islandOf(mesh, hit.poly);
}

function polysNear(mesh: NavMesh, { from, to }: GapExplanation, far: number): Set<number> {
  const center = from.map((value, k) => (value + to[k]) / 2);
  const extents = from.map((value, k) => Math.abs(value - to[k]) / 2 + far);
  findPolysInBoxInto(list, mesh, Float64Array.from(center), Float64Array.from(extents), EVERY_POLY);
  return new Set(list.polys.subarray(0, list.count));
}

/** Returns the limit that a link exceeds most in the needed direction, as text, and the factor by which it exceeds the limit. */
function judge(link: AutoLink, isTurned: boolean, profiles: readonly Profile[]): { text: string; excess: number } {
  const [from, to] = isTurned ? [link.end, link.start] : [link.start, link.end];
  const rise = middleY(to) - middleY(from);
  const isLedge = link.kind === 'drop' || link.kind === 'climb';
  const kind: AutoLinkKind = isLedge ? (rise < 0 ? 'drop' : 'climb') : link.kind;
  const place = `[${from[0].map((value, k) => text((value + from[1][k]) / 2)).join(', ')}]`;
  const profile = profiles.find((one) => one.kind === kind);
  const height = kind === 'vault' ? link.peak : Math.abs(rise);
  const size = kind === 'jump' ? link.distance : height;
  const what = `A ${kind} of ${text(size)} at ${place}`;
  if (profile === undefined)
    return { text: `${what} would connect them; the limits name no ${kind}s.`, excess: UNNAMED + KINDS.indexOf(kind) };
  const limits: [name: string, value: number, most: number][] =
    kind === 'jump'
      ? [
          ['maxDistance', link.distance, profile.maxDistance],
          ['maxRise', rise, profile.maxRise],
          ['maxDrop', -rise, profile.maxDrop],
          ['peak', link.peak, Math.max(...profile.peaks)],
        ]
      : [
          [
            'maxHeight',
            height,
            kind === 'vault' ? Math.max(...profile.peaks) : Math.max(profile.maxRise, profile.maxDrop),
          ],
          ['maxDistance', link.distance, profile.maxDistance],
        ];
  const worst = limits.reduce((a, b) => (b[1] / Math.max(b[2], 1e-9) > a[1] / Math.max(a[2], 1e-9) ? b : a));
  const excess = worst[1] / Math.max(worst[2], 1e-9);
  const limit = `${kind}.${worst[0]} allows ${text(worst[2])}, it needs ${text(worst[1])}`;
  if (excess <= 1)
    return { text: `${what} is within the limits: addAutoLinks adds it, unless its id is excepted.`, excess };
  return { text: `${what} would connect them, but ${limit}.`, excess };
}

function middleY([p, q]: AutoLink['start']): number {
  return (p[1] + q[1]) / 2;
}

/** Formats a number with at most two decimals. */
function text(value: number): string {
  return String(Number(value.toFixed(2)));
}
