/**
 * Measures bakes of several sizes at once against separate bakes of the same sizes, in turns. Throws when bytes differ.
 */
import { saveNavMesh } from 'navkiln';
import { buildNavMesh, buildNavMeshes } from 'navkiln/build';
import type { AgentSize, BuildOptions } from 'navkiln/build';
import { measureInterleaved, ratioOf, spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';
import type { BenchLevel } from './levels.ts';

export interface SizesRow {
  level: string;
  sizes: number;
  ms: [together: number, separate: number];
  ratio: Spread;
}

/** Radii in cells; the last of four is taller, too. */
const RADII: readonly (readonly number[])[] = [
  [2, 3],
  [1, 2, 3, 4],
  [1, 2, 3, 4, 5, 6, 7, 8],
];

export function benchSizes({ name, positions, indices, options }: BenchLevel, rounds: number): SizesRow[] {
  const level = { positions, indices };
  const { config } = buildNavMesh(level, options).report;
  const { cellSize, cellHeight, agent } = config;
  return RADII.map((radii) => {
    const sizes: AgentSize[] = radii.map((cells, i) => ({
      name: String(cells),
      radius: cells * cellSize,
      height: i === 3 ? 1.5 * agent.height : agent.height,
    }));
    const all: BuildOptions = { ...options, cellSize, cellHeight };
    const alone = ({ radius, height }: AgentSize): ReturnType<typeof buildNavMesh> =>
      buildNavMesh(level, { ...all, agent: { ...options.agent, radius, height } });
    buildNavMeshes(level, all, sizes).forEach(({ navMesh }, i) => {
      const same = Buffer.compare(Buffer.from(saveNavMesh(navMesh)), Buffer.from(saveNavMesh(alone(sizes[i]).navMesh)));
      if (same !== 0) throw new Error(`benchSizes: ${name}: the mesh of ${sizes[i].radius} differs`);
    });
    const times = measureInterleaved(
      [
        { name: 'together', run: () => buildNavMeshes(level, all, sizes) },
        { name: 'separate', run: () => sizes.map(alone) },
      ],
      { rounds, warmups: 2 },
    );
    return {
      level: name,
      sizes: sizes.length,
      ms: [spreadOf(times[0]).median, spreadOf(times[1]).median],
      ratio: ratioOf(times[0], times[1]),
    };
  });
}

export function sizesTable(rows: readonly SizesRow[]): string[][] {
  return [
    ['level', 'sizes', 'ms', 'ms separate', 'together / separate'],
    ...rows.map(({ level, sizes, ms, ratio: { q1, median, q3 } }) => [
      level,
      String(sizes),
      ms[0].toFixed(0),
      ms[1].toFixed(0),
      `${median.toFixed(2)} (${q1.toFixed(2)} .. ${q3.toFixed(2)})`,
    ]),
  ];
}
