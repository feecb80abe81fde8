// A Debian 13 with cloud-init boots from a card as Raspberry Pi Imager and packaging/first-boot leave it, without a network.
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { once, test } from '../../harness.mjs';

/** Time limit of a test that waits for the installation, milliseconds of guest time. */
const long = 900_000;
const page = 'http://127.0.0.1:8080';
const noteFile = '/boot/firmware/tapster.txt';

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000 });
  return { code: status, out: stdout, err: stderr };
}

async function until(what, check, limitMs = 120_000) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const found = await check();
    if (found) return found;
    await sleep(500);
  }
  throw new Error(
    `No ${what} within ${limitMs} ms.\n${run('journalctl', '-b', '--no-pager', '-n', '60').out}`,
  );
}

const isActive = (unit) => run('systemctl', 'is-active', unit).out.trim() === 'active';
const setupCode = () => /Set-up code: (\S+)/.exec(readFileSync(noteFile, 'utf8'))?.[1];

async function post(path, body) {
  const answer = await fetch(`${page}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  return answer?.status;
}

/** True once the page answers; the service counts beer some seconds before. */
const isServed = () =>
  fetch(page).then(
    ({ status }) => status === 200,
    () => false,
  );

const installed = once(() =>
  until('served page', () => existsSync('/var/lib/tapster-first-boot.done') && isServed(), long),
);

test(
  'the first boot installs the package from the card and starts the service, without a network',
  async () => {
    await installed();
    assert.match(run('dpkg', '-s', 'tapster').out, /^Status: install ok installed$/m);
    assert.ok(isActive('tapster'));
  },
  long,
);

test('what the wizard of Imager has set is kept', async () => {
  await installed();
  assert.equal(readFileSync('/etc/hostname', 'utf8').trim(), 'taproom');
  assert.equal(run('id', '-un', 'anna').out.trim(), 'anna');
  assert.match(run('readlink', '-f', '/etc/localtime').out, /Europe\/Berlin/);
});

test('address and set-up code stand on the screen and on the boot partition, and the code opens the set-up', async () => {
  await installed();
  await until(
    'valid set-up code',
    async () => (await post('/api/setup/backups', { code: setupCode() })) === 200,
  );
  assert.match(readFileSync(noteFile, 'utf8'), /http:\/\/taproom\.local:8080\//);
  assert.match(readFileSync('/run/issue.d/tapster.issue', 'utf8'), new RegExp(setupCode()));
  assert.equal(await post('/api/setup/backups', { code: 'AAAA-AAAA' }), 400);
});

test('the code that is shown stays in force when the service restarts', async () => {
  await installed();
  const before = setupCode();
  assert.equal(run('systemctl', 'kill', '--signal=SIGKILL', 'tapster').code, 0);
  await until(
    'valid set-up code',
    async () => (await post('/api/setup/backups', { code: setupCode() })) === 200,
  );
  assert.equal(setupCode(), before);
});

test('the log is limited, the hardware watchdog is on, and thermometers are enabled on the boot partition', async () => {
  await installed();
  assert.match(run('systemd-analyze', 'cat-config', 'systemd/journald.conf').out, /^SystemMaxUse=64M$/m);
  assert.equal(run('systemctl', 'show', '--value', '-p', 'RuntimeWatchdogUSec').out.trim(), '15s');
  assert.match(readFileSync('/boot/firmware/config.txt', 'utf8'), /^dtoverlay=w1-gpio$/m);
});

test('the units of the first boot are valid, and the installation does not run again', async () => {
  await installed();
  const units = ['tapster-first-boot', 'tapster-address', 'tapster-kiosk'].map((name) => `${name}.service`);
  const { err } = run('systemd-analyze', 'verify', ...units);
  assert.doesNotMatch(err.replace(/^.*\/usr\/bin\/cage.*$/gm, ''), /tapster-/);
  assert.notEqual(run('systemctl', 'is-enabled', 'tapster-first-boot').out.trim(), 'enabled');
});
