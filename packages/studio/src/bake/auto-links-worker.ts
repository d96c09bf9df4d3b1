/** The worker that adds automatic links: takes one task, answers with the mesh, or with the message of an error. */
import type { NavMesh } from 'navkiln';
import { addAutoLinks } from 'navkiln/links';
import type { LevelEdits } from '../state/state.ts';

export interface LinksTask {
  navMesh: NavMesh;
  level: { positions: ArrayLike<number>; indices: ArrayLike<number> };
  limits: NonNullable<LevelEdits['autoLinks']>;
}

export type LinksAnswer = NavMesh | string;

addEventListener('message', ({ data: { navMesh, level, limits } }: MessageEvent<LinksTask>) => {
  let answer: LinksAnswer = navMesh;
  try {
    addAutoLinks(navMesh, level, limits);
  } catch (error) {
    answer = (error as Error).message;
  }
  postMessage(answer);
});
