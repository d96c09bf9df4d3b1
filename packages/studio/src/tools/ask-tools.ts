/** The tools that ask the mesh, in the order of the toolbar. Their code is fetched when they are first used. */
import { lazily } from './lazy.ts';
import type { ToolKind } from './tool.ts';

export const ASK_TOOLS: readonly ToolKind[] = [
  {
    id: 'path', title: 'Path', shortcut: 'p', needs: 'mesh',
    icon: 'M5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM19 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 17l4-1 1-8 4.6-1.6',
    hint: 'Drag the two ends. Click sets the end, Shift-click the start.',
    create: lazily(() => import('./path.ts').then((code) => code.createPathTool)),
  },
];
