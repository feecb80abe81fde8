import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import {
  type MetricDefinition,
  metricTable,
} from '../../../../src/extensions/metrics/daemon/metric-table.ts';
import { productDirectory } from '../../../../src/system/product.ts';
import { findPromtoolFaults, hasPromtool } from '../../../kit/promtool.ts';

// Starts promtool.
vi.setConfig({ testTimeout: 60_000 });

const pathOf = (file: string) => join(productDirectory, 'docs', 'monitoring', file);
const read = (file: string) => readFileSync(pathOf(file), 'utf8');

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
  readonly datasource?: { readonly uid: string };
}
const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  id: null;
  uid: string;
  title: string;
  schemaVersion: number;
  panels: readonly Panel[];
  templating: { list: readonly { name: string; type: string; query: unknown }[] };
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

/** The names that Prometheus stores for a metric. */
const storedNames = new Map(
  Object.entries<MetricDefinition>(metricTable).flatMap(([name, { type, labels }]) => {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix) => [`${name}${suffix}`, suffix === '_bucket' ? [...labels, 'le'] : labels]);
  }),
);

const usedNames = (expr: string) => expr.match(/\b(?:tapster|process)_\w+/g) ?? [];

test.each([...queries.map(({ expr }) => expr), ...rules.map(({ expr }) => expr)])(
  'names and labels exist: %s',
  (expr) => {
    for (const name of usedNames(expr)) expect(storedNames.has(name), name).toBe(true);
    const known = new Set([
      'instance',
      'job',
      ...usedNames(expr).flatMap((name) => storedNames.get(name) ?? []),
    ]);
    const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
    const grouped = [...expr.matchAll(/\b(?:by|on|group_left)\s*\(([^)]*)\)/g)].flatMap(([, list]) =>
      list!.split(/\s*,\s*/),
    );
    for (const label of [...selected, ...grouped]) expect(known.has(label), label).toBe(true);
  },
);

test('every metric is on the dashboard, in a rule, or information for other queries', () => {
  const used = new Set([...queries, ...rules].flatMap(({ expr }) => usedNames(expr)));
  const unused = Object.keys(metricTable).filter((name) => ![...used].some((one) => one.startsWith(name)));
  expect(unused).toEqual(['tapster_tick_loss_detectable', 'process_start_time_seconds']);
});

test('the dashboard can be imported and provisioned', () => {
  expect(dashboard).toMatchObject({ id: null, uid: 'tapster', title: 'Tapster' });
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(36);
  expect(dashboard.templating.list[0]).toMatchObject({
    name: 'datasource',
    type: 'datasource',
    query: 'prometheus',
  });
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { type, title, gridPos, targets = [], datasource } of dashboard.panels) {
    expect(title).not.toBe('');
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    if (type === 'row') continue;
    // Provisioning fills in no other placeholder.
    expect(datasource?.uid).toBe('$' + '{datasource}');
    expect(targets.map(({ refId }) => refId)).toEqual(['A', 'B', 'C'].slice(0, targets.length));
    expect(targets.length).toBeGreaterThan(0);
  }
});

test('no two panels lie on each other', () => {
  const cells = new Set<string>();
  for (const { gridPos } of dashboard.panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(cells.has(`${x} ${y}`)).toBe(false);
        cells.add(`${x} ${y}`);
      }
    }
  }
});

test('each alert has a severity and says what happened and what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { labels, annotations } of rules) {
    expect(['info', 'warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).toContain('$labels.instance');
    expect(annotations.description).not.toBe('');
  }
});

test.skipIf(!hasPromtool)('promtool accepts the alert rules', () => {
  expect(findPromtoolFaults(['check', 'rules', pathOf('alerts.yml')])).toBeNull();
});

test.skipIf(!hasPromtool)('the tests of the alert rules pass', () => {
  expect(findPromtoolFaults(['test', 'rules', pathOf('alerts.test.yml')])).toBeNull();
});
