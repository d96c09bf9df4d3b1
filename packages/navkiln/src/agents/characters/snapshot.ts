/**
 * Snapshots of a set of characters with its crowd, its targets and its mesh.
 *
 * In: a set between two ticks, or a snapshot of it.
 * Out: the snapshot, or the set, its crowd and its mesh as they were.
 * Cost: that of the crowd's snapshot, and about 450 bytes per character. No allocation when warm.
 * Based on: own.
 */
import { checkMutable, checkRecord, refuseType } from '../../base/data/refuse.ts';
import { copyFromTape, copyToTape, createStateTape } from '../../base/data/state-tape.ts';
import type { StateRules, StateTape } from '../../base/data/state-tape.ts';
import { captureCrowd, rewindCrowd } from '../crowd/rollback/crowd-snapshot.ts';
import type { CrowdSnapshot } from '../crowd/rollback/crowd-snapshot.ts';
import { noTargets } from './targets/targets.ts';
import type { CharacterSet } from './types/characters.ts';

/** The state of a set of characters, of its crowd, its targets and its mesh at one tick. */
export interface CharactersSnapshot {
  set: CharacterSet;
  /** The tick of the crowd at the capture. */
  tick: number;
  crowd: CrowdSnapshot;
  /** @internal */
  tape: StateTape;
  /** @internal */
  targets: StateTape;
}

const RULES: StateRules = {
  skipped: /* @__PURE__ */ new Set(['crowd', 'targets']),
  references: /* @__PURE__ */ new Set(),
  lists: /* @__PURE__ */ new Set(),
};

/**
 * Captures a set of characters with its crowd, its targets and its mesh, as `captureCrowd` does for a crowd.
 *
 * @param snapshot an earlier snapshot of the set, which is overwritten; without it, a new one is created
 * @returns the snapshot
 * @throws TypeError for a snapshot of another set
 */
export function captureCharacters(set: CharacterSet, snapshot?: CharactersSnapshot): CharactersSnapshot {
  if (snapshot === undefined) checkRecord('captureCharacters', 'set', set, 'smoothVelocity', 'a CharacterSet');
  else checkSnapshot('captureCharacters', set, snapshot);
  const crowd = captureCrowd(set.crowd, snapshot?.crowd);
  const out = snapshot ?? {
    set,
    tick: 0,
    crowd,
    tape: createStateTape(set.crowd.maxAgents),
    targets: createStateTape(0),
  };
  out.tick = crowd.tick;
  copyToTape(out.tape, set, RULES, set.crowd.slotCount);
  copyToTape(out.targets, set.targets ?? NO_TARGETS, RULES, 0);
  return out;
}

/** A set without targets is equal to one whose record has no target. */
const NO_TARGETS = /* @__PURE__ */ noTargets();

/**
 * Brings a set of characters, its crowd, its targets and its mesh back to a snapshot, as `rewindCrowd` does for a crowd.
 *
 * @throws TypeError for a snapshot of another set
 */
export function rewindCharacters(set: CharacterSet, snapshot: CharactersSnapshot): void {
  checkSnapshot('rewindCharacters', set, snapshot);
  checkMutable('rewindCharacters', 'set', set);
  const { crowd } = set;
  const { slotCount } = crowd;
  rewindCrowd(crowd, snapshot.crowd);
  const { revision } = snapshot.crowd;
  copyFromTape(snapshot.tape, set, RULES, slotCount, revision, crowd.mesh.revision);
  if (set.targets !== null) copyFromTape(snapshot.targets, set.targets, RULES, 0, revision, crowd.mesh.revision);
}

function checkSnapshot(caller: string, set: CharacterSet, snapshot: CharactersSnapshot): void {
  checkRecord(caller, 'set', set, 'smoothVelocity', 'a CharacterSet');
  if (!ArrayBuffer.isView(snapshot?.targets?.numbers))
    refuseType(caller, 'snapshot', snapshot, 'a CharactersSnapshot of captureCharacters');
  if (snapshot.set !== set)
    refuseType(
      caller,
      'snapshot.set',
      'another set of characters',
      'the set that was captured; move the state of a set to another one with saveCharacters and restoreCharacters',
    );
}
