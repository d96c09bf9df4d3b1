/** Automatic links for `navkiln bake --auto-links`: the flags, and the links themselves. */
import type { NavMesh } from 'navkiln';
import type { AutoLinkKind, AutoLinkOptions } from 'navkiln/links';
import { InputError, blameInput, show } from '../errors.ts';
import { plural } from '../output/text.ts';

export interface AutoLinkFlags {
  autoLinks?: boolean;
  autoLinkLimits?: string;
}

/** What `bake --json` prints of automatic links. */
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
        `--auto-link-limits: ${show(part)} is none; must be a list of jump, drop, climb and vault, each once and with =LENGTH or not`,
      );
    }
    const length = Number(text);
    if (text !== undefined && (text === '' || !(length > 0 && length < Infinity)))
      throw new InputError(`--auto-link-limits: ${kind} must be a number > 0 (got ${show(text)})`);
    options[kind] = text === undefined ? {} : { [LIMITS[kind as AutoLinkKind]]: length };
  }
  return options;
}

/** A line of a drawing, with its name in the legend. */
export interface LinkLine {
  name: string;
  points: [number, number, number][];
}

/** Adds the links. Returns their summary, and their ends and sides as lines. Throws an InputError for what the library refuses. */
export async function addLinksTo(
  mesh: NavMesh,
  level: { positions: ArrayLike<number>; indices: ArrayLike<number> },
  options: AutoLinkOptions,
): Promise<{ summary: AutoLinkSummary; lines: LinkLine[] }> {
  const { addAutoLinks, autoLinkPositions } = await import('navkiln/links');
  const begun = performance.now();
  try {
    const added = addAutoLinks(mesh, level, options);
    const { links, similar, walkable } = added.report;
    const summary = { links, similar, walkable, ms: Math.round((performance.now() - begun) * 1000) / 1000 };
    const lines = added.links.flatMap((link) => {
      const sides = (link.width > 0 ? [0, 1] : [0.5]).map((along) => autoLinkPositions(link, along, LINE_POINTS));
      return [link.start, link.end, ...sides].map((points): LinkLine => ({ name: link.kind, points }));
    });
    return { summary, lines };
  } catch (error) {
    throw blameInput(error, 'addAutoLinks');
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
