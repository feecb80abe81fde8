import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { afterEach, expect, test } from 'vitest';
import { createSdNotify, watchdogIntervalMs } from '../../src/system/sd-notify.ts';
import { toSocketAddress } from '../../src/system/unix-datagram.ts';

const libc = koffi.load(null);
const socket = libc.func('int socket(int, int, int)');
const bind = libc.func('int bind(int, const uint8_t *, uint32_t)');
const recv = libc.func('intptr_t recv(int, _Out_ uint8_t *, size_t, int)');
const closeFd = libc.func('int close(int)');

const unixFamily = 1;
const datagram = 2;
const dontWait = 0x40;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const step of cleanups.splice(0)) step();
});

/** Receives in place of systemd, on a real datagram socket. */
function serviceManager(address: string) {
  const fd = socket(unixFamily, datagram, 0) as number;
  const name = toSocketAddress(address);
  expect(bind(fd, name, name.length)).toBe(0);
  cleanups.push(() => closeFd(fd));
  return {
    /** Returns the next message, null when none waits. */
    receive(): string | null {
      const buffer = Buffer.alloc(4096);
      const length = Number(recv(fd, buffer, buffer.length, dontWait));
      return length < 0 ? null : buffer.toString('utf8', 0, length);
    },
  };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tapster-notify-'));
  cleanups.push(() => rmSync(path, { recursive: true }));
  return path;
}

test('systemd receives readiness, watchdog, status and stopping', async () => {
  const address = join(folder(), 'notify');
  const manager = serviceManager(address);
  const notify = await createSdNotify({ NOTIFY_SOCKET: address });
  expect(notify.isActive).toBe(true);
  notify.ready('Counting on 4 taps');
  notify.watchdog();
  notify.status('Left tap\nis pouring');
  notify.stopping();
  expect([
    manager.receive(),
    manager.receive(),
    manager.receive(),
    manager.receive(),
    manager.receive(),
  ]).toEqual([
    'READY=1\nSTATUS=Counting on 4 taps',
    'WATCHDOG=1',
    'STATUS=Left tap is pouring',
    'STOPPING=1',
    null,
  ]);
  notify.close();
  notify.watchdog();
  expect(manager.receive()).toBe(null);
});

test('an abstract socket works too', async () => {
  const address = `@tapster-test-${process.pid}`;
  const manager = serviceManager(address);
  const notify = await createSdNotify({ NOTIFY_SOCKET: address });
  cleanups.push(() => notify.close());
  notify.ready();
  expect(manager.receive()).toBe('READY=1');
});

test('a manager that does not read does not block sending', async () => {
  const address = join(folder(), 'notify');
  const manager = serviceManager(address);
  const notify = await createSdNotify({ NOTIFY_SOCKET: address });
  cleanups.push(() => notify.close());
  // Far more than the kernel queues for one socket: a blocking send would hang here.
  for (let count = 0; count < 5_000; count += 1) notify.watchdog();
  expect(manager.receive()).toBe('WATCHDOG=1');
});

test('without systemd every notification does nothing', async () => {
  const notify = await createSdNotify({});
  notify.ready();
  notify.close();
  expect(notify.isActive).toBe(false);
});

test('an invalid socket name is reported once and then ignored', async () => {
  const faults: unknown[] = [];
  const notify = await createSdNotify({ NOTIFY_SOCKET: 'relative' }, (fault) => faults.push(fault));
  expect(notify.isActive).toBe(false);
  expect(faults).toHaveLength(1);
});

test('a manager that is gone causes no error', async () => {
  const notify = await createSdNotify({ NOTIFY_SOCKET: join(folder(), 'gone') });
  notify.watchdog();
  notify.close();
  expect(notify.isActive).toBe(true);
});

test.each([
  [{ WATCHDOG_USEC: '20000000' }, 10_000],
  [{ WATCHDOG_USEC: '20000000', WATCHDOG_PID: '42' }, 10_000],
  [{ WATCHDOG_USEC: '20000000', WATCHDOG_PID: '43' }, null],
  [{ WATCHDOG_USEC: '0' }, null],
  [{ WATCHDOG_USEC: 'soon' }, null],
  [{}, null],
])('the watchdog of %j is fed every %s ms', (env, interval) => {
  expect(watchdogIntervalMs(env, 42)).toBe(interval);
});
