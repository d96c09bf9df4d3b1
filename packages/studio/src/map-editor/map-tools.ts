/** The tools for 2D maps. Their code is loaded when a tool is first used. */
import { lazily } from '../tools/lazy.ts';
import type { ToolKind } from '../tools/tool.ts';

export const MAP_TOOLS: readonly ToolKind[] = [
  {
    id: 'draw',
    title: 'Draw',
    shortcut: 'j',
    needs: 'map',
    icon: 'M4 20l1-5L16 4l4 4L9 19zM13 7l4 4',
    hint: 'Choose what to draw, then click its corners. Drag corners to move them; drag a small dot to insert one.',
    create: lazily(() => import('./map-tool.ts').then((code) => code.createMapTool)),
  },
  {
    id: 'walk',
    title: 'Walk',
    shortcut: 'z',
    needs: 'map',
    icon: 'M12 3a2 2 0 1 0 .01 0M12 8v6l4 7M12 14l-4 7M7 12l5-4 5 4',
    hint: 'Click: the player takes the shortest path there.',
    create: lazily(() => import('./walk-tool.ts').then((code) => code.createWalkTool)),
  },
];
