/**
 * The lengths through blocks for one filter.
 *
 * Lengths depend on the costs of areas and on the polygons that a filter passes. They are measured when a search first
 * needs them, and kept for the last filters used.
 *
 * Cost: a comparison of 64 costs.
 * Based on: own.
 */
import { refuse } from '../../base/data/refuse.ts';
import { estimateScale } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { RouteGraph, RouteMetric } from './types.ts';

/** Number of filters whose lengths are kept. */
const MOST_METRICS = 4;

/** Returns the lengths of a filter, which has no methods. */
export function metricOf(graph: RouteGraph, filter: QueryFilter): RouteMetric {
  const { metrics, levels, links, size } = graph;
  if (size >= 0 && size !== (filter.size ?? 0))
    refuse('RouteGraph', 'filter.size', filter.size, `${size}, the size of the graph`);
  const at = metrics.findIndex((metric) => isOf(metric, filter));
  const metric: RouteMetric =
    at >= 0
      ? metrics[at]
      : {
          areaCosts: filter.areaCosts.slice(),
          includeFlags: filter.includeFlags,
          excludeFlags: filter.excludeFlags,
          closedLinks: filter.closedLinks ?? 0,
          scale: 0,
          blocks: levels.map(() => []),
          places: levels.map(() => new Int32Array(0)),
        };
  metric.scale = estimateScale(filter) * links.scale;
  if (at === 0) return metric;
  if (at > 0) metrics.splice(at, 1);
  metrics.unshift(metric);
  metrics.length = Math.min(metrics.length, MOST_METRICS);
  return metric;
}

function isOf({ areaCosts, includeFlags, excludeFlags, closedLinks }: RouteMetric, filter: QueryFilter): boolean {
  if (includeFlags !== filter.includeFlags || excludeFlags !== filter.excludeFlags) return false;
  if (closedLinks !== (filter.closedLinks ?? 0)) return false;
  for (let area = 0; area < areaCosts.length; area++) if (areaCosts[area] !== filter.areaCosts[area]) return false;
  return true;
}
