/**
 * Adds the cause to the report of a mesh that is empty or covers little, and the places where its islands nearly meet. Loaded on demand:
 * other bakes do not need it.
 */
import { optionsFromSettings } from 'navkiln/build';
import { diagnoseBake, explainEmptySurface } from 'navkiln/debug';
import type {
  BuildSettings,
  BuildWarning,
  EmptyReason,
  SurfaceLevel,
  SurfaceOptions,
  TriangleInput,
} from 'navkiln/build';
import type { NavMesh } from 'navkiln';

/** Places where islands nearly meet that are listed. */
const MOST_GAPS = 5;

interface Report {
  warnings: readonly { code: string; message: string; reason?: EmptyReason }[];
}

/** Explains an empty mesh of triangles, one that lost most of the surface, or one of several islands. */
export function explainEmpty(
  report: { warnings: (Omit<BuildWarning, 'code'> & { code: string })[] },
  input: TriangleInput,
  options: BuildSettings,
  navMesh: NavMesh,
): void {
  const { empty, findings, islandGaps } = diagnoseBake(
    input,
    { ...optionsFromSettings(options), onProgress: undefined },
    navMesh,
  );
  if (empty !== undefined) put(report, empty);
  const low = report.warnings.find(({ code }) => code === 'low-coverage');
  // The losses of each stage, and the remedy after which most is covered.
  if (low !== undefined && findings.length > 0)
    low.message = findings
      .map(({ message }) => message)
      .reverse()
      .join('; ');
  else
    for (const { code, message } of findings)
      if (code === 'coarse-cells') report.warnings.push({ code, stage: 'navmesh', count: 1, message });
  for (const { message, position } of islandGaps.slice(0, MOST_GAPS))
    report.warnings.push({ code: 'island-gaps', stage: 'navmesh', count: 1, message, where: { position } });
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
