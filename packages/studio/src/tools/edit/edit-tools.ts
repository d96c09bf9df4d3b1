/** The edit tools in toolbar order. Their code is loaded when a tool is first used. */
import { lazily } from '../lazy.ts';
import type { ToolKind } from '../tool.ts';

export const EDIT_TOOLS: readonly ToolKind[] = [
  {
    id: 'volume',
    title: 'Area',
    shortcut: 'a',
    needs: 'triangles',
    icon: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
    hint: 'Click corners, then the first one again: the surface in the volume gets the area. Drag corners to change it.',
    create: lazily(() => import('./volume.ts').then((code) => code.createVolumeTool)),
  },
  {
    id: 'link',
    title: 'Link',
    shortcut: 'k',
    needs: 'triangles',
    icon: 'M4 18c2-12 14-12 16 0M16 15l4 3 2-5M4 18v.01',
    hint: 'Click where the link starts, then where it ends. Drag the ends to move them.',
    create: lazily(() => import('./link.ts').then((code) => code.createLinkTool)),
  },
  {
    id: 'prune',
    title: 'Prune',
    shortcut: 'u',
    needs: 'triangles',
    icon: 'M6 6a3 3 0 1 0 .01 0M6 18a3 3 0 1 0 .01 0M8.5 7.5 20 17M8.5 16.5 20 7',
    hint: 'Click where agents start. Polygons that no start can reach are orange; Prune removes them.',
    create: lazily(() => import('./prune.ts').then((code) => code.createPruneTool)),
  },
  {
    id: 'tiles',
    title: 'Tiles',
    shortcut: 'i',
    needs: 'triangles',
    icon: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 13.5v6M13.5 16.5h6',
    hint: 'Click a tile to bake it, Shift-click to remove it.',
    create: lazily(() => import('./tiles.ts').then((code) => code.createTilesTool)),
  },
  {
    id: 'parts',
    title: 'Shapes',
    shortcut: 'm',
    needs: 'triangles',
    icon: 'M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3',
    hint: 'Add boxes, ramps and stairs to the level, then move, rotate and scale them.',
    create: lazily(() => import('./parts.ts').then((code) => code.createPartsTool)),
  },
];
