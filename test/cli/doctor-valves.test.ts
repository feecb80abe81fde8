import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { valveFindings } from '../../src/cli/doctor/valves.ts';

let sys: string;
beforeEach(() => {
  sys = mkdtempSync(join(tmpdir(), 'tapster-sys-'));
});
afterEach(() => rmSync(sys, { recursive: true }));

const pi4 = { board: 'Raspberry Pi 4 Model B Rev 1.4', kernel: '6.12.25' };
const pi5 = { board: 'Raspberry Pi 5 Model B Rev 1.0', kernel: '6.12.25' };
const relays = {
  gpio: { driver: 'auto' as const },
  toggles: [
    { port: 'relay0', pin: 24, active_low: false },
    { port: 'relay1', pin: 25, active_low: true },
  ],
};

function setParameter(driver: string, value: string): void {
  const folder = join(sys, 'module', driver, 'parameters');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'persist_gpio_outputs'), `${value}\n`);
}

test('a kernel that keeps outputs is a warning with the lines for config.txt', () => {
  setParameter('pinctrl_bcm2835', 'Y');
  expect(valveFindings(relays, pi4, sys)).toEqual([
    {
      status: 'warn',
      text: expect.stringContaining('keeps a relay switched on'),
      advice: expect.stringContaining('dtparam=strict_gpiod, gpio=24=op,dl, gpio=25=op,dh.'),
    },
  ]);
});

test('a kernel that releases outputs is ok', () => {
  setParameter('pinctrl_bcm2835', 'N');
  expect(valveFindings(relays, pi4, sys)[0]?.status).toBe('ok');
});

test('on a Pi 5 the parameter of its own chip decides', () => {
  setParameter('pinctrl_bcm2835', 'N');
  setParameter('pinctrl_rp1', 'Y');
  expect(valveFindings(relays, pi5, sys)[0]?.status).toBe('warn');
});

test('a kernel without the parameter is neither good nor bad', () => {
  expect(valveFindings(relays, pi4, sys)[0]?.status).toBe('unknown');
});

test('without a relay on a real pin the parameter does not matter', () => {
  setParameter('pinctrl_bcm2835', 'Y');
  expect(valveFindings({ ...relays, toggles: [] }, pi4, sys)[0]?.status).toBe('unknown');
  expect(valveFindings({ ...relays, gpio: { driver: 'simulated' } }, pi4, sys)[0]?.status).toBe('ok');
});
