import { EventEmitter } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textProblem } from '../../../../../src/core/health/problems.ts';
import { PinThread } from '../../../../../src/devices/gpio/drivers/cdev/pin-thread.ts';
import {
  createControlMemory,
  SharedControl,
} from '../../../../../src/devices/gpio/drivers/cdev/shared-control.ts';

/** A pin thread without the kernel: a test lets it report, fail and exit. */
class FakeWorker extends EventEmitter {
  postMessage(): void {}
  terminate = async () => this.emit('exit', 1);
}

let folder: string;
let worker: FakeWorker;
let control: SharedControl;
let lineFds: number[];
let reports: string[];
let thread: PinThread;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pin-thread-'));
  const openFile = (name: string) => openSync(join(folder, name), 'w');
  worker = new FakeWorker();
  control = new SharedControl(createControlMemory({ lineCount: 1, relayCount: 1 }));
  lineFds = [openFile('meters'), openFile('relay')];
  reports = [];
  thread = new PinThread({
    worker: worker as unknown as Worker,
    control,
    opened: {
      kind: 'opened',
      description: textProblem('fake'),
      faults: [],
      wakeFd: openFile('wake'),
      lineFds,
    },
    request: {
      plan: {
        meters: [{ name: 'pi.flow0', pin: 17, bias: 'none', edge: 'falling' }],
        relays: [{ name: 'pi.relay0', pin: 22, activeLow: false }],
        faults: [],
      },
      roots: { dev: '', sys: '', proc: '' },
      report: (problem) => reports.push(problem.message),
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

const isOpen = (fd: number): boolean => {
  try {
    fstatSync(fd);
    return true;
  } catch {
    return false;
  }
};

test('a thread that died without releasing its lines has failed, and its descriptors are closed', () => {
  worker.emit('error', new Error('out of memory'));
  worker.emit('exit', 1);
  expect([thread.hasFailed, lineFds.map(isOpen)]).toEqual([true, [false, false]]);
  expect(thread.faults.map(({ name }) => name)).toEqual(['pi.flow0', 'pi.relay0']);
  expect(reports).toEqual([
    'The pin thread failed (out of memory). Its lines are opened again.',
    'The pin thread ended. Its lines are opened again.',
  ]);
});

test('descriptors that the thread has closed itself are not closed again', () => {
  control.markStopped();
  worker.emit('exit', 0);
  expect(lineFds.map(isOpen)).toEqual([true, true]);
  for (const fd of lineFds) closeSync(fd);
});

test('a chip that stopped answering is a failure while the thread still runs', () => {
  worker.emit('message', { kind: 'fault', problem: 'The GPIO chip stopped answering.', isOver: true });
  expect([thread.hasFailed, thread.isOver]).toEqual([true, false]);
  worker.emit('exit', 0);
});

test('a thread that was asked to stop has not failed', async () => {
  control.markStopped();
  const stopped = thread.stop();
  worker.emit('exit', 0);
  await stopped;
  expect([thread.hasFailed, reports]).toEqual([false, []]);
  for (const fd of lineFds) closeSync(fd);
});
