/** A set of characters with everything in progress that a save can hold, and saves with repaired checksums. */
import { sampling, spacing } from '../../../../src/agents/crowd/behaviors.ts';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { setLinkTraffic } from '../../../../src/agents/crowd/links/link-traffic.ts';
import { addAgent, listAgents, removeAgent, setAgentOptions } from '../../../../src/agents/crowd/orders/agents.ts';
import { followAgent, moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { patrolAgent } from '../../../../src/agents/crowd/orders/patrol.ts';
import { hashWords } from '../../../../src/base/data/hash.ts';
import { linkRefOf } from '../../../../src/mesh/link-ref.ts';
import { stepCharacters } from '../../../../src/agents/characters/advance.ts';
import { jumpCharacter, pushCharacter } from '../../../../src/agents/characters/body/actions.ts';
import { addCharacter, createCharacters } from '../../../../src/agents/characters/body/characters.ts';
import { addTarget, createTargets, followTarget } from '../../../../src/agents/characters/targets/targets.ts';
import type { CharacterSet } from '../../../../src/agents/characters/types/characters.ts';
import type { SearchWorld } from '../../agents/crowd/search-worlds.ts';

/** Words before the first number of a save. */
export const HEADER_WORDS = 8;

/** Builds characters and agents with everything in progress that a save can hold. */
export function busySet(world: SearchWorld): CharacterSet {
  const { mesh, filter, spot, random, below } = world;
  const crowd = createCrowd(mesh, {
    maxAgents: 24,
    filters: [filter],
    searchBudget: 6,
    behaviors: [sampling, spacing],
  });
  for (let i = 0; i < 14; i++) addAgent(crowd, spot().point, { radius: 0.2, maxSpeed: 1 + random() });
  const set = createCharacters(crowd);
  const targets = createTargets(set);
  const characters = Array.from({ length: 6 }, () => addCharacter(set, spot().point, { radius: 0.25 }));
  const aims = [addTarget(targets, spot().point), addTarget(targets, { character: characters[0] })];
  characters.forEach((id, i) => i > 0 && followTarget(set, id, aims[i % 2]));
  for (let link = 0; link < mesh.linkCount; link++)
    setLinkTraffic(crowd, linkRefOf(mesh, link), { capacity: 1, seconds: 2 });
  const goal = spot().point;
  const ids = listAgents(crowd);
  ids.slice(0, 14).forEach((id, i) => {
    if (i < 6) moveAgentTo(crowd, id, i < 4 ? goal : spot().point);
    else if (i < 8) followAgent(crowd, id, ids[i + 1]);
    else if (i < 10) patrolAgent(crowd, id, [spot().point, spot().point, spot().point]);
    else if (i < 11) setAgentOptions(crowd, id, { avoidance: 'sampled', avoidOnly: true });
    else if (i < 13) removeAgent(crowd, id);
  });
  for (let tick = 3 + below(60); tick > 0; tick--) stepCharacters(set);
  jumpCharacter(set, characters[1], 3);
  pushCharacter(set, characters[2], [1, 3, 0]);
  for (let tick = below(4); tick > 0; tick--) stepCharacters(set);
  return set;
}

/** Makes the checksum of a save agree with its words. */
export function repair(bytes: Uint8Array): void {
  const words = new Uint32Array(bytes.buffer);
  words[4] = hashWords(words, 5, words.length, hashWords(words, 0, 4, 0));
}
