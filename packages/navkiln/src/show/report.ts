/**
 * Formats the report of a bake as text: stages with times and bars, counts, warnings. For people; programs
 * read the record.
 */
import { checkArray, checkObject } from '../base/data/refuse.ts';
import type { BuildReport } from '../build/voxel/report.ts';
import { grouped } from './format.ts';

const BAR_WIDTH = 24;

/** Returns a report as lines of text for a fixed-width font, each ended by '\n'. */
export function formatReport(report: BuildReport): string {
  checkObject('formatReport', 'report', report);
  checkArray('formatReport', 'report.stages', report.stages);
  checkArray('formatReport', 'report.warnings', report.warnings);
  checkObject('formatReport', 'report.counts', report.counts);
  return [...stageLines(report), '', ...countLines(report), ...warningLines(report)].join('\n') + '\n';
}

function stageLines(report: BuildReport): string[] {
  const { stages, totalMs } = report;
  const longest = Math.max(1, ...stages.map((stage) => stage.ms));
  const nameWidth = Math.max(5, ...stages.map((stage) => stage.name.length));
  const lines = [`${'stage'.padEnd(nameWidth)}  ${'ms'.padStart(9)}  ${'share'.padStart(5)}`];
  for (const stage of stages) {
    const share = totalMs > 0 ? `${Math.round((100 * stage.ms) / totalMs)} %` : '-';
    const bar = '█'.repeat(Math.round((BAR_WIDTH * stage.ms) / longest));
    lines.push(`${stage.name.padEnd(nameWidth)}  ${formatMs(stage.ms)}  ${share.padStart(5)}  ${bar}`.trimEnd());
  }
  lines.push(`${'total'.padEnd(nameWidth)}  ${formatMs(totalMs)}`);
  return lines;
}

function formatMs(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : 1).padStart(9);
}

function countLines(report: BuildReport): string[] {
  const rows = Object.entries(report.counts).map(([name, value]) => [words(name), grouped(Math.round(value))]);
  rows.push(['workspace', `${(report.workspaceBytes / (1 << 20)).toFixed(1)} MB`]);
  const nameWidth = Math.max(...rows.map(([name]) => name!.length));
  const valueWidth = Math.max(...rows.map(([, value]) => value!.length));
  return rows.map(([name, value]) => `${name!.padEnd(nameWidth)}  ${value!.padStart(valueWidth)}`);
}

function warningLines(report: BuildReport): string[] {
  if (report.warnings.length === 0) return ['', 'no warnings'];
  const lines = ['', report.warnings.length === 1 ? '1 warning' : `${report.warnings.length} warnings`];
  for (const warning of report.warnings) {
    const times = warning.count === 1 ? '' : ` (${grouped(warning.count)} times)`;
    lines.push(`  ${warning.stage}: ${warning.code}${times}: ${warning.message}`);
  }
  return lines;
}

/** Turns 'walkableTriangles' into 'walkable triangles'. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
