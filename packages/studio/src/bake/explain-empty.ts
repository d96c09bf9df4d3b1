/** Adds the cause to the report of a mesh that is empty or covers little. Loaded on demand: other bakes do not need it. */
import { diagnoseBake, explainEmptySurface } from 'navkiln/debug';
import type { BuildOptions, EmptyReason, SurfaceLevel, SurfaceOptions, TriangleInput } from 'navkiln/build';
import type { NavMesh } from 'navkiln';

interface Report {
  warnings: readonly { code: string; message: string; reason?: EmptyReason }[];
}

/** Explains an empty mesh of triangles, or one that lost most of the surface. */
export function explainEmpty(report: Report, input: TriangleInput, options: BuildOptions, navMesh: NavMesh): void {
  const { empty, findings } = diagnoseBake(input, { ...options, onProgress: undefined }, navMesh);
  if (empty !== undefined) put(report, empty);
  const low = report.warnings.find(({ code }) => code === 'low-coverage');
  // The losses of each stage, and the remedy after which most is covered.
  if (low !== undefined && findings.length > 0)
    low.message = findings
      .map(({ message }) => message)
      .reverse()
      .join('; ');
}

/** Explains an empty mesh of surfaces. */
export function explainSurface(report: Report, levels: readonly SurfaceLevel[], options: SurfaceOptions): void {
  put(report, explainEmptySurface(levels, options));
}

function put({ warnings }: Report, { reason, message }: { reason: EmptyReason; message: string }): void {
  const warning = warnings.find(({ code }) => code === 'empty-result');
  if (warning === undefined) return;
  warning.reason = reason;
  warning.message = `${warning.message.slice(0, warning.message.lastIndexOf(';'))}; ${message}`;
}
