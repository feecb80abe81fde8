// What the installed service knows and says of itself, in the sandbox of its real unit.
import { strict as assert } from 'node:assert';
import { once, onTestEnd, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { taps } from '../../pins.mjs';
import { installed, long } from '../../service/installed.mjs';
import { healthy, journal, port, property, run, status } from '../../service/service.mjs';

const address = '192.168.7.23';
const page = `http://${address}:${port}/`;
const api = `http://127.0.0.1:${port}/api`;
const tapsterStatus = () => run('/usr/local/bin/tapster', 'status', '--wait', '60');
const codePattern = /^Set-up code: ([2-9A-Z]{4}-[2-9A-Z]{4}) /m;

const post = (path, body) =>
  fetch(`${api}${path}`, {
    method: 'POST',
    // Not kept: the service restarts between two requests.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(body),
  });

/** An address that comes after the start, as from DHCP: the service does not wait for the network. */
const addressed = once(async () => {
  await installed();
  assert.doesNotMatch(property('StatusText'), new RegExp(address));
  const { code, err } = run('node', '/kernel/service/own-address.cjs', address);
  assert.equal(code, 0, err);
});

test(
  'the installer prints health, address and the set-up code that is in force, and restarts keep it',
  async () => {
    const { out } = await installed();
    assert.match(out, /^Tapster \S+: Counting, storing and serving/m);
    assert.match(out, /^ {2}http:\/\/bar\.local:8080\/$/m);
    const code = codePattern.exec(out)?.[1];
    assert.equal((await post('/setup/migrate', { code })).status, 200, out);
    run('systemctl', 'kill', '--signal=SIGKILL', 'tapster');
    const later = tapsterStatus();
    assert.equal(codePattern.exec(later.out)?.[1], code, `${later.out}${later.err}`);
    assert.equal((await post('/setup/migrate', { code })).status, 200);
  },
  long,
);

test(
  'in its sandbox the service sees an address that comes after the start: status line, banner and tapster status show it',
  async () => {
    await addressed();
    const startMs = performance.now();
    await until(
      'status line with the address',
      () => property('StatusText').includes(`page at ${page}`),
      20_000,
    );
    const tookMs = performance.now() - startMs;
    assert.match(property('StatusText'), /^Counting, storing and serving; page at /);
    await until('banner with the address', () => journal().includes(`Page        ${page}`), 20_000);
    assert.match(tapsterStatus().out, new RegExp(`:\\n {2}${page}\\n`));
    return `after ${Math.round(tookMs / 1_000)} s`;
  },
  long,
);

test(
  'the QR code of the kiosk has that address, and after the set-up no code is printed',
  async () => {
    await addressed();
    const code = codePattern.exec(tapsterStatus().out)?.[1];
    const account = { username: 'boss', password: 'Hopfen-und-Malz-71' };
    for (const [path, body] of [
      ['/setup/settings', { privacy: 'public' }],
      ['/setup/admin-user', account],
      ['/setup/finish', {}],
    ]) {
      const answer = await post(path, { code, ...body });
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
    }
    const { out } = tapsterStatus();
    assert.match(out, new RegExp(page));
    assert.doesNotMatch(out, /code/i);
    const live = await fetch(`${api}/live`, { headers: { accept: 'text/event-stream' } });
    const { value } = await live.body.getReader().read();
    assert.match(Buffer.from(value).toString(), new RegExp(`"address":"${page}"`));
  },
  long,
);

test(
  'the status line says trouble while /healthz does, and counting again within 5 s after it does',
  async () => {
    await installed();
    onTestEnd(() => run('chmod', '660', taps.device));
    run('chmod', '000', taps.device);
    run('systemctl', 'restart', 'tapster');
    assert.equal(await status('/healthz'), 503);
    assert.match(property('StatusText'), /^Trouble; page at .*counting: /);
    const trouble = tapsterStatus();
    assert.equal(trouble.code, 1);
    assert.match(trouble.out, /^Tapster \S+: Trouble\. counting: /);
    run('chmod', '660', taps.device);
    await healthy();
    await until('status line that it counts', () => /^Counting/.test(property('StatusText')), 5_000);
  },
  long,
);
