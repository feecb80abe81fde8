import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { parseConfig } from '../../../../src/daemon/load-config.ts';
import { type ConfiguredContext, configuredFeatures } from '../../../../src/extensions/extension.ts';
import type { SalesSettings } from '../../../../src/extensions/sales/config/settings-group.ts';
import { startSalesTasks } from '../../../../src/extensions/sales/daemon/sales-tasks.ts';
import type { SalesServices } from '../../../../src/extensions/sales/engine/sales-services.ts';
import { sales } from '../../../../src/extensions/sales/extension.ts';
import { at, minute } from '../../../engine/bar.ts';
import { manualScheduler } from '../../../http/live/streams.ts';
import { context, genericFormat, openSalesBar, sample } from '../engine/sales-bar.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const configOf = (folder: string, features: Readonly<Record<string, boolean>> = {}) =>
  parseConfig(JSON.stringify({ features, sales: { folder } }), 'tapster.json', { env: {} });

test('a folder of sales in the settings file switches the feature on, unless the file switches it off', () => {
  expect(configuredFeatures([sales], configOf('/srv/till'))).toEqual({ sales: true });
  expect(configuredFeatures([sales], configOf('/srv/till', { sales: false }))).toEqual({ sales: false });
  expect(configuredFeatures([sales], configOf(''))).toEqual({});
});

test('while it is on the folder is read every minute, and no longer once it is switched off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-sales-'));
  folders.push(folder);
  const bar = openSalesBar();
  bar.sales.tills.change(bar.till.id, { format: genericFormat }, context);
  mkdirSync(join(folder, bar.till.name));
  writeFileSync(join(folder, bar.till.name, 'day.csv'), sample('generic.csv'));
  const scheduler = manualScheduler();
  const tasks = startSalesTasks({
    settings: { folder },
    services: () => bar.engine,
    clock: { now: () => at(0) },
    scheduler,
    log: { warn() {} },
    reportProblem() {},
  } as unknown as ConfiguredContext<SalesServices, SalesSettings>);
  await vi.waitFor(() => {
    scheduler.advance(minute);
    expect(bar.sales.imports.list({}).items).toMatchObject([{ source: 'folder', state: 'complete' }]);
  });
  await tasks.close();
  writeFileSync(join(folder, bar.till.name, 'next.csv'), 'not read');
  scheduler.advance(10 * minute);
  expect(bar.sales.files()).toHaveLength(1);
});
