// The service on a bare Debian: installation, pours, kill, hang, stop and reboot.
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { once, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { pulses, taps } from '../../pins.mjs';
import { drinks, hz, installed, long, mainPid, storedDrinks } from '../../service/installed.mjs';
import { observeReboot } from '../../service/observe-reboot.mjs';
import { healthy, journal, property, run } from '../../service/service.mjs';

/** Ticks that may be missing: one checkpoint interval of a second, and the time of its write. */
const maxMissing = hz * 1.5;

test(
  'on a bare Debian the installer starts the service, which reports that it counts',
  async () => {
    const { out } = await installed();
    assert.match(out, /Tapster is running/);
    assert.equal(property('ActiveState'), 'active');
    assert.equal(property('UnitFileState'), 'enabled');
    assert.match(property('StatusText'), /^Counting, storing and serving; page at http:\/\/\S+:8080\//);
    assert.doesNotMatch(out, /could not be pruned/);
  },
  long,
);

test(
  'the service is healthy and runs as its own user with access to the pins',
  async () => {
    await installed();
    await healthy();
    const owner = readFileSync(`/proc/${mainPid()}/status`, 'latin1');
    const uid = run('id', '-u', 'tapster').out.trim();
    assert.match(owner, new RegExp(`^Uid:\\t${uid}\\t`, 'm'));
    assert.equal(run('stat', '-c', '%G %a', taps.device).out.trim(), 'gpio 660');
    assert.equal(statSync('/var/lib/tapster/tapster.db').mode & 0o777, 0o600);
  },
  long,
);

test(
  'a pour of real edges is one drink with every tick',
  async () => {
    await installed();
    await pulses({ lines: [0], hz, count: 330 }).done;
    assert.deepEqual(await storedDrinks('pi.flow0', 1), [{ ticks: 330, recovered: 0, is_valid: 1 }]);
  },
  long,
);

/** Creates the nodes of serial ports that no driver has registered, as before a first board is plugged in. */
function addSerialPorts() {
  const ports = [
    ['ttyUSB9', '188', '9'],
    ['ttyACM9', '166', '9'],
    ['ttyAMA9', '204', '73'],
    ['ttyS9', '4', '73'],
  ];
  for (const [name, major, minor] of ports) {
    run('mknod', '-m', '660', `/dev/${name}`, 'c', major, minor);
    run('chgrp', 'dialout', `/dev/${name}`);
  }
  run('ln', '-sf', 'ttyS9', '/dev/serial9');
}

const runSandboxCheck = once(async () => {
  await installed();
  addSerialPorts();
  // The installed unit with another program instead of the daemon.
  const unit = readFileSync('/etc/systemd/system/tapster.service', 'utf8')
    .replace(/^ExecStart=.*$/m, 'ExecStart=/usr/bin/node /kernel/service/sandbox-check.cjs')
    .replace(/^Type=.*$/m, 'Type=oneshot')
    .replace(/^(Restart|WatchdogSec|NotifyAccess).*$/gm, '');
  writeFileSync('/etc/systemd/system/sandbox-check.service', unit);
  run('systemctl', 'daemon-reload');
  const { code, err } = run('systemctl', 'start', 'sandbox-check.service');
  assert.equal(code, 0, `${err}${run('journalctl', '--no-pager', '-u', 'sandbox-check').out}`);
  return JSON.parse(readFileSync('/var/lib/tapster/sandbox-check.json', 'utf8'));
});

test(
  'the sandbox forbids what the daemon does not need',
  async () => {
    const { forbidden } = await runSandboxCheck();
    const allowed = Object.entries(forbidden).filter(([, outcome]) => outcome === 'allowed');
    assert.deepEqual(allowed, []);
    return `${Object.keys(forbidden).length} attempts refused`;
  },
  long,
);

test(
  'the sandbox permits what the daemon needs',
  async () => {
    const refused = Object.entries((await runSandboxCheck()).needed).filter(
      ([, outcome]) => outcome !== 'allowed',
    );
    assert.deepEqual(refused, []);
  },
  long,
);

test(
  'systemd rates the exposure of the running service at most 2.0 of 10',
  async () => {
    await installed();
    const { out } = run('systemd-analyze', 'security', '--no-pager', 'tapster.service');
    const exposure = Number(/exposure level for tapster\.service: (\d+\.\d)/.exec(out)?.[1]);
    assert.ok(exposure > 0 && exposure <= 2, out.slice(-400));
    return `exposure ${exposure}`;
  },
  long,
);

/** Pours at a tap while `disturb` disturbs the daemon; returns the ticks sent until then. */
async function disturbPour(line, disturb) {
  await installed();
  await healthy();
  const before = Number(property('NRestarts'));
  const flow = pulses({ lines: [line], hz, count: 100_000 });
  await sleep(3_000);
  await disturb();
  const ran = flow.sent()[0];
  await flow.stop();
  await until('restart', () => Number(property('NRestarts')) > before, 200_000);
  await healthy();
  return ran;
}

test(
  'after a kill in mid-pour the service restarts, and the continued pour is the same drink',
  async () => {
    const first = await disturbPour(1, () => process.kill(mainPid(), 'SIGKILL'));
    const rest = 200;
    await pulses({ lines: [1], hz, count: rest }).done;
    // The tap's idle time is long; stopping the daemon ends the pour.
    run('systemctl', 'restart', 'tapster');
    const [drink, ...more] = await storedDrinks('pi.flow1', 1);
    assert.deepEqual(more, []);
    assert.ok(
      drink.ticks <= first + rest && drink.ticks >= first + rest - maxMissing,
      `${drink.ticks} of ${first + rest}`,
    );
    return `${first + rest - drink.ticks} of ${first + rest} ticks missing`;
  },
  long,
);

test(
  'the watchdog restarts a hanging daemon, and its pour is recovered',
  async () => {
    const pid = mainPid();
    const ran = await disturbPour(2, () => process.kill(pid, 'SIGSTOP'));
    assert.match(journal(), /Watchdog timeout/);
    assert.ok(!existsSync(`/proc/${pid}`), 'the hanging process is gone');
    const [drink, ...more] = await storedDrinks('pi.flow2', 1);
    assert.deepEqual(more, []);
    assert.equal(drink.recovered, 1);
    assert.ok(drink.ticks <= ran + hz && drink.ticks >= ran - maxMissing, `${drink.ticks} of ${ran}`);
    return `${ran - drink.ticks} of ${ran} ticks missing`;
  },
  long,
);

test(
  'a stop in mid-pour drains the pins, stores the pour and exits within 10 s',
  async () => {
    await installed();
    await healthy();
    const flow = pulses({ lines: [3], hz, count: 100_000 });
    await sleep(2_000);
    const atStop = flow.sent()[0];
    const startMs = performance.now();
    assert.equal(run('systemctl', 'stop', 'tapster').code, 0);
    const tookMs = performance.now() - startMs;
    const atEnd = flow.sent()[0];
    await flow.stop();
    assert.deepEqual(
      [property('Result'), property('ExecMainStatus'), property('ActiveState')],
      ['success', '0', 'inactive'],
    );
    assert.ok(tookMs < 10_000, `the stop took ${tookMs} ms`);
    const [drink, ...more] = drinks('pi.flow3');
    assert.deepEqual(more, []);
    assert.ok(drink.ticks >= atStop && drink.ticks <= atEnd, `${drink.ticks} of ${atStop} to ${atEnd} ticks`);
    const log = journal();
    assert.match(log, /open pours are ended and stored[\s\S]*Stopped/);
    return `${Math.round(tookMs)} ms`;
  },
  long,
);

const rebootInMidPour = once(() =>
  observeReboot(async () => {
    await installed();
    run('systemctl', 'start', 'tapster');
    await healthy();
    // Not a whole number of periods: edges that always fall together are crosstalk.
    return { pid: mainPid(), flow: pulses({ lines: [4, 5], hz, count: 100_000, staggerMs: 104 }) };
  }),
);

test(
  'a reboot in mid-pour waits only until the pours are stored',
  async () => {
    const { order, gone, end } = await rebootInMidPour();
    const tookMs = gone.atMs - order.atMs;
    assert.equal(property('TimeoutStopUSec'), '10s');
    assert.ok(tookMs < 10_000, `the daemon delayed the reboot by ${tookMs} ms`);
    const log = journal(-1);
    assert.match(
      log,
      /stopping: open pours are ended and stored[\s\S]*Deactivated successfully[\s\S]*Stopped /,
    );
    assert.doesNotMatch(log, /timed out. Killing/);
    // The pulses continued while the daemon stopped and after that, until the disk was unmounted.
    assert.ok(gone.sent.every((sent, at) => sent > order.sent[at] && sent < end.sent[at]));
    assert.doesNotMatch(run('journalctl', '--no-pager', '-k', '-b').out, /mounting unchecked fs/);
    return `${Math.round(tookMs)} ms from the order to the daemon’s end, ${Math.round(end.atMs - gone.atMs)} ms from there to the machine’s`;
  },
  long,
);

test(
  'after the reboot the database is sound and has each of those pours once',
  async () => {
    const { order, gone } = await rebootInMidPour();
    const doctor = run('tapster', 'doctor').out;
    assert.match(doctor, /tapster\.db is sound/);
    assert.match(doctor, /Every total equals its sum/);
    const notes = [4, 5].map((line, at) => {
      const [drink, ...more] = drinks(`pi.flow${line}`);
      assert.deepEqual(more, []);
      assert.equal(drink.is_valid, 1);
      assert.ok(
        drink.ticks >= order.sent[at] && drink.ticks <= gone.sent[at],
        `${drink.ticks} of ${order.sent[at]} to ${gone.sent[at]} ticks`,
      );
      return `${drink.ticks} ticks; ${order.sent[at]} were sent at the order, ${gone.sent[at]} when the daemon was gone`;
    });
    return notes.join(', ');
  },
  long,
);

test(
  'after the reboot the service runs and counts every tick of the next pour',
  async () => {
    await rebootInMidPour();
    const state = [property('ActiveState'), property('NRestarts')];
    assert.deepEqual(state, ['active', '0'], `${state}\n${journal().slice(-3_000)}`);
    assert.match(property('StatusText'), /^Counting, storing and serving; page at http:\/\/\S+:8080\//);
    await healthy();
    await pulses({ lines: [4], hz, count: 250 }).done;
    const [, next, ...more] = await storedDrinks('pi.flow4', 2);
    assert.deepEqual([next, more], [{ ticks: 250, recovered: 0, is_valid: 1 }, []]);
  },
  long,
);
