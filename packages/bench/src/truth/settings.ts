/** The settings with which the truth matrix bakes each level. */
import { buildNavMesh, optionsFromSettings } from 'navkiln/build';
import type { BuildOptions, Partition, SurfaceOptions } from 'navkiln/build';
import type { NavMesh } from 'navkiln';
import { buildFromSurface } from 'navkiln/build';

/** How a level is baked. `tile` and `cells` are counted in radii of the agent. */
export interface Setting {
  name: string;
  builder: 'voxel' | 'surface';
  partition: Partition;
  /** Side of a tile in radii: 20 and 80 are 8 and 32 m for an agent of 0.4 m. 0: one tile. */
  tile: number;
  /** Cells per radius. */
  cells: 2 | 3;
}

export interface TruthLevel {
  positions: Float32Array | Float64Array;
  indices: Uint32Array;
  agent: { radius: number; height: number; maxClimb: number; maxSlopeDegrees: number };
}

export const VOXEL_SETTINGS: readonly Setting[] = (['watershed', 'monotone', 'layers'] as const).flatMap((partition) =>
  [0, 20, 80].flatMap((tile) =>
    ([2, 3] as const).map((cells) => ({
      name: `${partition}-${tile}-${cells}`,
      builder: 'voxel' as const,
      partition,
      tile,
      cells,
    })),
  ),
);

export const SURFACE_SETTINGS: readonly Setting[] = [0, 20].map((tile) => ({
  name: `surface-${tile}`,
  builder: 'surface',
  partition: 'watershed',
  tile,
  cells: 2,
}));

export const SETTINGS: readonly Setting[] = [...VOXEL_SETTINGS, ...SURFACE_SETTINGS];

export function findSetting(name: string): Setting {
  const setting = SETTINGS.find((candidate) => candidate.name === name);
  if (setting === undefined) {
    throw new RangeError(`findSetting: no setting '${name}'. There are: ${SETTINGS.map((s) => s.name).join(', ')}.`);
  }
  return setting;
}

export interface TruthBake {
  navMesh: NavMesh;
  /** Codes of the report's warnings. */
  warnings: string[];
  ms: number;
}

/** The options of a voxel bake. */
export function voxelOptions({ agent }: TruthLevel, { partition, tile, cells }: Setting): BuildOptions {
  return {
    agent,
    ...optionsFromSettings({ partition }),
    tileSize: tile * agent.radius,
    cellSize: agent.radius / cells,
    memoryLimitBytes: 2 ** 33,
  };
}

/** The options of a surface bake. */
export function surfaceOptions({ agent }: TruthLevel, { tile }: Setting): SurfaceOptions {
  return { agent, tileSize: tile * agent.radius };
}

export function bakeLevel(level: TruthLevel, setting: Setting): TruthBake {
  const begun = performance.now();
  const { navMesh, report } =
    setting.builder === 'voxel'
      ? buildNavMesh(level, voxelOptions(level, setting))
      : buildFromSurface(level, surfaceOptions(level, setting));
  return {
    navMesh,
    warnings: report.warnings.map(({ code }) => code),
    ms: performance.now() - begun,
  };
}
