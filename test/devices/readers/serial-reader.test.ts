import { afterEach, expect, test, vi } from 'vitest';
import { readCard } from '../../../src/core/access/card-text.ts';
import { SerialReader } from '../../../src/devices/readers/serial-reader.ts';
import type { ReaderStep } from '../../../src/devices/readers/token-reader.ts';
import { serialLinkAt } from '../../../src/devices/serial/serial-link.ts';
import { openPty, type Pty } from '../../kit/pty.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A card reader on a pseudo-terminal; the test advances the clock. */
function openReader(isCaptive = false) {
  const pty: Pty = openPty();
  const reader = new SerialReader({ path: pty.path, isCaptive, openLink: serialLinkAt(9_600), readCard });
  closing.push(() => reader.close(), pty.unplug);
  const steps: ReaderStep[] = [];
  let now = 0;
  const poll = (ms = 50) => {
    now += ms;
    steps.push(...reader.poll(now));
  };
  const until = (condition: () => boolean) =>
    vi.waitFor(
      () => {
        poll();
        expect(condition()).toBe(true);
      },
      { timeout: 15_000, interval: 20 },
    );
  return { pty, reader, steps, poll, until };
}

const frame = Buffer.from('\x020415AABBCCCC\r\n\x03', 'latin1');

test('a card on a serial reader is presented, noise before it is ignored', async () => {
  const { pty, reader, steps, until } = openReader();
  await until(() => reader.isOpen);
  pty.write(Buffer.from('??\x02garbage', 'latin1'));
  pty.write(frame);
  await until(() => steps.length > 0);
  expect(steps).toEqual([{ kind: 'presented', value: '0415aabbcc' }]);
  expect(reader.problem).toBeNull();
});

test('a noise byte before silence costs no card, and is counted', async () => {
  const { pty, reader, steps, poll, until } = openReader();
  await until(() => reader.isOpen);
  pty.write(Buffer.from('\x024', 'latin1'));
  await until(() => reader.unreadable.count > 0);
  expect(reader.unreadable).toEqual({ count: 1, text: '4' });
  pty.write(Buffer.from('04:A3:2B:1C\r\n', 'latin1'));
  await until(() => steps.length > 0);
  for (let i = 0; i < 20; i++) poll();
  expect(steps).toEqual([{ kind: 'presented', value: '04a32b1c', raw: '04:A3:2B:1C' }]);
  expect(reader.unreadable.count).toBe(1);
});

test('unplugging the reader removes the card and is a problem', async () => {
  const { pty, reader, steps, until } = openReader(true);
  await until(() => reader.isOpen);
  pty.write(frame);
  await until(() => steps.length > 0);
  pty.unplug();
  await until(() => steps.length > 1);
  expect(steps.at(-1)).toEqual({ kind: 'removed', value: '0415aabbcc' });
  expect(reader.problem?.message).toMatch(/unplugged|plugged in|cannot be opened/);
});

test('a missing reader is a problem and is retried, but not at every poll', async () => {
  let tries = 0;
  const reader = new SerialReader({
    path: '/dev/none',
    isCaptive: false,
    readCard,
    openLink: async () => {
      tries++;
      throw new Error('Error: No such file or directory, cannot open /dev/none');
    },
  });
  for (let now = 0; now < 900; now += 50) {
    reader.poll(now);
    await Promise.resolve();
  }
  await expect.poll(() => reader.problem?.message).toContain('No card reader is plugged in');
  expect(tries).toBe(1);
  reader.poll(1_100);
  expect(tries).toBe(2);
  await reader.close();
});

test('more than fits between two polls is dropped, and the rest of two cards is not read as one', async () => {
  let onBytes: (bytes: Uint8Array) => void = () => {};
  const reader = new SerialReader({
    path: '/dev/card',
    isCaptive: false,
    readCard,
    openLink: async (_path, listeners) => {
      onBytes = listeners.onBytes;
      return { write: () => {}, close: async () => {} };
    },
  });
  reader.poll(0);
  await expect.poll(() => reader.isOpen).toBe(true);
  onBytes(Buffer.from(`${'?'.repeat(4_090)}\n0089`, 'latin1'));
  onBytes(Buffer.from('f2c4\r\n0415', 'latin1'));
  expect(reader.poll(50)).toEqual([]);
  onBytes(Buffer.from('aabb\r\n0089f2c4\r\n', 'latin1'));
  expect(reader.poll(100)).toEqual([{ kind: 'presented', value: '0089f2c4' }]);
  await reader.close();
});
