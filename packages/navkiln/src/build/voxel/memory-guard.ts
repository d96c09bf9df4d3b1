/**
 * Checks which slot holds which memory during a voxel bake: a debug mode for tests.
 *
 * A slot is held from its taking until a stage begins that lies outside of its lifetime (LIFETIMES). Then its
 * memory is filled with `POISON`. The guard throws when
 *  - a slot is taken outside of its lifetime, or while another slot holds the same memory;
 *  - an array is read or written after its slot was released, or after its owner has taken the slot again.
 *
 * In: a workspace. Out: the same workspace; its arrays are proxies that check each access.
 * Cost: a bake takes some hundred times as long. Without a guard nothing is checked.
 * Based on: own.
 */
import type { Workspace } from '../../base/data/workspace.ts';
import { memoryOf } from './memory.ts';
import type { SlotName } from './memory.ts';
import { BUILD_STAGES } from './options.ts';
import type { Stage } from './options.ts';

/** Byte that fills memory before its first use and after its last one. */
const POISON = 0xa5;

/** Stage that takes a slot, and the last stage that uses it. */
export const LIFETIMES: Readonly<Record<SlotName, readonly [from: Stage, until: Stage]>> = {
  'tile.indices': ['rasterize', 'rasterize'],
  'tile.areas': ['rasterize', 'rasterize'],
  'raster.rowEnd': ['rasterize', 'rasterize'],
  'raster.columnEnd': ['rasterize', 'rasterize'],
  'raster.last': ['rasterize', 'rasterize'],
  'raster.listColumn': ['rasterize', 'rasterize'],
  'raster.listSpan': ['rasterize', 'rasterize'],
  'solid.columnStart': ['rasterize', 'compact'],
  'solid.spans': ['rasterize', 'compact'],
  'field.columnStart': ['compact', 'detail'],
  'field.y': ['compact', 'detail'],
  'field.height': ['compact', 'detail'],
  'field.area': ['compact', 'detail'],
  'field.neighbor': ['compact', 'detail'],
  'sweep.distance': ['erode', 'distance'],
  'sweep.runs': ['erode', 'distance'],
  'field.distance': ['distance', 'regions'],
  'field.region': ['regions', 'detail'],
  'watershed.link': ['regions', 'regions'],
  'watershed.ordered': ['regions', 'regions'],
  'watershed.orderedLink': ['regions', 'regions'],
  'watershed.reach': ['regions', 'regions'],
  'watershed.taken': ['regions', 'regions'],
  'watershed.source': ['regions', 'regions'],
  'watershed.stack': ['regions', 'regions'],
  'contours.sides': ['contours', 'contours'],
  'contours.edges': ['contours', 'contours'],
  'contours.raw': ['contours', 'polymesh'],
  'contours.link': ['contours', 'contours'],
  'contours.corners': ['contours', 'contours'],
  'contours.nextCorner': ['contours', 'contours'],
  'contours.vertices': ['contours', 'polymesh'],
  'polymesh.vertices': ['polymesh', 'polymesh'],
  'polymesh.firstVertex': ['polymesh', 'polymesh'],
  'polymesh.nextVertex': ['polymesh', 'polymesh'],
  'polymesh.polys': ['polymesh', 'polymesh'],
  'polymesh.counts': ['polymesh', 'polymesh'],
  'polymesh.region': ['polymesh', 'polymesh'],
  'polymesh.area': ['polymesh', 'polymesh'],
  'polymesh.firstEdge': ['polymesh', 'polymesh'],
  'polymesh.nextEdge': ['polymesh', 'polymesh'],
  'detail.edgeStart': ['detail', 'detail'],
  'detail.tris': ['detail', 'detail'],
  'detail.queueIndex': ['detail', 'detail'],
};

/** An array that was handed out. */
interface Hold {
  slot: SlotName;
  bytes: Uint8Array;
  /** Why the array is no longer valid; '' while it is. */
  ended: string;
}

/** Checks every use of the workspace's memory from now on. */
export function guardWorkspace(workspace: Workspace): Workspace {
  const holds = new Map<string, Hold>();
  let stage = '';
  workspace.guard = {
    beginStage(next) {
      stage = next;
      for (const [memory, hold] of holds) {
        if (next !== '' && livesIn(hold.slot, next as Stage)) continue;
        hold.bytes.fill(POISON);
        hold.ended = next === '' ? 'the end of the bake' : `the start of stage ${next}`;
        holds.delete(memory);
      }
    },
    take(name, array) {
      const slot = name as SlotName;
      if (stage === '' || !livesIn(slot, stage as Stage)) {
        throw new Error(`memory: ${slot} is taken in stage '${stage}'; must be taken from ${LIFETIMES[slot][0]} on`);
      }
      const memory = memoryOf(slot);
      const before = holds.get(memory);
      if (before !== undefined && before.slot !== slot) {
        throw new Error(`memory: ${slot} is taken in stage ${stage} while ${before.slot} holds the same memory`);
      }
      const hold: Hold = { slot, bytes: new Uint8Array(array.buffer, array.byteOffset, array.byteLength), ended: '' };
      if (before === undefined) hold.bytes.fill(POISON);
      else before.ended = `it was taken again in stage ${stage}`;
      holds.set(memory, hold);
      return checked(array, hold);
    },
  };
  return workspace;
}

function livesIn(slot: SlotName, stage: Stage): boolean {
  const [from, until] = LIFETIMES[slot];
  const index = BUILD_STAGES.indexOf(stage);
  return BUILD_STAGES.indexOf(from) <= index && index <= BUILD_STAGES.indexOf(until);
}

/** Returns a proxy of the array that throws once its hold has ended. Views made from it are checked, too. */
function checked<T extends ArrayBufferView>(array: T, hold: Hold): T {
  const check = (): void => {
    if (hold.ended !== '') throw new Error(`memory: ${hold.slot} is used after ${hold.ended}`);
  };
  const proxy: T = new Proxy(array, {
    get(target, key) {
      check();
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = value.apply(target, args);
        if (result === target) return proxy;
        return ArrayBuffer.isView(result) && result.buffer === target.buffer ? checked(result, hold) : result;
      };
    },
    set(target, key, value) {
      check();
      return Reflect.set(target, key, value, target);
    },
  });
  return proxy;
}
