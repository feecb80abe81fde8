// What the daemon writes: an idle minute, and a pour of ten seconds. Cards wear by writes.
import { setTimeout as pause } from 'node:timers/promises';
import { pulse, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { writtenBytes } from './process-stats.mjs';

const idleMs = 20_000;
const pourSeconds = 10;
/** The seconds of flow that are looked at: neither the first tick nor the last is among them. */
const flowSeconds = 8;
const hz = 324; // 60 mL/s at 5.4 ticks/mL

export const run = () =>
  withFolder(async (folder) => {
    const daemon = await startDaemon(writeConfig(folder, 16));
    try {
      // What the first seconds after a start write is no idleness.
      await pause(3_000);
      const idle = await writtenIn(daemon.pid, idleMs);
      // The first pour of an evening opens the session; the ones after it are the usual case.
      await measurePour(daemon);
      const { flow, total } = await measurePour(daemon);
      return [
        { what: 'Written in an idle minute', ours: kib((idle * 60_000) / idleMs) },
        { what: 'Written in a second of flow', ours: kib(flow / flowSeconds) },
        { what: 'Written for a pour of 10 s, row included', ours: kib(total) },
      ];
    } finally {
      await daemon.stop();
    }
  });

async function measurePour({ pid, url }) {
  const before = writtenBytes(pid);
  await pulse(url, { meter: 'pi.flow0', ticks: pourSeconds * hz, hz });
  await pause(1_000);
  const flow = await writtenIn(pid, flowSeconds * 1_000);
  // The silence that ends it, and the commit.
  await pause(8_000);
  return { flow, total: writtenBytes(pid) - before };
}

async function writtenIn(pid, ms) {
  const before = writtenBytes(pid);
  await pause(ms);
  return writtenBytes(pid) - before;
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
