/**
 * Checks the overlay of an index that was read from bytes, so that queries never run forever or read outside of arrays.
 *
 * In: an index, a function that rejects it.
 * Out: nothing.
 * Cost: linear.
 * Based on: own.
 */
import type { PathIndex } from '../types.ts';

type Expect = (isGood: boolean, field: string) => void;

/** Calls `expect` with false and the name of an array if the overlay is invalid. Polygon numbers are below `polyCount`. */
export function checkOverlay(index: PathIndex, polyCount: number, expect: Expect): void {
  const { polyCell, cellParent, gateLevel, viaStart, viaPoints, cellLengths, tier } = index;
  const cellCount = cellParent.length;
  const lowestCount = viaStart.length - 1;
  expect(polyCell.length === (tier === 'overlay' ? polyCount : 0), 'polyCell');
  expect(tier === 'overlay' || (cellCount === 0 && gateLevel.length === 0), 'cellParent');
  expect(lowestCount >= 0 && lowestCount <= cellCount, 'viaStart');
  for (const cell of polyCell) expect(cell >= -1 && cell < lowestCount, 'polyCell');
  cellParent.forEach((parent, cell) => {
    expect(parent === -1 || (parent > cell && parent >= lowestCount && parent < cellCount), 'cellParent');
  });
  for (const value of viaPoints) expect(Number.isFinite(value), 'viaPoints');
  for (const length of cellLengths) expect(length >= 0, 'cellLengths');
  checkGates(index, polyCount, expect);
  checkCells(index, lowestCount, expect);
}

/** Rejects gates that are not between two cells. */
function checkGates(index: PathIndex, polyCount: number, expect: Expect): void {
  const { gatePoint, gatePoly, gateLevel, gateLink, linkPoly, polyCell, tier } = index;
  const ends = new Set<number>();
  const gateCount = gateLevel.length;
  expect(gatePoint.length === 3 * gateCount && gatePoint.every(Number.isFinite), 'gatePoint');
  expect(gatePoly.length === 2 * gateCount, 'gatePoly');
  expect(gateLink.length === gateCount, 'gateLink');
  for (let gate = 0; gate < gateCount; gate++) {
    const a = gatePoly[2 * gate];
    const b = gatePoly[2 * gate + 1];
    expect(a >= 0 && b >= 0 && a < polyCount && b < polyCount, 'gatePoly');
    const end = gateLink[gate];
    expect(polyCell[a] >= 0 && polyCell[b] >= 0 && (polyCell[a] === polyCell[b]) === end >= 0, 'gatePoly');
    if (end !== -1) {
      expect(end >= 0 && end < linkPoly.length && !ends.has(end) && a === b && a === linkPoly[end], 'gateLink');
      ends.add(end);
    }
    expect(gate === 0 || gateLevel[gate] <= gateLevel[gate - 1], 'gateLevel');
  }
  expect(tier !== 'overlay' || ends.size === linkPoly.length, 'gateLink');
}

/** Rejects cells whose lists do not match their numbers of gates and corners. */
function checkCells(index: PathIndex, lowestCount: number, expect: Expect): void {
  const { cellGateStart, cellGates, cellLengthStart, cellLengths, viaStart, viaPoints, hopStart, hops } = index;
  const { gateLevel, gatePoly, polyCell, cellParent } = index;
  const cellCount = cellParent.length;
  expect(cellGateStart.length === cellCount + 1 && cellGateStart[0] === 0, 'cellGateStart');
  expect(cellLengthStart.length === cellCount + 1 && cellLengthStart[0] === 0, 'cellLengthStart');
  expect(hopStart.length === lowestCount + 1 && hopStart[0] === 0 && viaStart[0] === 0, 'hopStart');
  for (let cell = 0; cell < cellCount; cell++) {
    const first = cellGateStart[cell];
    const end = cellGateStart[cell + 1];
    const count = end - first;
    expect(count >= 0 && end <= cellGates.length, 'cellGateStart');
    const size = cellLengthStart[cell + 1] - cellLengthStart[cell];
    const isDirected = cell >= lowestCount && size === count * count;
    expect(isDirected || size === (count * (count - 1)) / 2, 'cellLengthStart');
    for (let i = first; i < end; i++) {
      const gate = cellGates[i];
      expect(gate >= 0 && gate < gateLevel.length && (i === first || gate > cellGates[i - 1]), 'cellGates');
      const isThere = polyCell[gatePoly[2 * gate]] === cell || polyCell[gatePoly[2 * gate + 1]] === cell;
      expect(isThere || cell >= lowestCount, 'cellGates');
    }
    if (cell >= lowestCount) continue;
    const cornerCount = viaStart[cell + 1] - viaStart[cell];
    const hopEnd = hopStart[cell + 1];
    expect(cornerCount >= 0, 'viaStart');
    expect(hopEnd - hopStart[cell] === count * (count + cornerCount) && hopEnd <= hops.length, 'hopStart');
    for (let i = hopStart[cell]; i < hopEnd; i++) expect(hops[i] <= cornerCount, 'hops');
  }
  expect(cellGateStart[cellCount] === cellGates.length, 'cellGates');
  // Each gate is in the lists of both cells, and each link end in the list of its cell.
  const linkGateCount = index.tier === 'overlay' ? index.linkPoly.length : 0;
  expect(cellGateStart[lowestCount] === 2 * gateLevel.length - linkGateCount, 'cellGates');
  expect(cellLengthStart[cellCount] === cellLengths.length, 'cellLengths');
  expect(2 * viaStart[lowestCount] === viaPoints.length && hopStart[lowestCount] === hops.length, 'viaPoints');
}
