/** The section of docs/performance.md about bakes in workers and worlds that change. */
import { digits, spread, table, whole } from './performance-text.mjs';

const TITLE = '## Workers and living worlds';
const percent = (value) => `${digits(100 * value)} %`;

/** Returns the section, from the results of `--only pool`, `--only obstacles` and `--only crates`; each may be undefined. */
export function worldsSection(pools, obstacles, crates) {
  const texts = [pools && poolTexts(pools), obstacles && obstacleTexts(obstacles), crates && crateTexts(crates)];
  return [TITLE, ...texts.flatMap((list) => list ?? [])].join('\n\n').concat('\n');
}

function poolTexts(rows) {
  const longest = Math.max(...rows.map((row) => row.longestTurn.median));
  return [
    `A bake in a pool of two workers against one thread, on two cores. "faster" is the time on one thread over the time in the pool. "whole
bakes" is what the machine gives at the same time: two bakes at once, each on one thread, against one after the other. The bytes are equal.
The thread that calls is busy for the given share of the time, and for about ${digits(longest)} ms at a time: it adds tiles to the mesh, and copies
the level, 1 MB at a time.`,
    table(
      ['level', 'tiles', 'triangles', 'faster', 'whole bakes', 'calling thread', 'longest turn, ms'],
      rows.map((row) => [
        row.level,
        whole(row.tiles),
        whole(row.triangles),
        spread(row.speedup),
        spread(row.ceiling),
        percent(row.askingThread),
        spread(row.longestTurn),
      ]),
    ),
  ];
}

function obstacleTexts(rows) {
  return [
    `One change of an obstacle in a world, against a fresh bake of its tile, and against the update of npm recast-navigation's TileCache, which
neither erodes around obstacles nor builds a detail mesh. "cut": the update with \`createProvisionalTiles\` that cuts the obstacle out of the
mesh; "rebuild": the update that rebuilds the tile.`,
    table(
      ['change', 'level', 'partition', 'cut / TileCache', 'rebuild / fresh bake', 'rebuild / TileCache'],
      rows.map((row) => [
        row.change,
        row.level,
        row.partition,
        spread(row.cut),
        spread(row.fresh),
        spread(row.tileCache),
      ]),
    ),
  ];
}

function crateTexts(rows) {
  return [
    `1,000 crates on 100 tiles, all of which move in each frame, with \`updateWorld(world, { maxMs: 2 })\`. "frames behind": the most frames between
a move and the rebuild of a tile that it touches. Milliseconds of an update, with all waits for a core:`,
    table(
      ['partition', 'frames behind', 'tiles a frame', 'mean', 'median', 'nine in ten', '99 in 100', 'µs a move'],
      rows.map((row) => [
        row.partition,
        String(row.framesBehind),
        ...[row.tilesPerFrame, row.updateMs, row.updateMsP50, row.updateMsP90, row.updateMsP99, row.moveUs].map(digits),
      ]),
    ),
  ];
}

/** Replaces the section of a page, or adds it before the section about growth. */
export function replaceWorlds(page, section) {
  const without = page.replace(/^## Workers and living worlds\n[^]*?(?=^## |$(?![^]))/m, '');
  const at = without.search(/^## Growth$/m);
  if (at < 0) return `${without.trimEnd()}\n\n${section}`;
  return `${without.slice(0, at).trimEnd()}\n\n${section}\n${without.slice(at)}`;
}
