/** All tools there are, in the order of the toolbar. A new one is a file of its own and a line here. */
import { crowdTool } from '../crowd/crowd-tool.ts';
import { STAGE_TOOLS } from '../stages/stage-tools.ts';
import { ASK_TOOLS } from '../tools/ask-tools.ts';
import { EDIT_TOOLS } from '../tools/edit/edit-tools.ts';
import { lookTool } from '../tools/look.ts';
import type { ToolKind } from '../tools/tool.ts';

export const TOOLS: readonly ToolKind[] = [lookTool, ...ASK_TOOLS, ...STAGE_TOOLS, ...EDIT_TOOLS, crowdTool];
