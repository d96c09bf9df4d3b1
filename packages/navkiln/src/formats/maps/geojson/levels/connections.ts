/**
 * Finds the stairs, escalators, lifts and ramps that connect levels: lines on two levels, points and areas on several, and areas of one
 * level that lie above each other.
 *
 * In: features with their levels, on the plane; the floors of all levels.
 * Out: connections, and landings where two flights meet between levels.
 * Cost: features times the polygons of their levels.
 * Based on: OpenStreetMap's Simple Indoor Tagging; own code.
 */
import type { LevelConnection, LevelConnectionKind } from '../../../../build/polygon/levels.ts';
import { ringsOfLine } from '../../lines.ts';
import type { ParsedPoint, ParsedPolygon, ParsedRing } from '../../map.ts';
import { areaOf } from '../../rings.ts';
import { distanceToPolygon, isInPolygon, pointInPolygon } from './geometry.ts';
import type { Geometry } from './geometry.ts';

/** How far the floor may be from the end of a line that leads to it. */
const END_REACH = 2;
/** How much nearer the floors must be for one direction of a line than for the other, to decide which end is up. */
const SURE = 1;
/** Diameter of the floor that is added where two flights of stairs meet between levels. */
const LANDING = 3;

/** A feature that may connect levels. */
export interface Connector {
  kind: LevelConnectionKind;
  name: string;
  geometry: Geometry;
  /** Indices of its levels, in the order of the data. */
  levels: number[];
  /** 1: up from the first point of its line, -1: down, 0: not known. */
  incline: -1 | 0 | 1;
  direction: -1 | 0 | 1;
}

export interface LevelFloor {
  height: number;
  /** Whether it is a level between levels, such as 0.5. */
  isBetween: boolean;
  polygons: ParsedPolygon[];
}

/** Cost per unit of rise, and of waiting for a lift. */
export interface ConnectionCosts {
  stairs: number;
  escalator: number;
  ramp: number;
  lift: number;
  liftWait: number;
}

/** Returns the connections of all connectors. Adds landings to the floors. */
export function connect(
  connectors: readonly Connector[],
  floors: readonly LevelFloor[],
  costs: ConnectionCosts,
): LevelConnection[] {
  const found: LevelConnection[] = [];
  const add = (
    { kind, name, direction }: Connector,
    from: LevelConnection['from'],
    to: LevelConnection['to'],
    length: number,
  ): void => {
    const rise = Math.abs(floors[from.level].height - floors[to.level].height);
    const least = Math.sqrt(length * length + rise * rise);
    const cost = kind === 'lift' ? costs.liftWait + costs.lift * rise : Math.max(least, costs[kind] * rise);
    const ends = direction < 0 ? { from: to, to: from } : { from, to };
    found.push({ kind, name, ...ends, cost, bothWays: direction === 0 });
  };
  const upward = (levels: readonly number[]): number[] =>
    [...levels].sort((a, b) => floors[a].height - floors[b].height);
  for (const connector of connectors) {
    const { geometry, levels } = connector;
    const sorted = upward(levels);
    if (sorted.length < 2) continue;
    for (const line of geometry.lines) {
      if (line.length < 2) continue;
      const [low, high] = [sorted[0], sorted[sorted.length - 1]];
      const [first, last] = [line[0], line[line.length - 1]];
      const isUp = leadsUp(connector, floors, [low, high], [first, last]);
      const [start, end] = isUp ? [low, high] : [high, low];
      addLanding(floors[start], first);
      addLanding(floors[end], last);
      add(connector, { level: start, point: first }, { level: end, point: last }, lengthOf(line));
    }
    const spots = [...geometry.points, ...geometry.polygons.map(pointInPolygon)];
    for (const point of spots) {
      for (let k = 0; k + 1 < sorted.length; k++)
        add(connector, { level: sorted[k], point }, { level: sorted[k + 1], point }, 0);
    }
  }
  for (const [low, high, point, connector] of stacked(connectors, upward))
    add(connector, { level: low, point }, { level: high, point }, 0);
  return found;
}

/** Returns whether a line leads up, by the floors at its ends, or else by its incline, or the order of its levels. */
function leadsUp(
  { incline, levels }: Connector,
  floors: readonly LevelFloor[],
  [low, high]: readonly [number, number],
  [first, last]: readonly [ParsedPoint, ParsedPoint],
): boolean {
  const miss = (level: number, point: ParsedPoint): number => {
    const least = floors[level].polygons.reduce((best, one) => Math.min(best, distanceToPolygon(point, one)), Infinity);
    return Math.min(least, 100);
  };
  const up = miss(low, first) + miss(high, last);
  const down = miss(high, first) + miss(low, last);
  if (Math.abs(up - down) > SURE) return up < down;
  return incline === 0 ? floors[levels[0]].height <= floors[levels[levels.length - 1]].height : incline > 0;
}

/** Adds floor where a flight ends between levels and the data have none. */
function addLanding(floor: LevelFloor, point: ParsedPoint): void {
  if (!floor.isBetween || floor.polygons.some((one) => distanceToPolygon(point, one) <= END_REACH)) return;
  const [outline] = ringsOfLine([point], LANDING, true);
  floor.polygons.push({ outline, holes: [] });
}

function lengthOf(line: ParsedRing): number {
  return line.slice(1).reduce((sum, [x, y], k) => {
    const [u, v] = line[k];
    return sum + Math.sqrt((x - u) * (x - u) + (y - v) * (y - v));
  }, 0);
}

/** Returns areas of one level that lie above another of the same kind, one level apart. */
function* stacked(
  connectors: readonly Connector[],
  upward: (levels: readonly number[]) => number[],
): Generator<[low: number, high: number, point: ParsedPoint, connector: Connector]> {
  const single = connectors.filter(({ levels, geometry }) => levels.length === 1 && geometry.polygons.length > 0);
  const order = upward([...new Set(single.flatMap(({ levels }) => levels))]);
  for (const below of single) {
    const next = order[order.indexOf(below.levels[0]) + 1];
    for (const polygon of below.geometry.polygons) {
      const above = single
        .filter(({ kind, levels }) => kind === below.kind && levels[0] === next)
        .flatMap(({ geometry }) => geometry.polygons)
        .filter((one) => isInPolygon(pointInPolygon(one), polygon) || isInPolygon(pointInPolygon(polygon), one))
        .sort((a, b) => areaOf(a.outline) - areaOf(b.outline));
      if (above.length === 0) continue;
      const [a, b] = [pointInPolygon(polygon), pointInPolygon(above[0])];
      yield [below.levels[0], next, isInPolygon(a, above[0]) ? a : b, below];
    }
  }
}
