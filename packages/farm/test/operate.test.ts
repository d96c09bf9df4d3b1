/** The alerts and the dashboard beside the farm's guide use the metrics that `formatFarmMetrics` writes, and show all of them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatFarmMetrics } from '../src/status.ts';

const read = (name: string): string => readFileSync(new URL(`../operate/${name}`, import.meta.url), 'utf8');
const namesIn = (text: string): string[] => [...new Set(text.match(/navkiln_farm_[a-z_]+/g))].sort();

const written = namesIn(
  formatFarmMetrics({
    published: { sequence: 1, tiles: 4 },
    plan: { key: 'k', sequence: 2, tiles: 4, plannedTiles: 4, doneTiles: 1, chunks: 1, doneChunks: 0 },
    queue: { name: 'q', server: 's', waiting: 1, active: 1, delayed: 0, failed: 0, workers: 1 },
    tilesPerSecond: 2,
    secondsLeft: 3,
    failures: [],
  }),
);

it('the dashboard shows each metric, and no other', () => {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { id: number; targets: { expr: string }[] }[] };
  expect(namesIn(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' '))).toEqual(written);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it('alerts use only metrics that are written', () => {
  const expressions = read('alerts.yaml').match(/expr: .*/g)!;
  expect(expressions.length).toBe(5);
  expect(written).toEqual(expect.arrayContaining(namesIn(expressions.join(' '))));
});
