import { spawnSync } from 'node:child_process';

const isInstalled = spawnSync('promtool', ['--version']).error === undefined;

/** False on a developer's machine without promtool (Debian: `prometheus`); the checks set the variable and always run it. */
export const hasPromtool = isInstalled || process.env.TAPSTER_REQUIRE_PROMTOOL === '1';

if (!hasPromtool)
  console.warn('promtool is not installed, so metrics and alert rules are not checked by it.');

/** Runs promtool; returns everything that it printed if it found a fault, else null. */
export function findPromtoolFaults(args: readonly string[], input = ''): string | null {
  const { status, error, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  // `check metrics` exits with 0 for some hints.
  const text = `${stdout}${stderr}`;
  return status === 0 && stderr === '' ? null : text;
}
