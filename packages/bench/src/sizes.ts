/**
 * Measures bakes of several sizes at once, as meshes of their own and as one mesh, against separate bakes of the same sizes, in turns. Throws
 * when bytes of the meshes, or areas of a size on the one mesh, differ.
 */
import { saveNavMesh } from 'navkiln';
import { buildNavMesh, buildNavMeshes, createAgentSizes } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import type { AgentSize, BuildOptions } from 'navkiln/build';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';

export interface SizesRow {
  level: string;
  sizes: number;
  /** Different slopes. */
  slopes: number;
  ms: [together: number, separate: number];
  ratio: Spread;
  /** Time of the bake of one mesh with sizes over that of separate bakes. */
  oneRatio: Spread;
  /** Polygons of that mesh over those of the smallest size. */
  polygons: number;
}

/** Radii in cells; the last of four is taller, too. The larger size of a set with slopes takes only half of the slope. */
const SETS: readonly { radii: readonly number[]; hasSlopes?: boolean }[] = [
  { radii: [2, 6] },
  { radii: [2, 6], hasSlopes: true },
  { radii: [2, 4, 7] },
  { radii: [2, 3] },
  { radii: [1, 2, 3, 4] },
  { radii: [1, 2, 3, 4, 5, 6, 7, 8] },
];

export function benchSizes({ name, positions, indices, options }: BenchLevel, rounds: number): SizesRow[] {
  const level = { positions, indices };
  const { config } = buildNavMesh(level, options).report;
  const { cellSize, cellHeight, agent } = config;
  return SETS.map(({ radii, hasSlopes = false }) => {
    const sizes: AgentSize[] = radii.map((cells, i) => ({
      name: String(cells),
      radius: cells * cellSize,
      height: i === 3 ? 1.5 * agent.height : agent.height,
      maxSlopeDegrees: hasSlopes && i > 0 ? agent.maxSlopeDegrees / 2 : agent.maxSlopeDegrees,
    }));
    const all: BuildOptions = { ...options, cellSize, cellHeight };
    const alone = ({ name: _, ...body }: AgentSize): ReturnType<typeof buildNavMesh> =>
      buildNavMesh(level, { ...all, agent: { ...options.agent, ...body } });
    buildNavMeshes(level, all, sizes).forEach(({ navMesh }, i) => {
      const same = Buffer.compare(Buffer.from(saveNavMesh(navMesh)), Buffer.from(saveNavMesh(alone(sizes[i]).navMesh)));
      if (same !== 0) throw new Error(`benchSizes: ${name}: the mesh of ${sizes[i].radius} differs`);
    });
    const one = (): ReturnType<typeof buildNavMesh> => buildNavMesh(level, { ...all, sizes: createAgentSizes(sizes) });
    const { navMesh: sized } = one();
    const smallest = alone(sizes[0]).navMesh;
    // Radii that are less than two cells apart lose strips to the simplification of outlines, and steep stairs lose steps.
    const isClose = hasSlopes || radii.some((cells, i) => i > 0 && cells - radii[i - 1] <= 1);
    const tolerance = isClose ? 0.2 : 0.03;
    sizes.forEach((size, bit) => {
      const { navMesh: own, report } = alone(size);
      // Outlines of a separate bake that cross themselves cover other ground than its cells; those of a mesh with sizes do not cross.
      if (report.warnings.some(({ code }) => /polygon|hole/.test(code))) return;
      const ratio = areaOf(sized, bit) / areaOf(own, -1);
      if (Math.abs(ratio - 1) > tolerance) throw new Error(`benchSizes: ${name}: size ${bit} has ${ratio} of its area`);
    });
    const times = measureInterleaved(
      [
        { name: 'one', run: one },
        { name: 'together', run: () => buildNavMeshes(level, all, sizes) },
        { name: 'separate', run: () => sizes.map(alone) },
      ],
      { rounds, warmups: 2 },
    );
    return {
      level: name,
      sizes: sizes.length,
      slopes: hasSlopes ? 2 : 1,
      ms: [spreadOf(times[1]).median, spreadOf(times[2]).median],
      ratio: ratioOf(times[1], times[2]),
      oneRatio: ratioOf(times[0], times[2]),
      polygons: sized.polyCount / smallest.polyCount,
    };
  });
}

export function sizesTable(rows: readonly SizesRow[]): string[][] {
  return [
    [
      'level',
      'sizes',
      'slopes',
      'ms',
      'ms separate',
      'together / separate',
      'one mesh / separate',
      'polygons / smallest',
    ],
    ...rows.map(({ level, sizes, slopes, ms, ratio, oneRatio, polygons }) => [
      level,
      String(sizes),
      String(slopes),
      ms[0].toFixed(0),
      ms[1].toFixed(0),
      show(ratio),
      show(oneRatio),
      polygons.toFixed(2),
    ]),
  ];
}

function show({ q1, median, q3 }: Spread): string {
  return `${median.toFixed(2)} (${q1.toFixed(2)} .. ${q3.toFixed(2)})`;
}

/** Returns the area seen from above of the polygons on which a size fits; -1: of all. */
function areaOf(mesh: NavMesh, bit: number): number {
  const { vertices, edgeVertex, polyEdgeStart, polyVertexCount, polySizes } = mesh;
  let sum = 0;
  for (let p = 0; p < mesh.polyCount; p++) {
    if (bit >= 0 && ((polySizes[p] >> bit) & 1) === 0) continue;
    for (let k = 0; k < polyVertexCount[p]; k++) {
      const a = 3 * edgeVertex[polyEdgeStart[p] + k];
      const b = 3 * edgeVertex[polyEdgeStart[p] + ((k + 1) % polyVertexCount[p])];
      sum += (vertices[a + 2] * vertices[b] - vertices[a] * vertices[b + 2]) / 2;
    }
  }
  return sum;
}
