// MQTT and metrics: CPU time of a pour, from its first tick to its published drink, compared with a daemon without both. Both
// daemons pour at the same time, so that other load affects both alike. Needs Mosquitto (Debian: `mosquitto`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pulse, startDaemon, withFolder, writeConfig } from '../../../bench/daemon.mjs';
import { median } from '../../../bench/median.mjs';
import { cpuMs } from '../../../bench/process-stats.mjs';
import { ratio } from '../../../bench/table.mjs';

const taps = 8;
/** 330 mL in six seconds. */
const samplePour = { ticks: 1_782, hz: 297 };
const idleMs = 1_000;
/** A pour, the silence that ends it, and the messages after it. */
const pourMs = 6_000 + idleMs + 2_000;
/** Timers and garbage collection fall on some pours only, so several are measured together. */
const poursPerRound = 3;
const rounds = 7;
/** Pours at all taps at once before the first round: V8 compiles code only after many calls, and a bar has hundreds of pours a day. */
const warmUps = 12;
const targetRatio = 1.1;

export const run = () =>
  withFolder(async (folder) => {
    const broker = await startBroker(folder);
    const off = await openDaemon(join(folder, 'off'), {});
    const on = await openDaemon(join(folder, 'on'), {
      metrics: { enabled: true },
      mqtt: { enabled: true, host: '127.0.0.1', port: broker.port, discovery: true },
    });
    try {
      const pours = await measure([on, off]);
      const shares = pours.map(([onMs, offMs]) => onMs / offMs);
      const share = median(shares);
      return [
        {
          what: `CPU of a pour with MQTT and metrics on to off, ${taps} taps`,
          ours: `${median(pours.map(([ms]) => ms)).toFixed(1)} ms`,
          bare: `${median(pours.map(([, ms]) => ms)).toFixed(1)} ms`,
          ratio: ratio(share, 1),
          target: `≤ ${targetRatio} ×`,
          met: share <= targetRatio,
        },
      ];
    } finally {
      await Promise.all([on.stop(), off.stop()]);
      broker.stop();
    }
  });

/** CPU time of one pour by round and daemon, milliseconds. */
async function measure(daemons) {
  const times = [];
  for (let i = 0; i < warmUps; i++) {
    for (const { url } of daemons)
      for (let tap = 0; tap < taps; tap++) await pulse(url, { meter: `pi.flow${tap}`, ...samplePour });
    await pause(pourMs);
  }
  for (let i = 0; i < rounds; i++) {
    const before = daemons.map(({ pid }) => cpuMs(pid));
    for (let j = 0; j < poursPerRound; j++) {
      for (const { url } of daemons) await pulse(url, { meter: `pi.flow${j % taps}`, ...samplePour });
      await pause(pourMs);
    }
    times.push(daemons.map(({ pid }, n) => (cpuMs(pid) - before[n]) / poursPerRound));
  }
  return times;
}

function openDaemon(folder, extraConfig) {
  mkdirSync(folder);
  return startDaemon(
    writeConfig(folder, taps, { extraConfig: { pour: { min_ml: 0, idle_ms: idleMs }, ...extraConfig } }),
  );
}

async function startBroker(folder) {
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  await Promise.race([
    waitForPort(port),
    once(child, 'error').then(([error]) => {
      throw new Error(`Mosquitto cannot be started: ${error.message}`);
    }),
  ]);
  return { port, stop: () => child.kill() };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function waitForPort(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((done) => {
      socket.once('connect', () => done(true));
      socket.once('error', () => done(false));
    });
    socket.destroy();
    if (isOpen) return;
    await pause(50);
  }
}
