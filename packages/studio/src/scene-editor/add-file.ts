/** Lets the user choose a level file for a scene. */
import { askForFiles, readFiles } from '../files/open.ts';
import { messageOf } from '../state/message-of.ts';
import type { ToolContext } from '../tools/tool.ts';

/** Keeps the chosen files, and returns the name of the level; undefined when none was chosen, or it cannot be read, which is reported. */
export async function chooseLevel({ addFiles, say }: ToolContext): Promise<string | undefined> {
  const chosen = await askForFiles();
  if (chosen.length === 0) return undefined;
  try {
    const { main, kind, files } = await readFiles(chosen);
    if (kind.id !== 'gltf' && kind.id !== 'obj')
      throw new Error(`${main} is ${kind.title}; a level is .glb, .gltf or .obj.`);
    addFiles(files);
    return main;
  } catch (error) {
    say('error', messageOf(error));
    return undefined;
  }
}
