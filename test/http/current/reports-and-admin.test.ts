import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createPopulatedServer } from './populated-server.ts';
import { createServerWithAdmin } from './server-with-admin.ts';

const hour = 3_600_000;
const getAs = (server: ReturnType<typeof createPopulatedServer>, path: string, key = server.staffKey) =>
  request(server.app).get(path).set('X-Kegbot-Api-Key', key);

test('exports, reports, backups, log and bug report are for staff only', async () => {
  const server = createPopulatedServer();
  for (const path of [
    '/api/admin/export/drinks.csv',
    '/api/admin/backups',
    '/api/admin/backups/x/download',
    '/api/admin/logs',
    '/api/admin/bugreport',
    '/api/admin/dashboard',
    '/api/admin/business',
    '/api/reports/days',
    '/api/reports/days/2026-05-02',
    '/api/reports/days/2026-05-02/csv',
    '/api/reports/span',
    '/api/reports/span/csv',
  ]) {
    await request(server.app).get(path).expect(401);
    await getAs(server, path, server.guestKey).expect(403);
  }
});

test('exports every drink, held pours with their reason, oldest first', async () => {
  const server = createPopulatedServer();
  const reply = await getAs(server, '/api/admin/export/drinks.jsonl').buffer(true).parse(text).expect(200);
  const drinks = (reply.body as string)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(drinks.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(drinks[0]).toMatchObject({
    user_id: 'anna',
    tap_id: '1',
    keg_id: 1,
    session_id: '1',
    volume_ml: 300,
    beverage: 'Haus Helles',
    is_valid: true,
  });
  expect(drinks[6]).toMatchObject({ is_valid: false, held_reason: 'unbound_meter', keg_id: null });
  expect(JSON.stringify(drinks)).not.toContain('@');
  const sunday = await getAs(
    server,
    '/api/admin/export/drinks.csv?since=2026-05-03T12:00:00Z&until=2026-05-03T17:00:30Z',
  );
  expect(sunday.text.split('\r\n').slice(1)).toEqual([expect.stringMatching(/^5,2026-05-03T17:00:00Z,/), '']);
  expect(sunday.headers['content-disposition']).toBe('attachment; filename="tapster-drinks.csv"');
});

test.each(['drinks', 'kegs', 'sessions', 'temperatures'])(
  '%s are exported as CSV and JSON lines with the same columns',
  async (kind) => {
    const server = createPopulatedServer();
    const csv = await getAs(server, `/api/admin/export/${kind}.csv`).expect(200);
    const lines = await getAs(server, `/api/admin/export/${kind}.jsonl`).buffer(true).parse(text).expect(200);
    const rows = (lines.body as string).trim().split('\n');
    expect(csv.text.split('\r\n')[0]!.split(',')).toEqual(Object.keys(JSON.parse(rows[0]!)));
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(rows.length + 1);
    await request(server.app)
      .head(`/api/admin/export/${kind}.csv`)
      .set('X-Kegbot-Api-Key', server.staffKey)
      .expect(200);
  },
);

test('exports hourly values of old temperatures before the minute values', async () => {
  const server = createPopulatedServer();
  const { engine } = server;
  const at = (wallMs: number) => ({ monoMs: 0, wallMs, synced: true, bootId: 'boot-1' });
  const old = Date.UTC(2026, 0, 1, 12);
  for (const [minute, tempC] of [4, 6].entries()) {
    engine.temperatures.log({ sensor: 'attic', tempC }, at(old + minute * 60_000));
  }
  for (let turn = 0; turn < 50; turn++) engine.temperatures.history.thin(at(Date.UTC(2026, 4, 3)));
  const { text: csv } = await getAs(server, '/api/admin/export/temperatures.csv').expect(200);
  const lines = csv.trimEnd().split('\r\n');
  expect(lines[0]).toBe('id,time,sensor_id,sensor,nice_name,temp_c,min_c,max_c,readings');
  expect(lines[1]).toMatch(/^,2026-01-01T12:00:00Z,\d+,attic,,5,4,6,2$/);
  expect(lines).toHaveLength(6);
});

test('a name that looks like a formula is escaped in CSV', async () => {
  const server = createPopulatedServer();
  server.engine.kegs.create(
    {
      beverage: { name: '=cmd|calc', producerName: '@SUM(A1)', styleName: 'x' },
      sizeKey: 'corny',
      notes: '-1+2',
    },
    { monoMs: 0, wallMs: Date.UTC(2026, 4, 4), synced: true, bootId: 'boot-1' },
  );
  const { text: csv } = await getAs(server, '/api/admin/export/kegs.csv').expect(200);
  expect(csv).toContain(",'=cmd|calc,'@SUM(A1),");
  expect(csv).toContain(",'-1+2\r\n");
});

test('refuses unknown exports', async () => {
  const server = createPopulatedServer();
  for (const file of ['users.csv', 'drinks.xml', 'drinks', '..%2Fdrinks.csv', 'constructor.csv']) {
    await getAs(server, `/api/admin/export/${file}`).expect(400);
  }
  await getAs(server, '/api/admin/export/drinks.csv?since=yesterday').expect(400);
});

test('a business day has totals of pours, spills and held pours, by tap and by keg', async () => {
  const server = createPopulatedServer();
  server.engine.drinks.pours.spill(
    { tap: 'pi.flow0', ticks: 0, volumeMl: 250 },
    { monoMs: 0, wallMs: Date.UTC(2026, 4, 3, 18), synced: true, bootId: 'boot-1' },
  );
  const { day } = (await getAs(server, '/api/reports/days/2026-05-03').expect(200)).body.result;
  expect(day).toMatchObject({
    date: '2026-05-03',
    since: '2026-05-03T04:00:00Z',
    until: '2026-05-04T04:00:00Z',
    is_over: false,
    drinks: 2,
    poured_ml: 500,
    spills: 1,
    spilled_ml: 250,
    held: 1,
    revenue: null,
  });
  expect(day.taps.map((tap: { name: string | null; drinks: number }) => [tap.name, tap.drinks])).toEqual([
    ['Left', 1],
    ['Right', 1],
    [null, 0],
  ]);
  expect(day.kegs).toEqual([
    expect.objectContaining({ keg_id: 1, beverage: 'Haus Helles', poured_ml: 300, spilled_ml: 250 }),
    expect.objectContaining({ keg_id: null, drinks: 1, poured_ml: 200 }),
  ]);
  const { days } = (await getAs(server, '/api/reports/days?limit=3').expect(200)).body.result;
  expect(days.map((one: { date: string; drinks: number }) => [one.date, one.drinks])).toEqual([
    ['2026-05-03', 2],
    ['2026-05-02', 4],
  ]);
  const csv = await getAs(server, '/api/reports/days/2026-05-02/csv').expect(200);
  expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
    'date,of,id,name,drinks,poured_ml,poured_uncertainty_ml,spills,spilled_ml,held,held_ml,revenue,unpriced,unpriced_ml,currency',
    '2026-05-02,day,,,4,1400,170,0,0,0,0,,4,1400,EUR',
  ]);
  await getAs(server, '/api/reports/days/2026-02-30').expect(400);
  await getAs(server, '/api/reports/days?limit=32').expect(400);
});

test('the list of business days goes back to the first drink, in pages', async () => {
  const server = createPopulatedServer();
  server.setClock({ wallMs: Date.UTC(2026, 4, 8, 18) });
  const page = async (address: string) => {
    const { paging, days } = (await getAs(server, address).expect(200)).body.result;
    return { ...paging, dates: days.map(({ date }: { date: string }) => date.slice(-2)) };
  };
  const first = await page('/api/reports/days?limit=3');
  expect(first).toMatchObject({ total: 7, limit: 3, pos: 0, prev: null, dates: ['08', '07', '06'] });
  const second = await page(first.next);
  expect(second.dates).toEqual(['05', '04', '03']);
  const third = await page(second.next);
  expect(third).toMatchObject({ total: 7, next: null, dates: ['02'] });
  expect((await page(third.prev)).dates).toEqual(['05', '04', '03']);
  expect((await page(second.prev)).dates).toEqual(['08', '07', '06']);
  const odd = await page('/api/reports/days?limit=3&last=2026-05-07');
  expect(await page(odd.prev)).toMatchObject({ prev: null, dates: ['08'] });
  const early = await page('/api/reports/days?last=2010-01-01&limit=3');
  expect(early).toMatchObject({ next: null, dates: [] });
  expect((await page(early.prev)).dates).toEqual(['04', '03', '02']);
  expect((await page('/api/reports/days?last=2030-01-01&limit=3')).dates).toEqual(['08', '07', '06']);
});

test('a span has totals by tap and by keg, and its days as CSV', async () => {
  const server = createPopulatedServer();
  const { span } = (await getAs(server, '/api/reports/span?first=2026-05-01&last=2026-05-03').expect(200))
    .body.result;
  expect(span).toMatchObject({
    first: '2026-05-01',
    last: '2026-05-03',
    since: '2026-05-01T04:00:00Z',
    until: '2026-05-04T04:00:00Z',
    is_over: false,
    drinks: 6,
    poured_ml: 1900,
    held: 1,
    revenue: null,
  });
  expect(span.days.map((day: { date: string; drinks: number }) => [day.date, day.drinks])).toEqual([
    ['2026-05-01', 0],
    ['2026-05-02', 4],
    ['2026-05-03', 2],
  ]);
  for (const list of ['taps', 'kegs']) {
    const drinks = span[list].map((one: { drinks: number }) => one.drinks);
    expect(drinks.reduce((total: number, one: number) => total + one, 0)).toBe(6);
  }
  expect(new Set(span.taps.map((tap: { tap_id: string }) => tap.tap_id)).size).toBe(span.taps.length);

  const year = await getAs(server, '/api/reports/span?first=2025-05-04&last=2026-05-03').expect(400);
  expect(year.body.error.rules).toEqual({ last: { name: 'days_from_first', most: 91 } });
  const today = (await getAs(server, '/api/reports/span').expect(200)).body.result.span;
  expect([today.first, today.last, today.drinks]).toEqual(['2026-05-03', '2026-05-03', 2]);
  const csv = await getAs(server, '/api/reports/span/csv?first=2026-05-01&last=2026-05-03').expect(200);
  expect(csv.headers['content-disposition']).toContain('"tapster-2026-05-01-to-2026-05-03.csv"');
  const lines = csv.text.trim().split('\r\n');
  expect(lines.filter((line) => line.includes(',day,')).map((line) => line.slice(0, 10))).toEqual([
    '2026-05-01',
    '2026-05-02',
    '2026-05-03',
  ]);
  expect(lines.filter((line) => line.startsWith('date,'))).toHaveLength(1);

  for (const query of [
    'first=2026-05-04&last=2026-05-03',
    'first=2026-02-01&last=2026-05-04',
    'last=never',
  ]) {
    const { body } = await getAs(server, `/api/reports/span?${query}`).expect(400);
    expect(body.error.fields).toHaveProperty('last');
  }
  await getAs(server, '/api/reports/span?first=2026-02-02&last=2026-05-04').expect(200);
});

test('subscribing to the report mail is in the audit log', async () => {
  const server = createPopulatedServer();
  await request(server.app)
    .put('/api/admin/report-mail')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({ daily_report: true })
    .expect(200);
  expect(server.engine.audit.list({}).items[0]).toMatchObject({
    username: 'anna',
    action: 'report_mail.changed',
    before: '{"daily_report":false}',
    after: '{"daily_report":true}',
  });
});

test('revenue uses the price at the time of the pour, and drinks without a price are counted', async () => {
  const server = createPopulatedServer();
  const [size] = server.engine.kegs.prices.servingSizes();
  const setPrice = (...sums: number[]) =>
    request(server.app)
      .put('/api/beverages/1/prices')
      .set('X-Kegbot-Api-Key', server.staffKey)
      .send({ prices: sums.map((sum) => ({ serving_size_id: size!.id, price_minor: sum })) });
  const pour = (atMs: number) =>
    insertDrink(
      server.store,
      { tap: 'pi.flow0', ticks: 1, volumeMl: size!.volumeMl },
      { monoMs: 0, wallMs: atMs, synced: true, bootId: 'boot-1' },
    );
  const nowMs = Date.UTC(2026, 4, 3, 18);
  await setPrice(450).expect(200);
  pour(nowMs + 1_000);
  server.setClock({ wallMs: nowMs + hour });
  await setPrice(300).expect(200);
  pour(nowMs + hour + 1_000);
  const day = async () => (await getAs(server, '/api/reports/days/2026-05-03')).body.result.day;
  // The two drinks of the afternoon were before the first price.
  expect(await day()).toMatchObject({ revenue: 7.5, drinks: 4, unpriced: 2, unpriced_ml: 500 });
  server.setClock({ wallMs: nowMs + 2 * hour });
  await setPrice().expect(200);
  pour(nowMs + 2 * hour + 1_000);
  expect(await day()).toMatchObject({ revenue: 7.5, drinks: 5, unpriced: 3 });
});

test('changing the end of the business day moves every drink', async () => {
  const server = createPopulatedServer();
  const patch = (body: object) =>
    request(server.app).patch('/api/admin/business').set('X-Kegbot-Api-Key', server.staffKey).send(body);
  const changed = await patch({ day_ends: '00:00', currency: 'CHF' }).expect(200);
  expect(changed.body.result.business).toEqual({
    day_ends: '00:00',
    nightly_backups: true,
    currency: 'CHF',
    shifts: [],
    max_days_on_tap: null,
  });
  const { day } = (await getAs(server, '/api/reports/days/2026-05-02')).body.result;
  expect(day).toMatchObject({ since: '2026-05-02T00:00:00Z', currency: 'CHF' });
  for (const body of [{ day_ends: '12:01' }, { day_ends: '25:00' }, { currency: 'euro' }, { day_ends: 4 }]) {
    await patch(body).expect(400);
  }
  expect((await getAs(server, '/api/audit')).text).toContain('business.changed');
});

test('subscribed staff get the report of the previous day once', async () => {
  const server = createPopulatedServer();
  const { store, engine } = server;
  await request(server.app)
    .put('/api/admin/report-mail')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .send({ daily_report: true })
    .expect(200);
  store.notifications.mailSettings.write({
    ...store.notifications.mailSettings.read(),
    host: 'mail.example',
    fromAddress: 'bar@example.org',
  });
  const at = (wallMs: number) => ({ monoMs: 0, wallMs, synced: true, bootId: 'boot-1' });
  const mails = () =>
    engine.notifications.outbox.list({ state: 'waiting' }).items.filter(({ topic }) => topic === 'report');
  engine.reports.mailWhenDue(at(Date.UTC(2026, 4, 3, 5)));
  engine.reports.mailWhenDue(at(Date.UTC(2026, 4, 3, 6)));
  expect(mails()).toHaveLength(1);
  engine.reports.mailWhenDue(at(Date.UTC(2026, 4, 4, 5)));
  expect(mails()).toHaveLength(2);
  // A day without pours sends no mail.
  engine.reports.mailWhenDue(at(Date.UTC(2026, 4, 6, 5)));
  expect(mails()).toHaveLength(2);
});

test('the dashboard counts users and held pours', async () => {
  const server = createPopulatedServer();
  expect((await getAs(server, '/api/admin/dashboard').expect(200)).body.result).toEqual({
    email_configured: false,
    num_users: 2,
    num_new_users: 2,
    num_held_pours: 1,
  });
});

test('the log lists its last lines by severity, newest first, without secrets', async () => {
  const { server, log } = createServerWithAdmin();
  log.info({ part: 'pins' }, 'counting');
  log.warn({ password: 'hunter2', req: { headers: { authorization: 'Bearer s3cr3t' } } }, 'request refused');
  log.debug({}, 'below this level');
  const { logs } = (await getAs(server, '/api/admin/logs').expect(200)).body.result;
  expect(logs.map(({ level, msg }: { level: string; msg: string }) => [level, msg])).toEqual([
    ['warn', 'request refused'],
    ['info', 'counting'],
  ]);
  expect(JSON.stringify(logs)).not.toMatch(/hunter2|s3cr3t/);
  expect((await getAs(server, '/api/admin/logs?level=warn')).body.result.logs).toHaveLength(1);
  for (let line = 0; line < 1_000; line++) log.info({ line, text: 'x'.repeat(9_000) }, `line ${line}`);
  const page = async (address: string) => (await getAs(server, address).expect(200)).body.result;
  const { logs: all, paging } = await page('/api/admin/logs?limit=30');
  expect(all[0].msg).toBe('line 999');
  expect(paging).toMatchObject({ total: expect.any(Number), limit: 30, prev: null });
  // Lines that are written meanwhile are on none of the pages that follow.
  log.info('later');
  expect((await page(paging.next)).logs[0].msg).toBe('line 969');
  expect(JSON.stringify(all).length).toBeLessThan(400_000);
});

test('a bug report describes the system without personal data', async () => {
  const { server, log } = createServerWithAdmin();
  const { staffKey } = server;
  server.engine.users.addUser(
    { username: 'wilhelmina', email: 'mina@example.org', isStaff: false },
    { monoMs: 0, wallMs: Date.UTC(2026, 4, 2), synced: true, bootId: 'boot-1' },
  );
  log.error(
    {
      err: Object.assign(new Error('wilhelmina could not be reached'), { code: 'ECONNREFUSED' }),
      user: 'wilhelmina',
    },
    `The webhook https://hooks.example.org/T0/${staffKey} of wilhelmina (mina@example.org) at 192.168.7.23 failed`,
  );
  log.warn(
    { ip: 'fe80::1ff:fe23:4567:890a%wlan0' },
    'Nobody answers at pi.local, aa:bb:cc:dd:ee:ff, core.rfid.0089f2c4',
  );
  for (let line = 1; line <= 500; line++) log.info(`line ${line}`);
  const { output } = (await getAs(server, '/api/admin/bugreport').expect(200)).body.result;
  expect(output).toContain('end of the last run: crashed. It crashed: Error: […] at […] in pours.js:12');
  expect(output).toContain('info line 1\n');
  for (const secret of [
    staffKey,
    'wilhelmina',
    'mina@',
    'hooks.example',
    '192.168',
    'fe80',
    'pi.local',
    'aa:bb',
    '0089f2c4',
    'Anna',
    '/secret/place',
    'secret-host',
  ]) {
    expect(output.toLowerCase(), secret).not.toContain(secret.toLowerCase());
  }
  for (const expectedText of [
    'version: ',
    `node: ${process.versions.node}`,
    'gpio.driver: "simulated"',
    'drinks: up to 7',
    'ECONNREFUSED',
    'schema: ',
  ]) {
    expect(output).toContain(expectedText);
  }
});

/** Reads the body as text: JSON lines are no JSON document, and superagent would return an empty object. */
function text(answer: unknown, done: (fault: Error | null, body: string) => void): void {
  // superagent passes Node's own stream here.
  const response = answer as NodeJS.ReadableStream;
  let all = '';
  response.on('data', (piece: Buffer) => {
    all += piece.toString('utf8');
  });
  response.on('end', () => done(null, all));
}
