import type { MetricFormat, MetricsService, MetricsText } from '../http/metrics-service.ts';

/** A text is sent again for this time: many clients, or one that asks without a pause, cost one reading a second. */
const keepMs = 1_000;

interface ScraperOptions {
  /** Reads the values that are not counted. */
  read(): void;
  contentType(format: MetricFormat): string;
  print(format: MetricFormat): Promise<string>;
  nowMs(): number;
}

/** Creates the service that reads and prints the metrics, at most once a second in each format. */
export function createScraper({ read, contentType, print, nowMs }: ScraperOptions): MetricsService {
  const kept = new Map<MetricFormat, { readonly text: Promise<MetricsText>; readonly atMs: number }>();

  async function scrape(format: MetricFormat): Promise<MetricsText> {
    read();
    return { contentType: contentType(format), text: await print(format) };
  }

  return {
    scrape(format) {
      const atMs = nowMs();
      const last = kept.get(format);
      if (last !== undefined && atMs - last.atMs < keepMs) return last.text;
      const text = scrape(format);
      kept.set(format, { text, atMs });
      text.catch(() => kept.delete(format));
      return text;
    },
  };
}
