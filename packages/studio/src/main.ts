/** Starts the studio, or shows why it cannot start. */
import type { StudioHook } from './app/hook.ts';
import { startStudio } from './app/studio.ts';
import { messageOf } from './state/message-of.ts';

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
  text.textContent = `The studio could not start (${why}). Use a current version of Firefox, Chrome, Edge or Safari.`;
  root.replaceChildren(text);
  throw error;
}
