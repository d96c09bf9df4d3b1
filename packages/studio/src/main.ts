/** The page's start. What cannot be started says so in a sentence. */
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
  text.textContent = `The studio could not start (${error instanceof Error ? error.message : String(error)}). A current Firefox, Chrome, Edge or Safari can.`;
  root.replaceChildren(text);
  throw error;
}
