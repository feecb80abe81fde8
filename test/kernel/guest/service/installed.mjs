// The service as its tests find it: installed once from a checkout, six taps in its settings, and what it has in its books.
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createConfig } from '../config.mjs';
import { once } from '../harness.mjs';
import { until } from '../instance.mjs';
import { journal, port, property, rows, run } from './service.mjs';

export const hz = 100;
/** Milliseconds of guest time for a test that installs, or waits for a start. */
export const long = 600_000;
export const systemd = (script) => `/home/keeper/tapster/systemd/${script}`;
export const mainPid = () => Number(property('MainPID'));
export const drinks = (meter) =>
  rows(`SELECT ticks, recovered, is_valid FROM drinks WHERE meter = '${meter}' ORDER BY id`);
export const storedDrinks = (meter, count) =>
  until(`${count} drinks of ${meter}`, () => {
    const found = drinks(meter);
    return found.length >= count ? found : null;
  });

export const installed = once(async () => {
  // It is, since before the machine was rebooted.
  if (existsSync('/opt/tapster')) return {};
  // Found by the installer, which keeps settings that are there.
  const settings = createConfig({ lines: [0, 1, 2, 3, 4, 5] });
  settings.taps[1].idle_ms = 100_000;
  mkdirSync('/etc/tapster', { recursive: true });
  writeFileSync('/etc/tapster/tapster.json', JSON.stringify({ ...settings, http: { port } }));
  const visit = run('sh', systemd('install.sh'));
  assert.equal(visit.code, 0, `${visit.out}\n${visit.err}\n${journal().slice(-3_000)}`);
  return visit;
});
