import { type LabelsOf, type MetricDefinition, type MetricName, metricTable } from './metric-table.ts';

/** Most values of one label; more taps, sensors or boards than a bar has are added up as `other`. */
const maxLabelValues = 100;
const otherValue = 'other';

/** One sample of a counter or gauge. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  value: number;
}

/** One series of a histogram. */
export interface HistogramSeries {
  readonly labels: Readonly<Record<string, string>>;
  /** Observations up to each bound of the buckets and above the one before, then those above the last bound. */
  readonly counts: number[];
  sum: number;
}

interface Series {
  readonly samples: Map<string, Sample>;
  readonly histograms: Map<string, HistogramSeries>;
  /** The known values of each label. */
  readonly values: ReadonlyMap<string, Set<string>>;
}

/** The present values of all metrics, in memory: an increment takes a microsecond and allocates nothing that stays. */
export interface MetricValues {
  /** Adds to a counter. */
  increment<N extends MetricName>(name: N, labels: LabelsOf<N>, by?: number): void;
  /** Sets a gauge, or a counter that is counted elsewhere. */
  set<N extends MetricName>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Adds an observation to a histogram. */
  observe<N extends MetricName>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Removes all samples: what no longer exists is not reported. */
  clear(name: MetricName): void;
  samples(name: MetricName): readonly Sample[];
  histograms(name: MetricName): readonly HistogramSeries[];
}

export function createMetricValues(): MetricValues {
  const all = new Map<MetricName, Series>(
    (Object.entries(metricTable) as [MetricName, MetricDefinition][]).map(([name, { labels }]) => [
      name,
      {
        samples: new Map(),
        histograms: new Map(),
        values: new Map(labels.map((label) => [label, new Set<string>()])),
      },
    ]),
  );
  return {
    increment(name, labels, by = 1) {
      const sample = findSample(all.get(name)!, labels);
      sample.value += by;
    },
    set(name, labels, value) {
      findSample(all.get(name)!, labels).value = value;
    },
    observe(name, labels, value) {
      const { buckets = [] } = metricTable[name] as MetricDefinition;
      const series = findHistogram(all.get(name)!, labels, buckets.length + 1);
      let bucket = 0;
      while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
      series.counts[bucket]! += 1;
      series.sum += value;
    },
    clear(name) {
      const { samples, values } = all.get(name)!;
      samples.clear();
      for (const known of values.values()) known.clear();
    },
    samples: (name) => [...all.get(name)!.samples.values()],
    histograms: (name) => [...all.get(name)!.histograms.values()],
  };
}

function findSample(series: Series, labels: Readonly<Record<string, string>>): Sample {
  const [key, bounded] = boundLabels(series, labels);
  let sample = series.samples.get(key);
  if (sample === undefined) {
    sample = { labels: { ...bounded }, value: 0 };
    series.samples.set(key, sample);
  }
  return sample;
}

function findHistogram(
  series: Series,
  labels: Readonly<Record<string, string>>,
  buckets: number,
): HistogramSeries {
  const [key, bounded] = boundLabels(series, labels);
  let histogram = series.histograms.get(key);
  if (histogram === undefined) {
    histogram = { labels: { ...bounded }, counts: new Array<number>(buckets).fill(0), sum: 0 };
    series.histograms.set(key, histogram);
  }
  return histogram;
}

/** Replaces values beyond the bound, and returns the key of the sample. */
function boundLabels(
  { values }: Series,
  labels: Readonly<Record<string, string>>,
): readonly [string, Readonly<Record<string, string>>] {
  let key = '';
  let bounded = labels;
  for (const [label, known] of values) {
    let value = labels[label]!;
    if (!known.has(value)) {
      if (known.size < maxLabelValues) known.add(value);
      else {
        value = otherValue;
        bounded = { ...bounded, [label]: value };
      }
    }
    key += `${value}\0`;
  }
  return [key, bounded];
}
