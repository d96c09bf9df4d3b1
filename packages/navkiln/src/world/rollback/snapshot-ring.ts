/**
 * A ring of snapshots by tick: captures of the last ticks of a crowd or a set of characters, and of their world.
 *
 * In: a number of ticks. Out: a ring; captures and rewinds of what it is used with.
 * Cost: those of captures. All snapshots are reused, so nothing is allocated when the ring has gone around once.
 * Based on: own.
 */
import { checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import { captureCharacters, rewindCharacters } from '../../agents/characters/snapshot.ts';
import type { CharactersSnapshot } from '../../agents/characters/snapshot.ts';
import type { CharacterSet } from '../../agents/characters/types/characters.ts';
import { captureCrowd, rewindCrowd } from '../../agents/crowd/rollback/crowd-snapshot.ts';
import type { CrowdSnapshot } from '../../agents/crowd/rollback/crowd-snapshot.ts';
import type { Crowd } from '../../agents/crowd/state/types.ts';
import type { World } from '../levels/types.ts';
import { captureWorld, rewindWorld } from './world-snapshot.ts';
import type { WorldSnapshot } from './world-snapshot.ts';

/** Options of `createSnapshotRing`. */
export interface SnapshotRingOptions {
  /** The number of ticks that are kept, 1 or more. */
  ticks: number;
  /** The world of the crowd's mesh, which is captured and rewound with it. Default: none. */
  world?: World;
}

/** Snapshots of the last ticks of one crowd, or of one set of characters. Created by `createSnapshotRing`. */
export interface SnapshotRing {
  /** The number of ticks that are kept. */
  readonly ticks: number;
  /** The earliest tick that `rewind` can go back to; -1: none. */
  readonly firstTick: number;
  /** The latest tick that `rewind` can go back to; -1: none. */
  readonly lastTick: number;
  /**
   * Captures a crowd, or a set of characters with its crowd, under the tick of the crowd. Snapshots of this tick and
   * later ones are replaced. Throws a TypeError for another crowd or set than before, and what `captureWorld` throws.
   */
  capture(crowd: Crowd | CharacterSet): void;
  /**
   * Goes back to a tick, and forgets later ticks. Returns false, and changes nothing, when the ring does not have the
   * tick. Throws a TypeError for another crowd or set than the captured one.
   */
  rewind(crowd: Crowd | CharacterSet, tick: number): boolean;
}

interface Entry {
  tick: number;
  crowd: CrowdSnapshot | undefined;
  characters: CharactersSnapshot | undefined;
  world: WorldSnapshot | undefined;
}

/** Maximum number of ticks; the memory is about a megabyte each for 500 agents. */
const MOST_TICKS = 65_536;

/**
 * Creates an empty ring of snapshots. Capture the crowd after each tick; when an order for an earlier tick arrives, rewind to that tick,
 * give the order, and step again.
 *
 * @throws RangeError, TypeError for unknown or invalid options
 */
export function createSnapshotRing(options: SnapshotRingOptions): SnapshotRing {
  checkKeys('createSnapshotRing', options, ['ticks', 'world']);
  const { ticks, world } = options ?? {};
  if (!(Number.isInteger(ticks) && ticks >= 1 && ticks <= MOST_TICKS))
    refuse('createSnapshotRing', 'options.ticks', ticks, `whole, 1 .. ${MOST_TICKS}`);
  const entries: Entry[] = [];
  let owner: Crowd | CharacterSet | undefined;
  /** The index of the last capture, and the number of captures. */
  let last = -1;
  let count = 0;
  const entryAt = (age: number): Entry => entries[(last - age + ticks) % ticks];
  const checkOwner = (caller: string, crowd: Crowd | CharacterSet): void => {
    if (owner !== undefined && owner !== crowd)
      refuseType(
        `ring.${caller}`,
        'crowd',
        'another one',
        'the crowd or set of characters that the ring has captured before',
      );
  };
  return {
    ticks,
    get firstTick() {
      return count === 0 ? -1 : entryAt(count - 1).tick;
    },
    get lastTick() {
      return count === 0 ? -1 : entryAt(0).tick;
    },
    capture(crowd) {
      checkOwner('capture', crowd);
      const set = charactersOf(crowd);
      const { tick, mesh } = set?.crowd ?? (crowd as Crowd);
      if (world !== undefined && mesh !== undefined && world.navMesh !== mesh)
        refuseType('ring.capture', 'crowd.mesh', 'another mesh', "that of the ring's world");
      while (count > 0 && entryAt(0).tick >= tick) drop();
      const next = (last + 1) % ticks;
      const entry = (entries[next] ??= { tick: 0, crowd: undefined, characters: undefined, world: undefined });
      if (set === undefined) entry.crowd = captureCrowd(crowd as Crowd, entry.crowd);
      else entry.characters = captureCharacters(set, entry.characters);
      if (world !== undefined) entry.world = captureWorld(world, entry.world);
      owner = crowd;
      entry.tick = tick;
      last = next;
      count = Math.min(count + 1, ticks);
    },
    rewind(crowd, tick) {
      checkOwner('rewind', crowd);
      let age = 0;
      while (age < count && entryAt(age).tick !== tick) age++;
      if (age === count) return false;
      const entry = entryAt(age);
      if (entry.world !== undefined) rewindWorld(world!, entry.world);
      const set = charactersOf(crowd);
      if (set === undefined) rewindCrowd(crowd as Crowd, entry.crowd!);
      else rewindCharacters(set, entry.characters!);
      for (; age > 0; age--) drop();
      return true;
    },
  };

  /** Forgets the last capture. Its snapshot is reused. */
  function drop(): void {
    last = (last - 1 + ticks) % ticks;
    count--;
  }
}

function charactersOf(crowd: Crowd | CharacterSet): CharacterSet | undefined {
  return 'smoothVelocity' in crowd ? crowd : undefined;
}
