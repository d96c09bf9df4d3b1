/**
 * Runs the scenes with dense flow through the crowds of navkiln, npm recast-navigation and npm navcat: the same level,
 * agents, orders and measures. Agents go on to their next goal when they are at one, whichever library moves them.
 *
 * Agreement: all libraries accept all agents.
 */
import { crowdRuns } from 'navkiln/debug';
import type { CrowdRunResult } from 'navkiln/debug';
import { denseCrowdScenes } from 'navkiln-scenes';
import type { CrowdSceneTweaks } from 'navkiln-scenes';
import { STEP, contenders } from './crowd.ts';

/** Scenes that also run with other parameters. */
const VARIANTS: Record<string, CrowdSceneTweaks[]> = {
  'open-flow': [{ density: 0.5 }, { density: 0.2 }],
  junction: [{}, { arms: 4 }, { width: 0.85 }],
};

export interface CrowdFlowRow {
  scene: string;
  who: string;
  seed: number;
  /** Trips a minute; NaN for scenes without errands. */
  tripsPerMinute: number;
  report: CrowdRunResult;
}

export interface CrowdFlowOptions {
  /** Names of scenes; empty: all. */
  names: readonly string[];
  /** The first seed, and how many. */
  seed: number;
  seeds: number;
  navcat: boolean;
}

export function benchCrowdFlow(
  { names, seed, seeds, navcat }: CrowdFlowOptions,
  onRow: (row: CrowdFlowRow) => void,
): void {
  const scenes = denseCrowdScenes.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const scene of scenes) {
    for (const tweaks of VARIANTS[scene.name] ?? [{}]) {
      const words = Object.entries(tweaks).map(([key, value]) => `${key} ${value}`);
      const title = [scene.name, ...words].join(', ');
      for (const [who, driverOf] of contenders(navcat)) {
        for (let k = seed; k < seed + seeds; k++) {
          const setup = scene.create(k, undefined, tweaks);
          const world = crowdRuns.createCrowdWorld(setup);
          const driver = driverOf(world);
          const run = crowdRuns.startCrowdRun(setup, { stepSeconds: STEP }, world, driver);
          if (run.frame.state.includes(crowdRuns.BODY_GONE)) throw new Error(`${title}: ${who} refuses agents`);
          while (crowdRuns.stepCrowdRun(run));
          const report = crowdRuns.finishCrowdRun(run);
          const minutes = (setup.errandSeconds ?? NaN) / 60;
          onRow({ scene: title, who, seed: k, tripsPerMinute: report.trips / minutes, report });
          driver.destroy?.();
        }
      }
    }
  }
}

const meanOf = (rows: readonly CrowdFlowRow[], of: (row: CrowdFlowRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0) / rows.length;

const digits = (value: number, places: number): string =>
  Number.isFinite(value) ? String(Number(value.toFixed(places))) : '-';

/** Formats a Markdown table with a row per scene and contender: means over the seeds. */
export function crowdFlowTable(rows: readonly CrowdFlowRow[]): string {
  const head = ['scene', 'crowd', 'trips a minute', 'late', 'at rest', 'p95 s', 'all at rest s', 'overlap %', 'rad/m'];
  const table = [head, head.map((_, k) => (k < 2 ? '---' : '---:'))];
  for (const key of new Set(rows.map(({ scene, who }) => `${scene}\n${who}`))) {
    const [scene, who] = key.split('\n');
    const those = rows.filter((row) => row.scene === scene && row.who === who);
    const { agents } = those[0].report;
    const hasTrips = Number.isFinite(those[0].tripsPerMinute);
    table.push([
      scene,
      who,
      digits(
        meanOf(those, (row) => row.tripsPerMinute),
        0,
      ),
      hasTrips
        ? digits(
            meanOf(those, (row) => row.report.lateTrips),
            0,
          )
        : '-',
      `${digits(
        meanOf(those, ({ report }) => report.arrived + report.settled + report.idle),
        1,
      )}/${agents}`,
      digits(
        meanOf(those, (row) => row.report.arrivalP95),
        1,
      ),
      digits(
        meanOf(those, (row) => row.report.settlingTime),
        1,
      ),
      digits(
        meanOf(those, (row) => 100 * row.report.overlapShare),
        2,
      ),
      digits(
        meanOf(those, (row) => row.report.jitter),
        2,
      ),
    ]);
  }
  return table.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
