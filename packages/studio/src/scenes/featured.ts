/** The scenes of the first page, each with a picture in public/scenes, which tools/studio-pictures.mjs takes. */
import { CROWD_SCENES, crowdSceneHash } from './crowd-scenes.ts';

export interface FeaturedScene {
  name: string;
  title: string;
  /** One line below the title. */
  line: string;
  /** The link that opens a crowd. */
  hash?: string;
}

const LEVELS: readonly (readonly [name: string, title: string, line: string])[] = [
  ['dungeon', 'Dungeon', 'Rooms, corridors and pillars'],
  ['house', 'House', 'Storeys, stairs and doors'],
  ['tower', 'Tower', 'A spiral stair and a ramp'],
  ['city', 'City', 'Blocks, kerbs and roofs'],
  ['islands', 'Islands', 'Terraces and bridges'],
  ['caves', 'Caves', 'An uneven floor and ceiling'],
  ['lakes-map', '2D map', 'Lakes with islands'],
];

export const FEATURED: readonly FeaturedScene[] = [
  ...LEVELS.map(([name, title, line]) => ({ name, title, line })),
  {
    name: 'crossroads',
    title: 'Crowd',
    line: 'Four streams of agents cross',
    hash: crowdSceneHash(CROWD_SCENES.find(({ name }) => name === 'crossroads')!),
  },
];
