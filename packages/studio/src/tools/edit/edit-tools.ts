/**
 * The tools that look into the bake and edit what is baked, in the order of the toolbar. Their code is
 * fetched when first used.
 */
import { lazily } from '../lazy.ts';
import type { ToolKind } from '../tool.ts';

export const EDIT_TOOLS: readonly ToolKind[] = [
  {
    id: 'volume',
    title: 'Area',
    shortcut: 'a',
    needs: 'level',
    icon: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
    hint: 'Click corners, then the first again: ground in the volume gets the area. Drag corners of the one selected.',
    create: lazily(() => import('./volume.ts').then((code) => code.createVolumeTool)),
  },
  {
    id: 'link',
    title: 'Link',
    shortcut: 'k',
    needs: 'level',
    icon: 'M4 18c2-12 14-12 16 0M16 15l4 3 2-5M4 18v.01',
    hint: 'Click where it starts, then where it ends. Drag the ends.',
    create: lazily(() => import('./link.ts').then((code) => code.createLinkTool)),
  },
  {
    id: 'prune',
    title: 'Prune',
    shortcut: 'u',
    needs: 'level',
    icon: 'M6 6a3 3 0 1 0 .01 0M6 18a3 3 0 1 0 .01 0M8.5 7.5 20 17M8.5 16.5 20 7',
    hint: 'Click where walkers start. What none of them can reach is orange; Prune closes it.',
    create: lazily(() => import('./prune.ts').then((code) => code.createPruneTool)),
  },
  {
    id: 'tiles',
    title: 'Tiles',
    shortcut: 'i',
    needs: 'level',
    icon: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 13.5v6M13.5 16.5h6',
    hint: 'Click bakes a tile, Shift-click takes it away.',
    create: lazily(() => import('./tiles.ts').then((code) => code.createTilesTool)),
  },
  {
    id: 'parts',
    title: 'Shapes',
    shortcut: 'm',
    needs: 'level',
    icon: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
    hint: 'Boxes, ramps and stairs on the level: put, then moved, turned and scaled by their arrows.',
    create: lazily(() => import('./parts.ts').then((code) => code.createPartsTool)),
  },
];
