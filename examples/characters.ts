/** Two characters on two storeys: one walks up a ramp; the other follows, and is pushed off the upper storey on its way. */
import { buildNavMesh } from 'navkiln/build';
import { createCrowd, moveAgentTo } from 'navkiln/crowd';
import {
  addCharacter,
  addTarget,
  advanceCharacters,
  createCharacters,
  createTargets,
  followTarget,
  getCharacter,
  interpolateCharacterInto,
  listCharacterEvents,
  pushCharacter,
} from 'navkiln/world';

// A floor of 30 x 20 m, a storey of 10 x 10 m at a height of 3 m, and a ramp of 12 m between them.
const flat = (x0: number, z0: number, x1: number, z1: number, y: number): number[] => {
  const [a, b, c, d] = [
    [x0, y, z0],
    [x0, y, z1],
    [x1, y, z1],
    [x1, y, z0],
  ];
  return [a, b, c, a, c, d].flat();
};
const ramp = [10, 3, 3, 10, 3, 7, 22, 0, 7, 10, 3, 3, 22, 0, 7, 22, 0, 3];
const { navMesh } = buildNavMesh(
  { positions: [...flat(0, 0, 30, 20, 0), ...flat(0, 0, 10, 10, 3), ...ramp] },
  {
    agent: { radius: 0.3, height: 1.8, maxClimb: 0.4 },
  },
);

const crowd = createCrowd(navMesh);
const characters = createCharacters(crowd);
const targets = createTargets(characters);

const guide = addCharacter(characters, [25, 0, 15], { walkSpeed: 1.5 });
const guest = addCharacter(characters, [28, 8, 15], { walkSpeed: 1.5, isRunning: true });
const guideTarget = addTarget(targets, { character: guide });
followTarget(characters, guest, guideTarget, { distance: 2 });
moveAgentTo(crowd, guide, [3, 3, 5]);

// Frames have any duration; the crowd's ticks are fixed.
const drawn = new Float64Array(6);
let seconds = 0;
let isPushed = false;
while (seconds < 45) {
  const frame = 0.01 + 0.02 * ((seconds * 7) % 1);
  seconds += frame;
  const alpha = advanceCharacters(characters, frame);
  interpolateCharacterInto(drawn, characters, guest, alpha);
  for (const { kind, character, value } of listCharacterEvents(characters)) {
    // The guest arrives whenever it catches up.
    if (kind === 'arrived' && character === guest) continue;
    const who = character === guide ? 'guide' : 'guest';
    console.log(`${who} ${kind}${kind === 'landed' ? ` at ${value.toFixed(0)} m/s` : ''}`);
  }
  const { position, standing } = getCharacter(characters, guest)!;
  if (!isPushed && standing === 'ground' && position[1] > 2.9) {
    isPushed = true;
    pushCharacter(characters, guest, [0, 3, 8]);
  }
}
const { status, speedFraction } = getCharacter(characters, guest)!;
console.log(
  `${status}, at a height of ${drawn[1].toFixed(1)}, pace ${speedFraction.toFixed(1)}, ${crowd.searchCount} searches`,
);
