import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type RunningDaemon, runCommand, startDaemon } from '../kit/daemon.ts';
import { withDatabase } from '../kit/token-bar.ts';
import { ask, type FaultBar, fourTaps, makeFaultBar } from './fault-bar.ts';
import { note } from './figures.ts';

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  bar?.remove();
});

/** Words that nobody but their owners may ever read. */
const planted = {
  password: 'planted-password-4711',
  wrongPassword: 'planted-wrong-password-0815',
  token: 'c0ffee00planted',
  mailPassword: 'planted-mail-password-99',
  wrongKey: 'planted-wrong-key-1234567890',
  pin: '73905162',
  wrongPin: '48261739',
};

function everyFile(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? everyFile(path) : entry.isFile() ? [path] : [];
  });
}

test('no key, password, PIN, token or mail credential is in log, bug report, backups’ list or an error, and nobody else may read the files', async (context) => {
  bar = makeFaultBar({ ...fourTaps, log: { level: 'trace' } });
  const here = bar;
  const added = await runCommand(
    ['user', 'add', 'dora', '--staff', '--password-stdin', '--config', bar.configFile],
    {
      input: planted.password,
    },
  );
  expect(added.code).toBe(0);
  withDatabase(bar.database, (engine) => {
    const now = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'before' };
    engine.users.addToken({ device: 'core.rfid', value: planted.token, username: 'dora' }, now);
  });
  daemon = await startDaemon(bar);
  const { url } = daemon;
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const errors: string[] = [];
  const cookies: string[] = [];
  const said = async (answer: Response) => {
    if (answer.status >= 400) errors.push(await answer.text());
    cookies.push(...answer.headers.getSetCookie().map((one) => one.split(/[=;]/)[1]!));
    return answer.status;
  };
  const login = await post('/api/auth/login', { username: 'dora', password: planted.password });
  expect(await said(login)).toBe(200);
  /** Who comes again with the cookies that an answer set. */
  const again = ({ headers }: Response) => ({
    Cookie: headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; '),
    Origin: url,
  });
  const dora = again(login);
  const pin = { current_password: planted.password, pin: planted.pin };
  expect(await said(await post('/api/account/pin', pin, dora))).toBe(200);
  const enrolled = await post('/api/tablets', { name: 'Bar left' }, dora);
  expect(await said(enrolled)).toBe(201);
  const tablet = again(enrolled);
  const pinUnlock = await post('/api/tablet/pin-unlock', { username: 'dora', pin: planted.pin }, tablet);
  expect(await said(pinUnlock)).toBeLessThan(300);
  await said(await post('/api/tablet/pin-unlock', { username: 'dora', pin: planted.wrongPin }, tablet));
  expect(cookies.filter((one) => one.length >= 16).length).toBeGreaterThan(0);
  await said(await post('/api/auth/login', { username: 'dora', password: planted.wrongPassword }));
  await said(await post('/api/v1/taps/pi.flow0', { ticks: 'many' }, { 'X-Kegbot-Api-Key': here.key }));
  await said(await post('/api/v1/taps/pi.flow0', { ticks: 100 }, { 'X-Kegbot-Api-Key': planted.wrongKey }));
  await said(await post(`/api/v1/taps/nowhere?api_key=${here.key}`, { ticks: 100 }));
  await said(
    await post(
      '/api/v1/taps/pi.flow0',
      { ticks: 100, auth_token: `core.rfid|${planted.token}` },
      { 'X-Kegbot-Api-Key': here.key },
    ),
  );
  const mail = {
    host: '127.0.0.1',
    port: 9,
    username: 'bar',
    password: planted.mailPassword,
    from_address: 'bar@example.org',
  };
  await said(
    await fetch(`${url}/api/admin/mail`, {
      method: 'PATCH',
      headers: { 'X-Kegbot-Api-Key': here.key, 'Content-Type': 'application/json' },
      body: JSON.stringify(mail),
    }),
  );
  const backedUp = daemon.waitForLog('a backup was made and proved');
  expect((await ask(url, here, '/api/admin/backups', {})).status).toBe(202);
  await backedUp;
  const report = await fetch(`${url}/api/admin/bugreport`, { headers: { 'X-Kegbot-Api-Key': here.key } });
  const backups = await ask(url, here, '/api/admin/backups');
  const log = await ask(url, here, '/api/admin/logs');
  expect([backups.status, log.status]).toEqual([200, 200]);

  const places = {
    log: daemon.output,
    'log on the page': JSON.stringify(log.body),
    'bug report': await report.text(),
    backups: JSON.stringify(backups.body),
    errors: errors.join('\n'),
  };
  const secrets = [...Object.values(planted), here.key, ...cookies.filter((one) => one.length >= 16)];
  expect(errors.length).toBeGreaterThanOrEqual(4);
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(10);
    for (const secret of secrets) expect(text, `${secret} in ${place}`).not.toContain(secret);
  }
  // What only has to be known again lies in the ledger as a hash; the mail server's password has to be said to it.
  const raw = ['', '-wal'].map((suffix) => readFileSync(`${here.database}${suffix}`, 'latin1')).join('');
  const neverKept = secrets.filter((one) => one !== planted.mailPassword && one !== planted.token);
  for (const secret of neverKept) expect(raw.includes(secret), `${secret} in the ledger`).toBe(false);
  const files = everyFile(bar.path).filter((file) => file !== here.configFile);
  expect(files.some((file) => file.endsWith('.journal'))).toBe(true);
  expect(files.some((file) => file.endsWith('.tar.gz'))).toBe(true);
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  note(context, {
    what: 'Secrets looked for, in how many places',
    found: `${secrets.length} in ${Object.keys(places).length}`,
  });
  note(context, {
    what: 'Files of the house that others may read',
    found: `${open.length} of ${files.length}`,
    allowed: '0',
  });
});
