// The service under test: installed once from a checkout, with six taps, and access to its drinks.
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createConfig } from '../config.mjs';
import { once } from '../harness.mjs';
import { until } from '../instance.mjs';
import { journal, port, property, rows, run } from './service.mjs';

export const hz = 110;
/** Time limit of a test that installs or waits for a start, milliseconds of guest time. */
export const long = 600_000;
export const systemd = (script) => `/home/pi/tapster/systemd/${script}`;
export const mainPid = () => Number(property('MainPID'));
export const drinks = (meter) =>
  rows(`SELECT ticks, recovered, is_valid FROM drinks WHERE meter = '${meter}' ORDER BY id`);
export const storedDrinks = (meter, count) =>
  until(`list of ${count} drinks of ${meter}`, () => {
    const found = drinks(meter);
    return found.length >= count ? found : null;
  });

export const installed = once(async () => {
  // Already installed before the reboot.
  if (existsSync('/opt/tapster')) return {};
  // Written first: the installer keeps existing settings.
  const settings = createConfig({ lines: [0, 1, 2, 3, 4, 5] });
  settings.taps[1].idle_ms = 100_000;
  mkdirSync('/etc/tapster', { recursive: true });
  writeFileSync('/etc/tapster/tapster.json', JSON.stringify({ ...settings, http: { port } }));
  const result = run('sh', systemd('install.sh'));
  assert.equal(result.code, 0, `${result.out}\n${result.err}\n${journal().slice(-3_000)}`);
  return result;
});
