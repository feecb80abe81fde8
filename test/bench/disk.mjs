// What the daemon writes: an idle minute, and a pour of ten seconds. Cards wear by writes.
import { setTimeout as pause } from 'node:timers/promises';
import { inFolder, pulse, startDaemon, writeBar } from './house.mjs';
import { writtenBytes } from './process-figures.mjs';

const idleMs = 20_000;
const pourSeconds = 10;
/** The seconds of flow that are looked at: neither the first tick nor the last is among them. */
const flowSeconds = 8;
const hz = 324; // 60 mL/s at 5.4 ticks/mL

export const run = () =>
  inFolder(async (folder) => {
    const daemon = await startDaemon(writeBar(folder, 16));
    try {
      // What the first seconds after a start write is no idleness.
      await pause(3_000);
      const idle = await writtenIn(daemon.pid, idleMs);
      // The first pour of an evening opens the session; the ones after it are the usual case.
      await pourOnce(daemon);
      const { flow, whole } = await pourOnce(daemon);
      return [
        { what: 'Written in an idle minute', ours: kib((idle * 60_000) / idleMs) },
        { what: 'Written in a second of flow', ours: kib(flow / flowSeconds) },
        { what: 'Written for a pour of 10 s, row included', ours: kib(whole) },
      ];
    } finally {
      await daemon.stop();
    }
  });

async function pourOnce({ pid, url }) {
  const before = writtenBytes(pid);
  await pulse(url, { meter: 'pi.flow0', ticks: pourSeconds * hz, hz });
  await pause(1_000);
  const flow = await writtenIn(pid, flowSeconds * 1_000);
  // The silence that ends it, and the commit.
  await pause(8_000);
  return { flow, whole: writtenBytes(pid) - before };
}

async function writtenIn(pid, ms) {
  const before = writtenBytes(pid);
  await pause(ms);
  return writtenBytes(pid) - before;
}

const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
