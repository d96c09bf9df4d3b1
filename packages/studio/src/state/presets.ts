/** Ready-made agents and precisions for the settings panel. */
import type { Settings } from './state.ts';

export interface Preset {
  title: string;
  /** Settings that the preset sets; undefined: their defaults. */
  settings: Partial<Settings>;
}

const agent = (radius: number, height: number, maxClimb: number, maxSlopeDegrees: number): Partial<Settings> => ({
  agent: { radius, height, maxClimb, maxSlopeDegrees },
});

export const AGENT_PRESETS: readonly Preset[] = [
  { title: 'Default', settings: { agent: undefined } },
  { title: 'Person', settings: agent(0.3, 1.8, 0.4, 45) },
  { title: 'Child', settings: agent(0.2, 1.2, 0.3, 45) },
  { title: 'Wheelchair', settings: agent(0.4, 1.4, 0.02, 6) },
  { title: 'Small robot', settings: agent(0.2, 0.4, 0.05, 20) },
  { title: 'Car', settings: agent(1.2, 1.7, 0.15, 25) },
  { title: 'Giant', settings: agent(1.5, 5, 1.2, 50) },
  { title: 'RecastDemo', settings: agent(0.6, 2, 0.9, 45) },
];

/** Returns whether the settings are those of a preset. */
export function isPreset(settings: Settings, preset: Preset): boolean {
  return Object.entries(preset.settings).every(
    ([key, value]) => JSON.stringify(settings[key as keyof Settings]) === JSON.stringify(value),
  );
}

/** Returns the settings with those of a preset. */
export function withPreset(settings: Settings, preset: Preset): Settings {
  const next = { ...settings, ...preset.settings };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as Settings;
}

/** Cells for a radius: smaller ones follow the level more closely and take longer. */
export function precisionPresets(radius: number): readonly Preset[] {
  const cells = (share: number): Partial<Settings> => {
    const cellSize = Number((share * radius).toPrecision(2));
    return { cellSize, cellHeight: Number((cellSize / 2).toPrecision(2)) };
  };
  return [
    { title: 'Default', settings: { cellSize: undefined, cellHeight: undefined } },
    { title: 'Fast', settings: cells(1) },
    { title: 'Fine', settings: cells(1 / 4) },
    { title: 'Very fine', settings: cells(1 / 8) },
  ];
}
