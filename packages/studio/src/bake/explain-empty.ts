/** Adds the cause to the report of an empty mesh. Loaded on demand: a bake with polygons does not need it. */
import { diagnoseBake, explainEmptySurface } from 'navkiln/debug';
import type { BuildOptions, EmptyReason, SurfaceLevel, SurfaceOptions, TriangleInput } from 'navkiln/build';
import type { NavMesh } from 'navkiln';

interface Report {
  warnings: readonly { code: string; message: string; reason?: EmptyReason }[];
}

/** Explains an empty mesh of triangles. */
export function explainEmpty(report: Report, input: TriangleInput, options: BuildOptions, navMesh: NavMesh): void {
  const { empty } = diagnoseBake(input, { ...options, onProgress: undefined }, navMesh);
  if (empty !== undefined) put(report, empty);
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
