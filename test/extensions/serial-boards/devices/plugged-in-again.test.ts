import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import type { LinkListeners } from '../../../../src/devices/serial/serial-link.ts';
import { createSerialBoards } from '../../../../src/extensions/serial-boards/devices/serial-boards.ts';
import { findPorts, openBoardLink } from '../../../../src/extensions/serial-boards/devices/serial-ports.ts';
import { openPty, type Pty } from '../../../kit/pty.ts';
import { boardMessages } from '../kit/serial-board.ts';

const { hello, meter } = boardMessages;

test('a board on a real port that was unplugged for 45 s is opened within 2 s, and each tick counts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-plugged-'));
  const path = join(folder, 'ttyUSB0');
  let nowMs = 1_000_000;
  let opened = 0;
  let pty: Pty;
  const plugIn = () => {
    pty = openPty();
    symlinkSync(pty.path, path);
  };
  const boards = createSerialBoards({
    findPorts: () => findPorts({ boards: [{ path }], auto: false, directory: folder }),
    async openLink(port: string, listeners: LinkListeners) {
      const link = await openBoardLink(port, listeners);
      opened++;
      return link;
    },
    nowMonoMs: () => nowMs,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    onBoard: () => {},
    onMeter: () => {},
    idleMs: 5_000,
    findKept: () => [],
    onUnobserved: () => {},
    onNote: () => {},
  });
  /** Advances the clock by 50 ms and gives the operating system `realMs` to answer. */
  const step = async (realMs = 2) => {
    nowMs += 50;
    boards.poll();
    await new Promise((done) => setTimeout(done, realMs));
  };
  const waitFor = (check: () => void) =>
    vi.waitFor(
      async () => {
        await step();
        check();
      },
      { timeout: 20_000, interval: 5 },
    );
  const countTicks = () =>
    boards.pulses.drain().lines.reduce((sum, { stampsMonoMs }) => sum + stampsMonoMs.length, 0);

  plugIn();
  await waitFor(() => expect(opened).toBe(1));
  pty!.write(hello({ uptimeMs: 60_000 }));
  pty!.write(meter('flow0', 100));
  await waitFor(() => expect(boards.ports()).toMatchObject([{ controller: 'kegboard' }]));
  pty!.unplug();
  unlinkSync(path);
  await waitFor(() => expect(boards.ports()).toMatchObject([{ controller: null }]));
  for (const untilMs = nowMs + 45_000; nowMs < untilMs; ) await step();
  expect(opened).toBe(1);

  plugIn();
  const pluggedMs = nowMs;
  while (opened < 2 && nowMs - pluggedMs < 10_000) await step(20);
  expect(nowMs - pluggedMs).toBeLessThanOrEqual(2_000);

  // It lost its power: its counter starts at zero.
  pty!.write(hello({ uptimeMs: 0 }));
  let ticks = 0;
  for (let total = 75; total <= 1_500; total += 75) {
    pty!.write(meter('flow0', total));
    await waitFor(() => {
      ticks += countTicks();
      expect(ticks).toBe(total);
    });
  }
  await boards.toggles.close();
  pty!.unplug();
  rmSync(folder, { recursive: true });
});
