/** The 2D map of a task, which travels packed. */
import type { PolygonMap } from 'navkiln/polygon';
import type { Task } from './protocol.ts';

/** Replaces a map in a message that also contains the packed map. */
export const NO_MAP: PolygonMap = { polygons: [] };

/** Returns the map of a task, or undefined. */
export function mapOfTask(task: Task): PolygonMap | undefined {
  if (task.type === 'bake-map') return task.map;
  return task.type === 'ask' && task.subject.kind === 'map' ? task.subject.map : undefined;
}

/** Returns the task with another map. */
export function withMap(task: Task, map: PolygonMap): Task {
  return task.type === 'ask' ? ({ ...task, subject: { ...task.subject, map } } as Task) : ({ ...task, map } as Task);
}
