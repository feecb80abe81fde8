import { createRequire } from 'node:module';
import type { Metric, OpenMetricsContentType, Registry } from 'prom-client';
import type { MetricFormat } from '../http/metrics-service.ts';
import { type MetricDefinition, type MetricName, metricTable } from './metric-table.ts';
import type { HistogramSeries, MetricValues } from './metric-values.ts';

/** One line of the output, as prom-client takes it. */
interface Line {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** prom-client as a whole loads 10 MB and half a second of modules for clusters and push gateways; its registry is one file. */
const RegistryClass = createRequire(import.meta.url)('prom-client/lib/registry.js') as typeof Registry;

/** Creates the function that prints the values in a format; prom-client writes names, labels and numbers. */
export function createMetricFormats(values: MetricValues) {
  const prometheus = new RegistryClass();
  const openmetrics = new RegistryClass<OpenMetricsContentType>();
  openmetrics.setContentType(RegistryClass.OPENMETRICS_CONTENT_TYPE);
  for (const [name, definition] of Object.entries(metricTable) as [MetricName, MetricDefinition][]) {
    for (const registry of [prometheus, openmetrics])
      registry.registerMetric(toMetric(name, definition, values));
  }
  const registries = { prometheus, openmetrics } as const;
  return {
    contentType: (format: MetricFormat): string => registries[format].contentType,
    print: (format: MetricFormat): Promise<string> => registries[format].metrics(),
  };
}

/**
 * Returns what a registry calls of a metric. Its own counters and histograms cannot take over values that were counted
 * elsewhere, and the OpenMetrics registry renames them: one object per registry.
 */
function toMetric(name: MetricName, definition: MetricDefinition, values: MetricValues): Metric {
  const { help, type } = definition;
  const metric = {
    name: name as string,
    help,
    type,
    get: async () => ({
      name: metric.name,
      help,
      type,
      values: toLines(name, definition, values),
      aggregator: 'sum',
    }),
  };
  return metric as unknown as Metric;
}

function toLines(name: MetricName, { type, buckets = [] }: MetricDefinition, values: MetricValues): Line[] {
  if (type !== 'histogram') return values.samples(name).map(({ labels, value }) => ({ labels, value }));
  return values.histograms(name).flatMap((series) => toHistogramLines(name, series, buckets));
}

function toHistogramLines(
  name: MetricName,
  { labels, counts, sum }: HistogramSeries,
  buckets: readonly number[],
): Line[] {
  let count = 0;
  const lines = counts.map((own, index): Line => {
    count += own;
    return {
      metricName: `${name}_bucket`,
      labels: { le: buckets[index] ?? '+Inf', ...labels },
      value: count,
    };
  });
  return [
    ...lines,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
