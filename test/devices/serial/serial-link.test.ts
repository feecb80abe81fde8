import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serialLinkAt } from '../../../src/devices/serial/serial-link.ts';
import { openPty, type Pty } from '../../kit/pty.ts';

const openLink = serialLinkAt(115_200);

let pty: Pty;
beforeEach(() => {
  pty = openPty();
});
afterEach(() => pty.unplug());

/** The terminal settings of the port, and `-hupcl` where DTR is kept when it closes. */
function settings(...change: string[]): string[] {
  const { stdout, stderr } = spawnSync('stty', ['-F', pty.path, ...change], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split(/[\s;]+/);
}

test('closing a port keeps DTR, so that the restarted daemon does not reset an Uno or Mega', async () => {
  // The kernel's default for serial ports; a pseudo-terminal has another one.
  settings('hupcl');
  expect(settings('-a')).toContain('hupcl');
  const link = await openLink(pty.path, { onBytes: () => undefined, onClosed: () => undefined });
  expect(settings('-a')).toContain('-hupcl');
  await link.close();
  expect(settings('-a')).toContain('-hupcl');
});

test('the speed and the raw mode of the port are kept', async () => {
  settings('hupcl');
  const link = await openLink(pty.path, { onBytes: () => undefined, onClosed: () => undefined });
  const all = settings('-a');
  expect([all[1], all.includes('-icanon'), all.includes('-opost')]).toEqual(['115200', true, true]);
  await link.close();
});
