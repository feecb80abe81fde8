import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  formatMetricTable,
  type MetricDefinition,
  metricTable,
} from '../../../../src/extensions/metrics/daemon/metric-table.ts';
import { productDirectory } from '../../../../src/system/product.ts';

const definitions = Object.entries<MetricDefinition>(metricTable);

test('docs/monitoring/README.md contains the table of metrics', () => {
  const document = readFileSync(join(productDirectory, 'docs', 'monitoring', 'README.md'), 'utf8');
  const shown = /<!-- metrics -->\n+([\s\S]*?)\n*<!-- \/metrics -->/.exec(document)?.[1];
  expect(shown).toBe(formatMetricTable().trimEnd());
});

test.each(definitions)(
  '%s is named after its type and unit',
  (name, { type, unit, help, labels, buckets }) => {
    expect(name).toMatch(/^(tapster|process)_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    const base = name.replace(/_total$/, '');
    if (unit !== '')
      expect(
        base.endsWith(`_${unit}`) || base.includes(`_${unit}_`) || base === `tapster_poured_${unit}`,
      ).toBe(true);
    expect(help).toMatch(/^[^"|]+$/);
    // A label of a person, a card, an address or a path would have any number of values, and some are personal data.
    for (const label of labels)
      expect(label).not.toMatch(/user|drinker|token|path|address|url|drink|session/);
    expect(buckets === undefined).toBe(type !== 'histogram');
    expect(buckets?.toSorted((a, b) => a - b)).toEqual(buckets);
  },
);
