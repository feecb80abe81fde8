// Open valves of a service whose daemon ends without shutting them. Raspberry Pi's kernels keep the level of a
// released output; gpio-sim's lines fall to their pull resistor. So each test pulls the relays to their "on"
// level after they were opened: released by a killed daemon they stay on, as on a Pi.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { once, onTestEnd, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { level, pull, taps } from '../../pins.mjs';
import { installed, long, mainPid } from '../../service/installed.mjs';
import { healthy, journal, port, property, run } from '../../service/service.mjs';

const settingsFile = '/etc/tapster/tapster.json';
const dropInFolder = '/etc/systemd/system/tapster.service.d';
/** The second relay is on at low level. */
const lines = [12, 13];
const on = [1, 0];
const off = [0, 1];
const levels = () => lines.map((line) => level(taps, line));
const isOff = () => levels().join() === off.join();

// Not runuser, whose PAM session waits for services that this guest does not have.
const asTapster = ['--reuid=tapster', '--regid=tapster', '--init-groups'];

/** Runs a command of the program as the service's user; returns its output. */
function runTapster(args, input = '') {
  const options = { input, encoding: 'utf8', timeout: 120_000 };
  const { status, stdout, stderr } = spawnSync('setpriv', [...asTapster, 'tapster', ...args], options);
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

const staffKey = once(async () => {
  runTapster(['user', 'add', 'valve-staff', '--staff', '--password-stdin'], 'hop-garden\n');
  return runTapster(['key', 'create', 'valve-staff']);
});

async function call(path, body) {
  const headers = { 'X-Kegbot-Api-Key': await staffKey(), 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    headers,
    signal: AbortSignal.timeout(60_000),
    ...sent,
  });
  const text = await reply.text();
  assert.ok(reply.ok, `${path}: ${reply.status} ${text}`);
  return JSON.parse(text).result;
}

/**
 * Restarts the service with two relays and further lines for its unit, and opens both. The daemon restarts two
 * minutes after its end, so that the next daemon is not what shuts them.
 */
async function openValves(unitLines = '') {
  await installed();
  const settings = readFileSync(settingsFile, 'utf8');
  const toggles = lines.map((pin, at) => ({ port: `relay${at}`, pin, active_low: at === 1 }));
  writeFileSync(settingsFile, JSON.stringify({ ...JSON.parse(settings), toggles }));
  mkdirSync(dropInFolder, { recursive: true });
  writeFileSync(`${dropInFolder}/test.conf`, `[Service]\nRestartSec=120\n${unitLines}`);
  onTestEnd(() => {
    writeFileSync(settingsFile, settings);
    rmSync(dropInFolder, { recursive: true, force: true });
    run('systemctl', 'daemon-reload');
    run('systemctl', 'restart', 'tapster');
  });
  run('systemctl', 'daemon-reload');
  run('systemctl', 'restart', 'tapster');
  await healthy();
  assert.deepEqual(levels(), off);
  const { flow_toggles: relays } = await call('/flow-toggles');
  for (const { id } of relays) await call(`/flow-toggles/${id}/open`, { seconds: 600 });
  await until('open valves', () => levels().join() === on.join());
  pull(taps, lines[0], 'pull-up');
  pull(taps, lines[1], 'pull-down');
}

test(
  'the stop program shuts the valves of a killed daemon',
  async () => {
    await openValves();
    const startMs = performance.now();
    process.kill(mainPid(), 'SIGKILL');
    await until('shut valves', isOff, 20_000);
    const tookMs = performance.now() - startMs;
    assert.equal(mainPid(), 0, 'no daemon runs');
    assert.match(journal(), /these relays are off: pi\.relay0, pi\.relay1\./);
    // Released by the stop program too, they stay off.
    await until('end of the stop program', () => property('SubState') === 'auto-restart', 20_000);
    assert.deepEqual(levels(), off);
    return `${Math.round(tookMs)} ms after the kill`;
  },
  long,
);

test(
  'without the stop program the valves of a killed daemon stay open',
  async () => {
    await openValves('ExecStopPost=\n');
    process.kill(mainPid(), 'SIGKILL');
    await until('end of the service', () => property('SubState') === 'auto-restart', 20_000);
    await sleep(5_000);
    assert.deepEqual(levels(), on);
  },
  long,
);

test(
  'the stop program shuts the valves of a daemon that hangs as a whole, after the watchdog has ended it',
  async () => {
    await openValves('WatchdogSec=10\n');
    const startMs = performance.now();
    process.kill(mainPid(), 'SIGSTOP');
    await until('shut valves', isOff, 60_000);
    assert.match(journal(), /Watchdog timeout/);
    return `${Math.round(performance.now() - startMs)} ms after it stopped, with WatchdogSec=10`;
  },
  long,
);
