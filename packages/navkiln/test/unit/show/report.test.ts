import { expect, it } from 'vitest';
import { formatReport } from '../../../src/show/report.ts';
import type { BuildReport } from '../../../src/build/voxel/report.ts';

const report: BuildReport = {
  stages: [
    { name: 'rasterize', ms: 12.345 },
    { name: 'filter', ms: 0.5 },
  ],
  totalMs: 13,
  workspaceBytes: 12_345_678,
  counts: {
    triangles: 1234567,
    walkableTriangles: 12,
    columns: 1,
    spans: 2,
    walkableSpans: 3,
    flatSpans: 30,
    erodedSpans: 5,
    openSpans: 20,
    keptSpans: 20,
    regions: 4,
    contours: 5,
    polygons: 6,
    vertices: 7,
    detailVertices: 8,
    detailTriangles: 9,
    tiles: 1,
  },
  warnings: [],
  config: {} as BuildReport['config'],
};

it('aligns stages and counts', () => {
  expect(formatReport(report)).toMatchInlineSnapshot(`
    "stage             ms  share
    rasterize       12.3   95 %  ████████████████████████
    filter          0.50    4 %  █
    total           13.0

    triangles           1,234,567
    walkable triangles         12
    columns                     1
    spans                       2
    walkable spans              3
    flat spans                 30
    eroded spans                5
    open spans                 20
    kept spans                 20
    regions                     4
    contours                    5
    polygons                    6
    vertices                    7
    detail vertices             8
    detail triangles            9
    tiles                       1
    workspace             11.8 MB

    no warnings
    "
  `);
});

it('lists warnings with stage, code, number and remedy', () => {
  const text = formatReport({
    ...report,
    warnings: [{ code: 'degenerate-triangles', stage: 'input', count: 1500, message: 'Remove them.' }],
  });
  expect(text).toContain('1 warning\n  input: degenerate-triangles (1,500 times): Remove them.\n');
});

it('formats a report without stages', () => {
  expect(formatReport({ ...report, stages: [], totalMs: 0 })).toContain('total');
});
