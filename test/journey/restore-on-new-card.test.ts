import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { productVersion } from '../../src/system/product.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

const main = new URL('../../dist/main.js', import.meta.url).pathname;

let daemon: RunningDaemon | null = null;
let bar: BarFolder;
/** A USB stick, and the folder with a `systemctl` that controls a daemon on the bar's settings. */
let stick: string;
let programs: string;

beforeEach(() => {
  bar = makeBar({ ...quickBar, taps: [{ name: 'Zapfhahn', meter: 'flow1' }] });
  stick = mkdtempSync(join(tmpdir(), 'tapster-stick-'));
  programs = mkdtempSync(join(tmpdir(), 'tapster-programs-'));
});
afterEach(async () => {
  await daemon?.kill();
  daemon = null;
  if (existsSync(join(programs, 'systemctl'))) systemctl('stop');
  bar.remove();
  for (const folder of [stick, programs]) rmSync(folder, { recursive: true, force: true });
});

const tapster = (...args: string[]) => runCommand([...args, '--config', bar.configFile], { cwd: bar.path });
const systemctl = (action: string) => execFileSync(join(programs, 'systemctl'), [action]);

/** Installs a `systemctl` whose only service is the daemon on the bar's settings file, and starts the service. */
function installService(): void {
  const file = join(programs, 'systemctl');
  writeFileSync(
    file,
    `#!/bin/sh
case "$*" in
  *stop*)
    [ ! -e ${programs}/pid ] || { kill "$(cat ${programs}/pid)"; tail --pid="$(cat ${programs}/pid)" -f /dev/null; rm ${programs}/pid; } ;;
  *start*)
    cd ${bar.path}
    ${process.execPath} ${main} run --config ${bar.configFile} > ${programs}/log 2>&1 < /dev/null &
    echo $! > ${programs}/pid ;;
esac
`,
  );
  chmodSync(file, 0o755);
  systemctl('start');
}

/** The address of the service, when it serves. */
async function serviceUrl(): Promise<string> {
  let port = '';
  await expect
    .poll(() => {
      const log = existsSync(join(programs, 'log')) ? readFileSync(join(programs, 'log'), 'utf8') : '';
      port = /"port":(\d+),.*"msg":"serving"/.exec(log)?.[1] ?? '';
      return port;
    })
    .not.toBe('');
  return `http://127.0.0.1:${port}`;
}

const pour = (url: string, meter: string, pourId: string) =>
  fetch(`${url}/api/v1/taps/${meter}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Kegbot-Api-Key': key },
    body: JSON.stringify({ ticks: 500, pour_id: pourId }),
  });
let key = '';

/** Makes a bar with an account and a drink, and a backup of it on the stick. Returns the backup's path. */
async function backUpToStick(): Promise<string> {
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile], {
    input: 'a long password\n',
  });
  key = (await tapster('key', 'create', 'anna')).out.trim();
  expect((await pour(daemon.url, 'pi.flow1', 'one')).status).toBe(200);
  const archive = (await tapster('backup')).out.trim();
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  await daemon.stop();
  daemon = null;
  copyFileSync(archive, join(stick, basename(archive)));
  return join(stick, basename(archive));
}

/** A new card: the program is installed with its first settings, and the daemon runs with an empty database. */
async function replaceCard(): Promise<string> {
  rmSync(bar.path, { recursive: true });
  mkdirSync(bar.path);
  const { demo: _demo, ...first } = quickBar;
  const settings = JSON.stringify({
    ...first,
    database: bar.database,
    meters: [{ port: 'flow7', pin: 5, ticks_per_ml: 1 }],
    taps: [{ name: 'First', meter: 'flow7' }],
  });
  writeFileSync(bar.configFile, settings);
  installService();
  expect((await fetch(`${await serviceUrl()}/api/drinks`)).status).toBe(409);
  return settings;
}

test('one command on a new card restores settings, database and accounts, and the daemon counts with them', async () => {
  const archive = await backUpToStick();
  const settings = readFileSync(bar.configFile, 'utf8');
  const firstSettings = await replaceCard();

  const child = spawn(process.execPath, [main, 'restore', '--restart', archive, '--config', bar.configFile], {
    cwd: bar.path,
    env: { PATH: `${programs}:${process.env.PATH}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);

  expect(readFileSync(bar.configFile, 'utf8')).toBe(settings);
  const former = readdirSync(bar.path).find((name) => name.startsWith('tapster.json.before-'))!;
  expect(readFileSync(join(bar.path, former), 'utf8')).toBe(firstSettings);
  const url = await serviceUrl();
  const drinks = async () =>
    ((await (await fetch(`${url}/api/drinks`)).json()) as { result: { drinks: object[] } }).result.drinks
      .length;
  expect(await drinks()).toBe(1);
  expect((await pour(url, 'pi.flow1', 'two')).status).toBe(200);
  expect(await drinks()).toBe(2);
});

test('--keep-settings restores the database only, and says where the other settings are', async () => {
  const archive = await backUpToStick();
  const changed = JSON.stringify({
    ...JSON.parse(readFileSync(bar.configFile, 'utf8')),
    log: { level: 'warn' },
  });
  writeFileSync(bar.configFile, changed);
  const { code, err } = await tapster('restore', '--keep-settings', archive);
  expect([code, err]).toEqual([0, expect.stringContaining(join(bar.path, 'restored-settings.json'))]);
  expect(readFileSync(bar.configFile, 'utf8')).toBe(changed);
});

test('a restore with settings that name another existing database is refused and changes nothing', async () => {
  const archive = await backUpToStick();
  const trial = makeBar();
  const before = readFileSync(bar.database);
  const { code, err } = await runCommand(['restore', archive, '--config', trial.configFile]);
  expect([code, err]).toEqual([65, expect.stringContaining('--keep-settings')]);
  expect(readFileSync(bar.database).equals(before)).toBe(true);
  expect(readdirSync(trial.path)).toEqual(['tapster.json']);
  trial.remove();
});

test('without a file the command lists the backups with date, occasion and version', async () => {
  const empty = await tapster('restore');
  expect([empty.code, empty.out, empty.err]).toEqual([0, '', expect.stringContaining('no backup')]);
  await backUpToStick();
  const { code, out } = await tapster('restore');
  const [line, ...others] = out.trimEnd().split('\n');
  expect([code, others]).toEqual([0, []]);
  expect(line).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d UTC {2}manual +version \S+, schema 1 .* MB {2}\/.*-manual\.tar\.gz$/,
  );
  expect(line).toContain(`version ${productVersion()},`);
});
