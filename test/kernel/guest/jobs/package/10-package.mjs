// The Debian package on a bare Debian without Node.js: installation, pours, kill, upgrade, rollback, removal.
import { strict as assert } from 'node:assert';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { pulses } from '../../pins.mjs';
import { drinks, hz, long, mainPid, storedDrinks } from '../../service/installed.mjs';
import { createPublisher } from '../../service/publisher.mjs';
import { healthy, journal, port, property, run } from '../../service/service.mjs';

const folder = '/kernel/packages';
const releases = '/var/lib/tapster-releases';
const settingsFile = '/etc/tapster/tapster.json';
const olderUnit = '/etc/systemd/system/tapster.service';
/** Without /kernel/bin, whose Node.js runs the tests. */
const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The two packages, the older first. */
const packages = () => readdirSync(folder).sort();
const versionOf = (file) => file.split('_')[1];
const dpkg = (...args) => run('env', path, 'DEBIAN_FRONTEND=noninteractive', 'dpkg', ...args);
const publisher = createPublisher();
/** Null when the process has ended since its number was read. */
const programOf = (pid) => {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
};

const installed = once(async () => {
  const settings = { ...createConfig({ lines: [0, 1, 2] }), updates: publisher.settings };
  settings.taps[1].idle_ms = 100_000;
  mkdirSync('/etc/tapster', { recursive: true });
  writeFileSync(settingsFile, JSON.stringify({ ...settings, http: { port } }));
  // What the installer of a checkout leaves.
  writeFileSync(
    olderUnit,
    '[Unit]\nDescription=Tapster, the tap counter\n[Service]\nExecStart=/usr/bin/env node /opt/tapster/dist/main.js run\n',
  );
  symlinkSync('/opt/tapster/dist/main.js', '/usr/local/bin/tapster');
  const startMs = performance.now();
  const result = dpkg('--install', `${folder}/${packages()[0]}`);
  assert.equal(result.code, 0, `${result.out}\n${result.err}\n${journal().slice(-3_000)}`);
  return { ...result, tookMs: performance.now() - startMs };
});

test(
  'one command installs the package on a bare Debian, starts the service and prints page and set-up code in force',
  async () => {
    assert.notEqual(run('env', path, 'sh', '-c', 'command -v node').code, 0, 'this machine has no Node.js');
    const { out, err, tookMs } = await installed();
    assert.match(out, /^tapster: Tapster \S+: Counting, storing and serving/m);
    assert.match(out, /^tapster: {3}http:\/\/bar\.local:8080\/$/m);
    assert.match(out, /^tapster: Set-up code: [2-9A-Z]{4}-[2-9A-Z]{4} /m);
    assert.doesNotMatch(`${out}${err}`, /NOTE|warning/i);
    assert.equal(property('ActiveState'), 'active');
    assert.equal(property('UnitFileState'), 'enabled');
    return `${Math.round(tookMs / 1_000)} s on a machine of 250 MIPS`;
  },
  long,
);

test(
  'the unit of an older installation is moved away, and its settings stay',
  async () => {
    const { out } = await installed();
    assert.match(out, /moved the unit of the older installation/);
    assert.equal(property('FragmentPath'), '/usr/lib/systemd/system/tapster.service');
    assert.ok(existsSync(`${olderUnit}.dpkg-old`) && !existsSync(olderUnit));
    assert.equal(JSON.parse(readFileSync(settingsFile, 'utf8')).taps.length, 3);
  },
  long,
);

test(
  'the service runs healthy, from its release, with the Node.js of the package, in its sandbox',
  async () => {
    await installed();
    await healthy();
    assert.equal(programOf(mainPid()), `${releases}/${versionOf(packages()[0])}/bin/node`);
    assert.equal(run('env', path, 'tapster', '--version').out.trim(), versionOf(packages()[0]));
    const { out } = run('systemd-analyze', 'security', '--no-pager', 'tapster.service');
    const exposure = Number(/exposure level for tapster\.service: (\d+\.\d)/.exec(out)?.[1]);
    assert.ok(exposure > 0 && exposure <= 2, out.slice(-400));
    return `exposure ${exposure}`;
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

test(
  'after a kill in mid-pour the service restarts, and the continued pour is the same drink',
  async () => {
    await installed();
    const restarts = Number(property('NRestarts'));
    const flow = pulses({ lines: [1], hz, count: 100_000 });
    await sleep(3_000);
    process.kill(mainPid(), 'SIGKILL');
    const first = flow.sent()[0];
    await flow.stop();
    await until('restart', () => Number(property('NRestarts')) > restarts, 200_000);
    await healthy();
    await pulses({ lines: [1], hz, count: 200 }).done;
    run('systemctl', 'restart', 'tapster');
    const [drink, ...more] = await storedDrinks('pi.flow1', 1);
    assert.deepEqual(more, []);
    assert.ok(
      drink.ticks <= first + 200 && drink.ticks >= first + 200 - hz * 1.5,
      `${drink.ticks} of ${first + 200}`,
    );
    return `${first + 200 - drink.ticks} of ${first + 200} ticks missing`;
  },
  long,
);

/** Waits until the daemon of a version runs and is healthy. */
const runs = async (version) => {
  const program = `${releases}/${version}/bin/node`;
  await until(`daemon of ${version}`, () => mainPid() > 0 && programOf(mainPid()) === program, 500_000);
  await healthy();
};

const upgraded = once(async () => {
  await installed();
  await healthy();
  const result = dpkg('--install', `${folder}/${packages()[1]}`);
  assert.equal(result.code, 0, `${result.out}\n${result.err}`);
  await runs(versionOf(packages()[1]));
});

test(
  'a package of a higher version replaces the running one; drinks stay, and pours are counted',
  async () => {
    await upgraded();
    assert.equal(run('env', path, 'tapster', '--version').out.trim(), versionOf(packages()[1]));
    assert.equal(drinks('pi.flow0')[0].ticks, 330);
    await pulses({ lines: [2], hz, count: 250 }).done;
    assert.deepEqual(await storedDrinks('pi.flow2', 1), [{ ticks: 250, recovered: 0, is_valid: 1 }]);
  },
  long,
);

test(
  'the version before comes back by one command, with the newest drinks',
  async () => {
    await upgraded();
    if (!existsSync('/usr/lib/tapster/dist/updater/main.js')) return 'this build has no updater';
    const [older] = packages().map(versionOf);
    // A trial of the new version may be under way.
    await sleep(120_000);
    const { code, out, err } = run('env', path, 'tapster', 'rollback');
    assert.equal(code, 0, `${out}${err}`);
    await runs(older);
    assert.equal(drinks('pi.flow2')[0].ticks, 250);
  },
  long,
);

/** How the last request to install a package ended. */
const installFault = () => JSON.parse(readFileSync(`${releases}/state.json`, 'utf8')).install?.reason ?? null;

/** Leaves a request and waits until it is refused. */
async function isRefused(request, reason) {
  publisher.leave(request);
  await until(`refusal ${reason}`, () => installFault() === reason, 900_000);
}

test(
  'a signed manifest installs the next version; a forged one, a wrong checksum and an old serial are refused',
  async () => {
    await upgraded();
    const [older, newer] = packages().map(versionOf);
    if (run('env', path, 'tapster', '--version').out.trim() !== older) {
      assert.equal(run('env', path, 'tapster', 'rollback', older).code, 0);
      await runs(older);
    }
    await publisher.start(`${folder}/${packages()[1]}`);
    const stored = drinks('pi.flow0');
    const good = publisher.sign({ version: newer, serial: 10 });
    await isRefused(
      { ...good, manifest: publisher.sign({ version: '98.0.0', serial: 11 }).manifest },
      'bad_signature',
    );
    // After the trial of the version that runs.
    await isRefused(publisher.sign({ version: newer, serial: 9, sha256: '0'.repeat(64) }), 'wrong_checksum');
    assert.equal(programOf(mainPid()), `${releases}/${older}/bin/node`);
    publisher.leave(good);
    await runs(newer);
    assert.equal(installFault(), null);
    assert.ok(!existsSync(`${releases}/download`));
    assert.equal(run('dpkg', '--audit').out, '');
    assert.deepEqual(drinks('pi.flow0'), stored);
    await isRefused(publisher.sign({ version: '100.0.0', serial: 8 }), 'older_serial');
  },
  4 * long,
);

test(
  'a purge stops the service and removes program and releases; drinks and settings stay unless told',
  async () => {
    await upgraded();
    const first = dpkg('--purge', 'tapster');
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /sudo rm -r \/var\/lib\/tapster \/etc\/tapster/);
    assert.equal(property('ActiveState'), 'inactive');
    assert.ok(!existsSync('/usr/lib/tapster') && !existsSync(releases));
    assert.ok(existsSync('/var/lib/tapster/tapster.db') && existsSync(settingsFile));
    assert.equal(dpkg('--install', `${folder}/${packages()[1]}`).code, 0);
    await healthy();
    assert.equal(drinks('pi.flow0')[0].ticks, 330);
    const second = run('env', path, 'TAPSTER_PURGE_DATA=yes', 'dpkg', '--purge', 'tapster');
    assert.equal(second.code, 0, second.err);
    assert.ok(!existsSync('/var/lib/tapster') && !existsSync('/etc/tapster'));
  },
  long,
);
