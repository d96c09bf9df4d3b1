/** The tools that look into the bake, in toolbar order. Their code is loaded when a tool is first used. */
import { lazily } from '../tools/lazy.ts';
import type { ToolKind } from '../tools/tool.ts';

export const STAGE_TOOLS: readonly ToolKind[] = [
  {
    id: 'stages',
    title: 'Stages',
    shortcut: 'g',
    needs: 'level',
    icon: 'M3 17l9 4 9-4M3 12l9 4 9-4M12 3 3 7l9 4 9-4-9-4z',
    hint: 'See how the bake builds the mesh: slide, or press [ and ]. Click a position to see its tile.',
    create: lazily(() => import('./stage-tool.ts').then((code) => code.createStageTool)),
  },
  {
    id: 'why',
    title: 'Why not?',
    shortcut: 'y',
    needs: 'level',
    icon: 'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 17.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
    hint: 'Click a position: why is it not walkable?',
    create: lazily(() => import('../tools/why.ts').then((code) => code.createWhyTool)),
  },
  {
    id: 'verify',
    title: 'Verify',
    shortcut: '3',
    needs: 'mesh',
    icon: 'M3 12l6 6L21 6',
    hint: 'Does the mesh fit the level?',
    create: lazily(() => import('./verify.ts').then((code) => code.createVerifyTool)),
  },
];
