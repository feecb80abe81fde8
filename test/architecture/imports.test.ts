import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findViolations } from './import-rules.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path));

test('every import between layers is allowed', () => {
  expect(files).toContain('core/pours/pour-tracker.ts');
  expect(files.flatMap((path) => findViolations(path, readFileSync(src + path, 'utf8')))).toEqual([]);
});

test.each([
  ['core/x.ts', "import { open } from 'node:fs';"],
  ['core/x.ts', "import type { Static } from 'typebox';"],
  ['core/x.ts', "import type { Store } from '../store/store.ts';"],
  ['core/x.ts', "export * from '../engine/engine.ts';"],
  ['core/x.ts', "const config = await import('../config/load.ts');"],
  ['core/x.ts', "import table from '../../hardware/meters/meters.json' with { type: 'json' };"],
  ['store/x.ts', "import { createEngine } from '../engine/create-engine.ts';"],
  ['engine/x.ts', "import {\n  route,\n} from '../http/route.ts';"],
  ['devices/gpio/x.ts', "import type { Engine } from '../../engine/engine.ts';"],
  ['devices/x.ts', "import { loadConfig } from '../config/load.ts';"],
  ['http/x.ts', "import { drinksTable } from '../store/drinks-table.ts';"],
  ['http/current/kegs/x.ts', "import { taps } from '../../legacy-v1/taps.ts';"],
  ['http/x.ts', 'import { startDaemon } from "../daemon.ts";'],
  ['engine/x.ts', "import { startDaemon } from '../daemon/parts.ts';"],
  ['engine/x.ts', "import type { Valves } from '../services/valves/valves.ts';"],
  ['http/x.ts', "import { createUpdates } from '../services/updates/updates.ts';"],
  ['services/valves/x.ts', "import type { Services } from '../../daemon/start-services.ts';"],
  ['services/valves/x.ts', "import type { Route } from '../../http/routes/route.ts';"],
  ['services/valves/x.ts', "import { ports } from '../../http/ports.ts';"],
  ['system/x.ts', "new Worker(new URL('../devices/gpio/worker.ts', import.meta.url));"],
  ['web/x.tsx', "import { LiveMessage } from '../http/live/shapes.ts';"],
  ['http/x.ts', "import { log } from '../system/log.ts';"],
  ['daemon.ts', "import './cli/run.ts';"],
  ['garage/x.ts', 'export const car = 1;'],
  ['engine/x.ts', "import { kiosk } from '../extensions/kiosk/extension.ts';"],
  ['daemon/x.ts', "import { kiosk } from '../extensions/kiosk/extension.ts';"],
  ['engine/x.ts', "import { extensions } from '../extensions/all.ts';"],
  ['extensions/kiosk/engine/x.ts', "import { x } from '../../sales/engine/x.ts';"],
  ['extensions/kiosk/http/x.ts', "import { x } from '../store/x.ts';"],
  ['extensions/kiosk/web/x.ts', "import { x } from '../../../engine/x.ts';"],
  ['extensions/kiosk/garage/x.ts', 'export const car = 1;'],
])('reports %s with: %s', (path, source) => {
  expect(findViolations(path, source)).toEqual([expect.stringContaining(`src/${path}`)]);
});

test.each([
  'const now = Date.now();',
  'const now = new Date();',
  'const now = new Date;',
  'const now = Date();',
  'const now = performance.now();',
  'setTimeout(close, 5_000);',
  'const timer = setInterval(step, 50);',
  'setImmediate(step);',
  'const id = Math.random();',
])('reports in core, store and engine: %s', (source) => {
  for (const layer of ['core', 'store', 'engine']) {
    expect(findViolations(`${layer}/x.ts`, source)).toEqual([
      expect.stringContaining(`src/${layer}/x.ts uses`),
    ]);
  }
  expect(findViolations('system/x.ts', source)).toEqual([]);
});

test.each(['process.env.HOME', 'crypto.subtle', "fetch('http://bar')", "console.log('prost')"])(
  'reports in core the use of %s',
  (source) => {
    expect(findViolations('core/x.ts', source)).toHaveLength(1);
  },
);

test.each([
  ['core/x.ts', "import type { Pour } from './pour.ts';"],
  ['core/x.ts', "// Date.now() and 'process' in a comment.\nexport {};"],
  ['core/x.ts', "const words = 'setTimeout and Math.random()';"],
  ['core/x.ts', 'const year = new Date(wallMs).getUTCFullYear() + Date.UTC(2026, 0, 1);'],
  ['store/x.ts', "import Database from 'better-sqlite3';\nimport { AppError } from '../core/app-error.ts';"],
  ['devices/gpio/x.ts', "import type { MeterConfig } from '../../config/schema.ts';"],
  ['devices/gpio/x.ts', "import { type MeterConfig, type Config } from '../../config/schema.ts';"],
  ['http/current/kegs/x.ts', "import { Id } from '../../routes/schemas.ts';\nimport { y } from './y.ts';"],
  ['web/x.tsx', "import type { LiveMessage } from '../http/live/shapes.ts';"],
  ['web/app/x.ts', "import { mlPerOz } from '../../core/kegs/volume-units.ts';"],
  ['http/x.ts', "import { productVersion } from '../system/product.ts';"],
  ['daemon.ts', "import { recorder } from './services/counting/pour-recorder.ts';"],
  ['services/valves/x.ts', "import type { Scheduler } from '../../http/ports.ts';"],
  ['cli/run.ts', "import { startDaemon } from '../daemon.ts';"],
  ['main.ts', "const { run } = await import('./cli/run.ts');"],
  ['daemon/x.ts', "import { extensions } from '../extensions/all.ts';"],
  ['extensions/all.ts', "import { kiosk } from './kiosk/extension.ts';"],
  ['extensions/kiosk/extension.ts', "import { kioskTable } from './store/table.ts';"],
  [
    'extensions/kiosk/http/x.ts',
    "import type { X } from '../outbox/x.ts';\nimport { y } from '../engine/y.ts';",
  ],
])('allows %s with: %s', (path, source) => {
  expect(findViolations(path, source)).toEqual([]);
});
