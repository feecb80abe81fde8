/** The two text formats of metrics. */
export type MetricFormat = 'openmetrics' | 'prometheus';

/** All metrics as a text. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics of the daemon. */
export interface MetricsService {
  scrape(format: MetricFormat): Promise<MetricsText>;
}
