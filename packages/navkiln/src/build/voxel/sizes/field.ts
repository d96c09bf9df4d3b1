/**
 * Builds the compact field of a tile for several sizes of agents, with a mask of the sizes that fit for each span.
 *
 * Areas of spans depend on slope and climb; filters and connections depend on height and climb. For each combination of the three, the spans
 * are filtered, connected and measured. One field of distances from borders serves all radii, since a bake for a radius keeps the spans that
 * are at least that far from a border. So a bit of a mask is set if and only if a bake for that size alone keeps the span.
 *
 * The field for the next stages has the lowest height and the highest climb. If that climb is less than that height, a span is connected with
 * at most one span of a neighboring column (compact.ts), so the field has the connections of all sizes. It may have more connections, but
 * none between two spans that a size keeps and does not connect: a span without that connection is a border for the size, and erosion by any
 * radius removes it.
 *
 * In: the solid spans of a tile. Out: CompactField with `sizes`; spans on which no size fits have no area.
 * Cost: filters, field and two sweeps for each combination of height, climb and slope; one more field if there are several combinations.
 * Based on: own; erosion as in erode.ts.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { buildCompactField } from '../field/compact.ts';
import { cellsDown, cellsUp, heightInCells } from '../config.ts';
import { borderDistance, erodeArea, isNarrow } from '../field/erode.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { SolidTile, Stage } from '../options.ts';
import type { CompactField, Heightfield } from '../types.ts';
import { classesOf } from './rasterize.ts';

/** Bits of a solid span without its area. */
const WITHOUT_AREA = 0x03ffffff;

/** Sizes with equal height, climb and slope. */
interface Group {
  config: BakeConfig;
  /** Index of their spans in the rasterized tile. */
  class: number;
  /** For each size, ascending: its bit, and its radius in cells. */
  bits: number[];
  radii: number[];
}

/** Builds the field of a tile. Yields the name of each stage before it runs. */
export function* buildSizedField(
  tile: SolidTile,
  open: (tile: SolidTile) => Generator<Stage, CompactField>,
  workspace: Workspace,
): Generator<Stage, CompactField> {
  const { solid, config, classes } = tile;
  // Each group repeats the stages.
  const begin = (stage: Stage): Stage => {
    workspace.guard?.beginStage(stage);
    return stage;
  };
  const groups = groupSizes(config);
  let field!: CompactField;
  let sizes: Uint16Array;
  if (groups.length === 1) {
    field = yield* open({ ...tile, config: groups[0].config });
    yield begin('erode');
    sizes = new Uint16Array(field.spanCount);
    addMasks(sizes, undefined, field, groups[0], workspace);
  } else {
    // The spans are copied, since erosion uses their memory.
    const spans = solid.spans.slice(0, solid.spanCount);
    const own: Heightfield = { ...solid, columnStart: solid.columnStart.slice(), spans: spans.slice() };
    const walkable = spans.slice();
    const masks = new Uint16Array(spans.length);
    for (let i = 0; i < walkable.length; i++) walkable[i] &= WITHOUT_AREA;
    // The first size that fits on a span decides its area. If the field of the first group can serve all groups, it is built last.
    const widest = widestOf(groups);
    const isFirstLast = isLike(groups[0].config, widest) && groups[0].class === 0;
    if (isFirstLast) groups.push(groups.shift()!);
    for (const [k, group] of groups.entries()) {
      own.spans.set(classes?.[group.class] ?? spans);
      field = yield* open({ ...tile, config: group.config, solid: own });
      yield begin('erode');
      addMasks(masks, own.spans, field, group, workspace);
      addWalkable(walkable, own.spans, isFirstLast && k === groups.length - 1);
    }
    if (!isLike(groups.at(-1)!.config, widest) || !areEqual(own.spans, walkable)) {
      yield begin('compact');
      own.spans = walkable;
      field = buildCompactField(own, widest, workspace);
    }
    sizes = new Uint16Array(field.spanCount);
    let k = 0;
    for (let i = 0; i < walkable.length; i++) if (walkable[i] >>> 26 !== 0) sizes[k++] = masks[i];
  }
  const { area, spanCount } = field;
  for (let i = 0; i < spanCount; i++) if (sizes[i] === 0) area[i] = AREA_NONE;
  return { ...field, sizes };
}

/** Groups the sizes of a configuration by height and climb in cells, and slope. */
function groupSizes(config: BakeConfig): Group[] {
  const { cellSize, cellHeight } = config;
  const { classOf } = classesOf(config);
  const groups = new Map<string, Group>();
  config.sizes!.forEach(({ radius, height, maxClimb }, bit) => {
    const walkableHeightCells = heightInCells(cellsUp(height, cellHeight));
    const walkableClimbCells = heightInCells(cellsDown(maxClimb, cellHeight));
    const key = `${walkableHeightCells} ${classOf[bit]}`;
    let group = groups.get(key);
    if (group === undefined) {
      const own = { ...config, walkableHeightCells, walkableClimbCells };
      group = { config: own, class: classOf[bit], bits: [], radii: [] };
      groups.set(key, group);
    }
    group.bits.push(1 << bit);
    group.radii.push(cellsUp(radius, cellSize));
  });
  return [...groups.values()];
}

/** Adds the walkable spans of a group to those of other groups, or replaces them if `overrides` is true. */
function addWalkable(walkable: Uint32Array, spans: Uint32Array, overrides: boolean): void {
  for (let i = 0; i < walkable.length; i++) {
    if (walkable[i] >>> 26 === 0 || (overrides && spans[i] >>> 26 !== 0)) walkable[i] = spans[i];
  }
}

function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  let i = 0;
  while (i < b.length && a[i] === b[i]) i++;
  return i === b.length;
}

function isLike(a: BakeConfig, b: BakeConfig): boolean {
  return a.walkableHeightCells === b.walkableHeightCells && a.walkableClimbCells === b.walkableClimbCells;
}

/** Returns a configuration with the lowest height and the highest climb. */
function widestOf(groups: readonly Group[]): BakeConfig {
  const configs = groups.map(({ config }) => config);
  return {
    ...configs[0],
    walkableHeightCells: Math.min(...configs.map(({ walkableHeightCells }) => walkableHeightCells)),
    walkableClimbCells: Math.max(...configs.map(({ walkableClimbCells }) => walkableClimbCells)),
  };
}

/**
 * Adds the bits of a group to the masks of the spans that its sizes keep. `masks` belong to the solid spans `spans`, or to the spans of the
 * field if `spans` is undefined.
 */
function addMasks(
  masks: Uint16Array,
  spans: Uint32Array | undefined,
  field: CompactField,
  { bits, radii }: Group,
  workspace: Workspace,
): void {
  const { spanCount, area } = field;
  const widest = 2 * radii[radii.length - 1];
  if (radii.length === 1 && widest > 0 && isNarrow(field, radii[0])) {
    // Erosion by a small radius needs no distances.
    const before = area.slice(0, spanCount);
    erodeArea(field, radii[0], workspace);
    for (let i = 0, k = 0; k < spanCount; i++) {
      if (spans !== undefined && spans[i] >>> 26 === 0) continue;
      if (area[k++] !== AREA_NONE) masks[i] |= bits[0];
    }
    area.set(before);
    return;
  }
  const maskAt = new Uint16Array(widest + 1);
  for (let d = 0; d <= widest; d++) for (const [k, bit] of bits.entries()) if (d >= 2 * radii[k]) maskAt[d] |= bit;
  const distance = widest === 0 ? new Uint16Array(spanCount + 1) : borderDistance(field, workspace);
  for (let i = 0, k = 0; k < spanCount; i++) {
    if (spans !== undefined && spans[i] >>> 26 === 0) continue;
    const d = distance[++k];
    masks[i] |= maskAt[d < widest ? d : widest];
  }
}
