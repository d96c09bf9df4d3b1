/** Automatic links for `navkiln bake --auto-links`: the flags, and the links themselves. */
import type { NavMesh } from 'navkiln';
import type { AddedAutoLinks, AutoLinkKind, AutoLinkOptions, JumpLengths, LinkMarks } from 'navkiln/links';
import { InputError, blameInput, show } from '../errors.ts';
import { plural } from '../output/text.ts';

export interface AutoLinkFlags {
  autoLinks?: boolean;
  autoLinkLimits?: string;
}

/** The automatic links in the output of `bake --json`. */
export interface AutoLinkSummary {
  /** Links in the mesh, by kind. */
  links: Record<AutoLinkKind, number>;
  /** Left out because another link is similar. */
  similar: number;
  /** Left out because a walk is about as short. */
  walkable: number;
  ms: number;
}

/** Points of each side of a link. */
const LINE_POINTS = 11;

/** The limit that the number of `kind=number` sets. */
const LIMITS: Record<AutoLinkKind, string> = {
  jump: 'maxDistance',
  drop: 'maxHeight',
  climb: 'maxHeight',
  vault: 'maxHeight',
};

/** Returns the limits of `--auto-links` and `--auto-link-limits`; undefined without the first. */
export function readAutoLinks({ autoLinks, autoLinkLimits }: AutoLinkFlags): AutoLinkOptions | undefined {
  if (autoLinks !== true) {
    if (autoLinkLimits !== undefined)
      throw new InputError('--auto-link-limits: only applies with --auto-links; add that');
    return undefined;
  }
  if (autoLinkLimits === undefined) return { jump: {}, drop: {}, climb: {} };
  const options: Record<string, Record<string, number>> = {};
  for (const part of autoLinkLimits.split(',')) {
    const [kind, text, ...rest] = part.split('=').map((word) => word.trim());
    if (!Object.hasOwn(LIMITS, kind) || rest.length > 0 || options[kind] !== undefined) {
      throw new InputError(
        `--auto-link-limits: ${show(part)} is not valid; must be a list of jump, drop, climb and vault, each at most once, with or without =LENGTH`,
      );
    }
    const length = Number(text);
    if (text !== undefined && (text === '' || !(length > 0 && length < Infinity)))
      throw new InputError(`--auto-link-limits: ${kind} must be a number > 0 (got ${show(text)})`);
    options[kind] = text === undefined ? {} : { [LIMITS[kind as AutoLinkKind]]: length };
  }
  return options;
}

/** Links that were added: their summary, and their ends and sides as lines. */
export interface AddedLinks {
  summary: AutoLinkSummary;
  lines: LinkLine[];
}

/** A line of a drawing, with its name in the legend. */
export interface LinkLine {
  name: string;
  points: [number, number, number][];
}

/** Adds links over the gaps of a 2D map, as `addLinksTo`. */
export async function addGapLinksTo(mesh: NavMesh, options: AutoLinkOptions): Promise<AddedLinks> {
  const { jump, drop, climb, vault, gravity, walkSpeed, ...rest } = options;
  const { maxDistance, area, flags, name, ...heights } = (jump ?? {}) as JumpLengths & LinkMarks;
  const given = { drop, climb, vault, gravity, walkSpeed, ...heights };
  const odd = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (odd !== undefined || maxDistance === undefined) {
    throw new InputError(
      `automatic links: a 2D map has jumps over gaps only, and ${odd === undefined ? 'their distance is not given' : `${odd} has no meaning`}; ` +
        'use --auto-link-limits jump=LENGTH, or autoLinks: { jump: { maxDistance: LENGTH } } in a configuration',
    );
  }
  const marks = Object.fromEntries(Object.entries({ area, flags, name }).filter(([, value]) => value !== undefined));
  const { addGapLinks } = await import('navkiln/links');
  return summarize('addGapLinks', () => addGapLinks(mesh, { maxDistance, ...marks, ...rest }));
}

/** Adds the links. Returns their summary, and their ends and sides as lines. Throws an InputError for what the library refuses. */
export async function addLinksTo(
  mesh: NavMesh,
  level: { positions: ArrayLike<number>; indices: ArrayLike<number> },
  options: AutoLinkOptions,
): Promise<AddedLinks> {
  const { addAutoLinks } = await import('navkiln/links');
  return summarize('addAutoLinks', () => addAutoLinks(mesh, level, options));
}

async function summarize(caller: string, add: () => AddedAutoLinks): Promise<AddedLinks> {
  const { autoLinkPositions } = await import('navkiln/links');
  const begun = performance.now();
  try {
    const added = add();
    const { links, similar, walkable } = added.report;
    const summary = { links, similar, walkable, ms: Math.round((performance.now() - begun) * 1000) / 1000 };
    const lines = added.links.flatMap((link) => {
      const sides = (link.width > 0 ? [0, 1] : [0.5]).map((along) => autoLinkPositions(link, along, LINE_POINTS));
      return [link.start, link.end, ...sides].map((points): LinkLine => ({ name: link.kind, points }));
    });
    return { summary, lines };
  } catch (error) {
    throw blameInput(error, caller);
  }
}

/** Returns a line for people. */
export function describeAutoLinks({ links, similar, walkable }: AutoLinkSummary): string {
  const parts = Object.entries(links)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => plural(count, kind));
  const found = parts.length === 0 ? 'none' : parts.join(', ');
  return `links: ${found}; left out: ${similar} similar, ${walkable} where a walk is about as short`;
}
