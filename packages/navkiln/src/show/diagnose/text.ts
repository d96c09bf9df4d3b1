/** Sentences of a diagnosis. */
import type { AgentShape } from '../../mesh/types.ts';
import { plain } from './empty/reason.ts';
import type { StageAreas } from './trial.ts';

/** Returns what each stage removes, the largest loss first, as the end of a sentence. */
export function lossText({ stages, agent }: { stages: StageAreas | undefined; agent: AgentShape }): string {
  if (stages === undefined) return '';
  const { slope, headroom, ledges, radius, pieces } = stages;
  const losses: [number, string][] = [
    [slope - headroom, `below ceilings lower than ${plain(agent.height)}`],
    [headroom - ledges, `next to drops of more than ${plain(agent.maxClimb)}`],
    [ledges - radius, `nearer to a wall or drop than ${plain(agent.radius)}`],
    [radius - pieces, 'in pieces smaller than regionMinArea'],
  ];
  const listed = losses
    .filter(([area]) => area > 0.01 * slope)
    .sort(([a], [b]) => b - a)
    .map(([area, where]) => `${plain(area)} lie ${where}`);
  return listed.length === 0 ? '' : `: ${listed.join(', ')}`;
}

/** Returns a position to three decimals, also far from the origin. */
export function placeText(position: readonly number[]): string {
  return position.map((value) => String(Number(value.toFixed(3)))).join(',');
}
