import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type RunningDaemon, runCommand, startDaemon } from '../kit/daemon.ts';
import { withDatabase } from '../kit/token-bar.ts';
import { type FaultBar, fourTaps, makeFaultBar, request } from './fault-bar.ts';
import { recordMeasurement } from './measurements.ts';

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  bar?.remove();
});

/** Secret values that must not appear in any output. */
const secretValues = {
  password: 'planted-password-4711',
  wrongPassword: 'planted-wrong-password-0815',
  token: 'c0ffee00planted',
  mailPassword: 'planted-mail-password-99',
  wrongKey: 'planted-wrong-key-1234567890',
  pin: '73905162',
  wrongPin: '48261739',
};

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : entry.isFile() ? [path] : [];
  });
}

test('no key, password, PIN, token or mail credential appears in log, bug report, backup list or errors, and the files are private', async (context) => {
  bar = makeFaultBar({ ...fourTaps, log: { level: 'trace' } });
  const faultBar = bar;
  const added = await runCommand(
    ['user', 'add', 'dora', '--superuser', '--password-stdin', '--config', bar.configFile],
    {
      input: secretValues.password,
    },
  );
  expect(added.code).toBe(0);
  withDatabase(bar.database, (engine) => {
    const now = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'before' };
    engine.access.tokens.create({ device: 'core.rfid', value: secretValues.token, username: 'dora' }, now);
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
  const recordReply = async (answer: Response) => {
    if (answer.status >= 400) errors.push(await answer.text());
    cookies.push(...answer.headers.getSetCookie().map((one) => one.split(/[=;]/)[1]!));
    return answer.status;
  };
  const login = await post('/api/auth/login', { username: 'dora', password: secretValues.password });
  expect(await recordReply(login)).toBe(200);
  /** Request headers with the cookies that a reply has set. */
  const loginHeaders = ({ headers }: Response) => ({
    Cookie: headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; '),
    Origin: url,
  });
  const doraHeaders = loginHeaders(login);
  const pin = { current_password: secretValues.password, pin: secretValues.pin };
  expect(await recordReply(await post('/api/account/pin', pin, doraHeaders))).toBe(200);
  const again = { current_password: secretValues.password };
  expect(await recordReply(await post('/api/auth/confirm-password', again, doraHeaders))).toBe(200);
  const enrolled = await post('/api/tablets', { name: 'Bar left' }, doraHeaders);
  expect(await recordReply(enrolled)).toBe(201);
  const tablet = loginHeaders(enrolled);
  const pinUnlock = await post('/api/tablet/pin-unlock', { username: 'dora', pin: secretValues.pin }, tablet);
  expect(await recordReply(pinUnlock)).toBeLessThan(300);
  await recordReply(
    await post('/api/tablet/pin-unlock', { username: 'dora', pin: secretValues.wrongPin }, tablet),
  );
  expect(cookies.filter((one) => one.length >= 16).length).toBeGreaterThan(0);
  await recordReply(
    await post('/api/auth/login', { username: 'dora', password: secretValues.wrongPassword }),
  );
  await recordReply(
    await post('/api/v1/taps/pi.flow0', { ticks: 'many' }, { 'X-Kegbot-Api-Key': faultBar.key }),
  );
  await recordReply(
    await post('/api/v1/taps/pi.flow0', { ticks: 100 }, { 'X-Kegbot-Api-Key': secretValues.wrongKey }),
  );
  await recordReply(await post(`/api/v1/taps/nowhere?api_key=${faultBar.key}`, { ticks: 100 }));
  await recordReply(
    await post(
      '/api/v1/taps/pi.flow0',
      { ticks: 100, auth_token: `core.rfid|${secretValues.token}` },
      { 'X-Kegbot-Api-Key': faultBar.key },
    ),
  );
  const mail = {
    host: '127.0.0.1',
    port: 9,
    username: 'bar',
    password: secretValues.mailPassword,
    from_address: 'bar@example.org',
  };
  const secondLogin = await post('/api/auth/login', { username: 'dora', password: secretValues.password });
  expect(await recordReply(secondLogin)).toBe(200);
  const confirmed = { current_password: secretValues.password };
  const headers = loginHeaders(secondLogin);
  expect(await recordReply(await post('/api/auth/confirm-password', confirmed, headers))).toBe(200);
  const saved = await fetch(`${url}/api/admin/mail`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(mail),
  });
  expect(await recordReply(saved)).toBe(200);
  const backedUp = daemon.waitForLog('backup made and verified');
  expect((await request(url, faultBar, '/api/admin/backups', {})).status).toBe(202);
  await backedUp;
  const report = await fetch(`${url}/api/admin/bugreport`, { headers: { 'X-Kegbot-Api-Key': faultBar.key } });
  const backups = await request(url, faultBar, '/api/admin/backups');
  const log = await request(url, faultBar, '/api/admin/logs');
  expect([backups.status, log.status]).toEqual([200, 200]);

  const outputs = {
    log: daemon.output,
    'log on the page': JSON.stringify(log.body),
    'bug report': await report.text(),
    backups: JSON.stringify(backups.body),
    errors: errors.join('\n'),
  };
  const secrets = [
    ...Object.values(secretValues),
    faultBar.key,
    ...cookies.filter((one) => one.length >= 16),
  ];
  expect(errors.length).toBeGreaterThanOrEqual(4);
  for (const [output, text] of Object.entries(outputs)) {
    expect(text.length, output).toBeGreaterThan(10);
    for (const secret of secrets) expect(text, `${secret} in ${output}`).not.toContain(secret);
  }
  // Secrets that are only compared are stored as hashes; the mail password has to be sent, so it is stored as it is.
  const raw = ['', '-wal'].map((suffix) => readFileSync(`${faultBar.database}${suffix}`, 'latin1')).join('');
  const neverStored = secrets.filter(
    (one) => one !== secretValues.mailPassword && one !== secretValues.token,
  );
  for (const secret of neverStored) expect(raw.includes(secret), `${secret} in the database`).toBe(false);
  const files = listFiles(bar.path).filter((file) => file !== faultBar.configFile);
  expect(files.some((file) => file.endsWith('.journal'))).toBe(true);
  expect(files.some((file) => file.endsWith('.tar.gz'))).toBe(true);
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  recordMeasurement(context, {
    what: 'Secrets searched for, in how many outputs',
    found: `${secrets.length} in ${Object.keys(outputs).length}`,
  });
  recordMeasurement(context, {
    what: 'Files readable by others',
    found: `${open.length} of ${files.length}`,
    allowed: '0',
  });
});
