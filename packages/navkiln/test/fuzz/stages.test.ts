/**
 * Functions of single stages with records of which one field is wrong: a stage ends, and refuses what it cannot use in the library's
 * words. It takes no memory for numbers that are only claimed.
 */
import { expect, it } from 'vitest';
import * as stages from '../../src/entries/groups/bake-stages.ts';
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { PreparedInput } from '../../src/build/voxel/input.ts';
import type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../../src/build/voxel/types.ts';

interface Records {
  prepared: PreparedInput;
  config: BakeConfig;
  areas: Uint8Array;
  solid: Heightfield;
  field: CompactField;
  contours: ContourSet;
  mesh: PolyMesh;
  detail: DetailMesh;
}

function recordsOf(): Records {
  const positions = Float32Array.of(0, 0, 0, 6, 0, 0, 6, 0, 6, 0, 0, 6, 2, 0, 2, 4, 0, 2, 4, 2, 4, 2, 2, 4);
  const indices = Uint32Array.of(0, 2, 1, 0, 3, 2, 4, 6, 5, 4, 7, 6);
  const prepared = stages.prepareInput({ positions, indices });
  const config = stages.resolveConfig(prepared, {});
  const { areas } = stages.markBySlope(prepared, 45);
  const solid = stages.rasterize(prepared.positions, prepared.indices, areas, config);
  stages.filterSpans(solid, config);
  const field = stages.buildCompactField(solid, config);
  stages.erodeArea(field, 2);
  stages.buildDistanceField(field);
  stages.buildRegionsWatershed(field, 8, 20);
  const contours = stages.buildContours(field, config);
  const mesh = stages.buildPolyMesh(contours, config);
  return { prepared, config, areas, solid, field, contours, mesh, detail: stages.buildDetailMesh(mesh, field, config) };
}

/** Calls by the record that is wrong. */
const CALLS: Record<string, [keyof Records, (r: Records) => unknown]> = {
  rasterize: ['config', (r) => stages.rasterize(r.prepared.positions, r.prepared.indices, r.areas, r.config)],
  markBySlope: ['prepared', (r) => stages.markBySlope(r.prepared, 45)],
  resolveConfig: ['prepared', (r) => stages.resolveConfig(r.prepared, {})],
  filterSpans: ['solid', (r) => stages.filterSpans(r.solid, r.config)],
  filterLedges: ['solid', (r) => stages.filterLedges(r.solid, 9, 2)],
  buildCompactField: ['solid', (r) => stages.buildCompactField(r.solid, r.config)],
  erodeArea: ['field', (r) => stages.erodeArea(r.field, 2)],
  medianFilterAreas: ['field', (r) => stages.medianFilterAreas(r.field)],
  buildDistanceField: ['field', (r) => stages.buildDistanceField(r.field)],
  buildRegionsWatershed: ['field', (r) => stages.buildRegionsWatershed(r.field, 8, 20)],
  buildRegionsMonotone: ['field', (r) => stages.buildRegionsMonotone(r.field, 8, 20)],
  buildRegionsLayers: ['field', (r) => stages.buildRegionsLayers(r.field, 8)],
  buildContours: ['field', (r) => stages.buildContours(r.field, r.config)],
  buildPolyMesh: ['contours', (r) => stages.buildPolyMesh(r.contours, r.config)],
  splitConcavePolys: ['mesh', (r) => stages.splitConcavePolys(r.mesh, r.contours)],
  buildDetailMesh: ['mesh', (r) => stages.buildDetailMesh(r.mesh, r.field, r.config)],
  createTileData: ['mesh', (r) => stages.createTileData(r.mesh, r.detail, r.config)],
  'createTileData of a detail': ['detail', (r) => stages.createTileData(r.mesh, r.detail, r.config)],
  'buildPolyMesh of a configuration': ['config', (r) => stages.buildPolyMesh(r.contours, r.config)],
};

/** Returns wrong values in place of a field. */
function wrongValues(value: unknown): unknown[] {
  if (!ArrayBuffer.isView(value)) return [0, -1, NaN, Infinity, 1e9, 1.5, 2 ** 31, undefined, null, 'a', [], {}];
  const array = value as Int32Array;
  const make = (change: (copy: Int32Array) => Int32Array): Int32Array => change(array.slice());
  return [
    make((copy) => copy.subarray(0, 0)),
    make((copy) => copy.subarray(0, 1)),
    make((copy) => copy.fill(0)),
    make((copy) => copy.fill(1, 0, 1)),
    make((copy) => copy.fill(1e9, 0, 1)),
    make((copy) => copy.fill(2 ** 31 - 1, copy.length >> 1, (copy.length >> 1) + 1)),
    undefined,
    null,
    [],
    { length: 1e9 },
  ];
}

const ENGINE =
  /nvalid (typed )?array|llocation|annot (read|set)|of (undefined|null)|is not (a function|iterable)|call stack/;

it.each(Object.keys(CALLS))('ends, and answers in words of the library: %s', (name) => {
  const [which, call] = CALLS[name]!;
  const sound = recordsOf();
  expect(() => call(structuredClone(sound))).not.toThrow();
  for (const field of Object.keys(sound[which])) {
    for (const value of wrongValues((sound[which] as unknown as Record<string, unknown>)[field])) {
      const records = structuredClone(sound) as unknown as Record<string, Record<string, unknown>>;
      records[which]![field] = value;
      try {
        call(records as unknown as Records);
      } catch (error) {
        expect((error as Error).message, `${which}.${field} is ${JSON.stringify(value)?.slice(0, 60)}`).not.toMatch(
          ENGINE,
        );
      }
    }
  }
});

it('buildPolyMesh refuses contours without starts', () => {
  const { contours, config } = recordsOf();
  expect(() => stages.buildPolyMesh({ ...contours, start: new Int32Array(0) }, config)).toThrow(
    'buildPolyMesh: contours.count is 2; must be that of a ContourSet',
  );
});
