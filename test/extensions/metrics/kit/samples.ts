/** The value of a sample by its name and labels as printed, such as `tapster_pours_total{tap="1",result="drink"}`. */
export type Samples = ReadonlyMap<string, number>;

/** Parses the samples of a scrape in either text format. */
export function parseSamples(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const blank = line.lastIndexOf(' ');
      return [line.slice(0, blank), Number(line.slice(blank + 1))];
    }),
  );
}

/** The metric names of a scrape, by their TYPE lines. */
export const metricNames = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
