/** All tools in toolbar order. A new tool is a file of its own and an entry in one of these lists. */
import { crowdTool } from '../crowd/crowd-tool.ts';
import { MAP_TOOLS } from '../map-editor/map-tools.ts';
import { SCENE_TOOLS } from '../scene-editor/scene-tools.ts';
import { STAGE_TOOLS } from '../stages/stage-tools.ts';
import { EDIT_TOOLS } from '../tools/edit/edit-tools.ts';
import { lookTool } from '../tools/look.ts';
import { QUERY_TOOLS } from '../tools/query-tools.ts';
import { WORLD_TOOLS } from '../world-view/world-tools.ts';
import type { ToolKind } from '../tools/tool.ts';

export const TOOLS: readonly ToolKind[] = [
  lookTool,
  ...QUERY_TOOLS,
  ...STAGE_TOOLS,
  ...MAP_TOOLS,
  ...EDIT_TOOLS,
  ...SCENE_TOOLS,
  crowdTool,
  ...WORLD_TOOLS,
];
