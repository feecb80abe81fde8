// Upgrades of the service, refused and in mid-pour; then its removal.
import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '../../harness.mjs';
import { pulses } from '../../pins.mjs';
import { drinks, hz, installed, long, mainPid, storedDrinks, systemd } from '../../service/installed.mjs';
import { healthy, property, run } from '../../service/service.mjs';

test(
  'an upgrade to a program that rejects the settings keeps the running one',
  async () => {
    await installed();
    run('systemctl', 'start', 'tapster');
    await healthy();
    const file = '/etc/tapster/tapster.json';
    const settings = readFileSync(file, 'utf8');
    const before = [statSync('/opt/tapster').ino, mainPid()];
    writeFileSync(file, settings.replace('"taps":', '"tabs":'));
    const { code, err } = run('sh', systemd('install.sh'));
    writeFileSync(file, settings);
    assert.equal(code, 1);
    assert.match(err, /tabs[\s\S]*Correct \/etc\/tapster\/tapster\.json and run this again/);
    assert.deepEqual([statSync('/opt/tapster').ino, mainPid()], before);
    assert.deepEqual(readdirSync('/opt'), ['tapster']);
  },
  long,
);

test(
  'an upgrade in mid-pour replaces the program, and the pour is stored',
  async () => {
    await installed();
    await healthy();
    const [inode, pid, earlierCount] = [statSync('/opt/tapster').ino, mainPid(), drinks('pi.flow3').length];
    const flow = pulses({ lines: [3], hz, count: 100_000 });
    await sleep(1_000);
    const ran = flow.sent()[0];
    const { code, out, err } = run('sh', systemd('install.sh'));
    assert.equal(code, 0, `${out}\n${err}`);
    await healthy();
    const all = flow.sent()[0];
    await flow.stop();
    assert.match(out, /Kept \/etc\/tapster\/tapster\.json/);
    assert.notEqual(statSync('/opt/tapster').ino, inode);
    assert.notEqual(mainPid(), pid);
    assert.deepEqual(readdirSync('/opt'), ['tapster']);
    // Stopping the old daemon ended the pour; the further flow is another one.
    const [first, ...more] = (await storedDrinks('pi.flow3', earlierCount + 1)).slice(earlierCount);
    assert.equal(first.is_valid, 1);
    assert.ok(first.ticks >= ran && first.ticks <= all, `${first.ticks} of ${ran} to ${all}`);
    assert.ok(more.length <= 1);
    return `${first.ticks} ticks before the new program ran`;
  },
  long,
);

test(
  'the uninstaller removes the service and keeps the drinks',
  async () => {
    await installed();
    run('systemctl', 'start', 'tapster');
    const { code, out } = run('sh', systemd('uninstall.sh'));
    assert.equal(code, 0);
    assert.match(out, /drinks are still in/);
    assert.equal(property('LoadState'), 'not-found');
    assert.ok(!existsSync('/opt/tapster'));
    assert.ok(existsSync('/etc/tapster/tapster.json'));
    assert.equal(drinks('pi.flow0').length, 1);
  },
  long,
);

test(
  'with --forget the uninstaller removes drinks, settings and user as well',
  async () => {
    await installed();
    assert.equal(run('sh', systemd('uninstall.sh'), '--forget').code, 0);
    for (const path of ['/var/lib/tapster', '/etc/tapster']) assert.ok(!existsSync(path), path);
    assert.notEqual(run('id', 'tapster').code, 0);
  },
  long,
);
