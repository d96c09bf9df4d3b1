/** The page's start. What cannot be started says so in a sentence. */
import { messageOf } from './app/message-of.ts';
import { startStudio } from './app/studio.ts';
import type { StudioHook } from './app/hook.ts';

declare global {
  var studio: StudioHook | undefined;
}

const root = document.getElementById('studio')!;
try {
  globalThis.studio = startStudio(root);
} catch (error) {
  const text = document.createElement('p');
  text.className = 'no-start';
  const why = messageOf(error);
  text.textContent = `The studio could not start (${why}). A current Firefox, Chrome, Edge or Safari can.`;
  root.replaceChildren(text);
  throw error;
}
