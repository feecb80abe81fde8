// Network boards: cost of an event compared with a bare durable transaction, and the time from a presented token to the
// open tap with fifty boards.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { createEventBus } from '../../../../dist/core/event-bus.js';
import { createEngine } from '../../../../dist/engine/create-engine.js';
import { loadExtensions } from '../../../../dist/engine/engine.js';
import { kegboards } from '../../../../dist/extensions/kegboards/extension.js';
import { openStore } from '../../../../dist/store/store.js';
import { mainFile, startDaemon, withFolder, writeConfig } from '../../../bench/daemon.mjs';
import { median } from '../../../bench/median.mjs';
import { ratio } from '../../../bench/table.mjs';

const extensions = [kegboards];
const loaded = await loadExtensions(extensions);

const rounds = 300;
const warmUp = 50;
const manyBoards = 50;
const presentments = 60;
const targetRatio = 5;

export const run = async () => [
  ...(await withFolder(measureEvents)),
  ...(await withFolder(measureRoundTrips)),
];

/** One pour per batch, so one transaction each, like the bare insert. */
async function measureEvents(folder) {
  const rows = [];
  for (const count of [1, manyBoards]) {
    const tapster = openTapster(join(folder, `boards-${count}.db`), count);
    const bare = openBare(join(folder, `bare-${count}.db`));
    const ours = [];
    const bares = [];
    for (let i = 0; i < rounds + warmUp; i++) {
      const eventMs = timed(() => tapster.pour(i));
      const bareMs = timed(() => bare.insert(i));
      if (i < warmUp) continue;
      ours.push(eventMs);
      bares.push(bareMs);
    }
    tapster.close();
    bare.close();
    const perSecond = (ms) => `${(1_000 / ms).toFixed(0)}/s`;
    rows.push({
      what: `Pours reported by ${count === 1 ? 'one board' : `${count} boards`}, each durable`,
      ours: perSecond(median(ours)),
      bare: perSecond(median(bares)),
      ratio: ratio(median(ours), median(bares)),
    });
  }
  return rows;
}

function openTapster(file, count) {
  const store = openStore({ file, extensions });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const engine = createEngine(
    { store, bus, ids: { next: randomUUID }, settings: { maxFlowMlPerS: 200 } },
    loaded,
  );
  const service = engine.serviceOf(kegboards);
  const at = (i) => ({
    monoMs: 60_000 + i,
    wallMs: Date.UTC(2026, 4, 1, 18) + i,
    synced: true,
    bootId: 'bench',
  });
  const boards = Array.from({ length: count }, (_, n) => {
    const device = `kegboard-${n}`;
    const call = { device, token: null, address: null, batch: { bootId: 'b', events: [] } };
    service.recordBatch(call, at(0));
    service.allow(device, {}, at(0));
    const answer = service.recordBatch(call, at(0));
    const board = { device, token: answer.pairing.token, address: null };
    report(board, 1, { kind: 'status', ...health }, at(0));
    const tap = engine.taps.create({ name: device });
    engine.taps.connectMeter(
      tap.id,
      engine.taps.hardware.meters().find(({ name }) => name === `${device}.flow0`).id,
    );
    const beverage = { name: `Beer ${n}`, producerName: 'Brewery', styleName: 'Pils' };
    engine.kegs.start(tap.id, { beverage, sizeKey: 'euro' }, at(0));
    return board;
  });
  function report(board, id, what, now) {
    service.recordBatch({ ...board, batch: { bootId: 'b', events: [{ id, ageMs: 0, report: what }] } }, now);
  }
  return {
    pour: (i) =>
      report(
        boards[i % count],
        2 + i,
        { ...samplePour, kind: 'pour', pourId: randomUUID(), meterNumber: 0 },
        at(i),
      ),
    close: () => store.close(),
  };
}

const health = {
  fwVersion: '4.0.0',
  uptimeMs: 1,
  eventsDropped: 0,
  config: '{}',
  rssiDbm: -58,
  meters: [{ meterNumber: 0, mlPerTick: 0.185 }],
  relayNumbers: [0],
};

const samplePour = {
  volumeMl: 330,
  durationMs: 6_000,
  grantId: null,
  authDevice: null,
  token: null,
  ticks: 1_782,
  series: Array.from({ length: 60 }, (_, i) => `${i * 100}:30`).join(' '),
  raw: '',
};

function openBare(file) {
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(
    'CREATE TABLE drinks (id INTEGER PRIMARY KEY, pour_id TEXT, ticks INTEGER, at INTEGER, rest TEXT) STRICT',
  );
  const insert = db.prepare('INSERT INTO drinks (pour_id, ticks, at, rest) VALUES (?, ?, ?, ?)');
  return {
    insert: (i) => void insert.run(randomUUID(), samplePour.ticks, i, samplePour.series),
    close: () => db.close(),
  };
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Time from sending a presented token to the reply that opens the tap, for one board and among fifty. */
async function measureRoundTrips(folder) {
  const config = writeConfig(folder, 2);
  const daemon = await startDaemon(config);
  try {
    const cli = (args, input) =>
      spawnSync(process.execPath, [mainFile, ...args, '--config', config], { input, encoding: 'utf8' });
    cli(['user', 'add', 'bench', '--staff', '--password-stdin'], 'a long password');
    const cookie = await logInConfirmed(daemon.url);
    const db = new Sqlite(join(folder, 'tapster.db'));
    db.exec(`INSERT INTO auth_tokens (auth_device, token_value, user_id, enabled, created_time_ms)
      VALUES ('core.rfid', 'f0b', (SELECT id FROM users WHERE username = 'bench'), 1, 0)`);
    db.close();
    const boards = [];
    for (let n = 0; n <= manyBoards; n++) boards.push(await pair(daemon.url, cookie, `kegboard-${n}`));
    const [client, ...otherClients] = boards;
    const aloneMs = await measurePresentments(client);
    const timers = otherClients.map((board, n) => every(1_000, (n * 1_000) / manyBoards, board.heartbeat));
    const amongMs = await measurePresentments(client);
    for (const stop of timers) stop();
    return [
      {
        what: `Token → open tap among ${manyBoards} boards (bare: alone)`,
        ours: `${median(amongMs).toFixed(2)} ms`,
        bare: `${median(aloneMs).toFixed(2)} ms`,
        ratio: ratio(median(amongMs), median(aloneMs)),
        target: `≤ ${targetRatio} ×`,
        met: median(amongMs) <= targetRatio * median(aloneMs),
      },
    ];
  } finally {
    await daemon.stop();
  }
}

async function measurePresentments(board) {
  const times = [];
  for (let i = 0; i < presentments; i++) {
    const started = performance.now();
    const acknowledge = await board.present();
    times.push(performance.now() - started);
    await acknowledge();
    await pause(50);
  }
  return times;
}

/** Logs the staff in and enters the password again: a key approves no board. Returns the cookie. */
async function logInConfirmed(url) {
  const post = (path, body, headers = {}) =>
    fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await post('login', { username: 'bench', password: 'a long password' });
  const cookie = login.headers.getSetCookie()[0].split(';')[0];
  await post('confirm-password', { current_password: 'a long password' }, { cookie });
  return cookie;
}

async function pair(url, cookie, device) {
  let token = null;
  let id = 0;
  const send = async (events) => {
    const answer = await fetch(`${url}/api/device-event`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ v: 1, device, boot_id: 'b', sent_uptime_ms: 1, events }),
    });
    return answer.json();
  };
  const event = (type, data) => ({ id: ++id, type, age_ms: 0, data });
  const heartbeat = () => send([event('status', wireHealth)]);
  await heartbeat();
  await fetch(`${url}/api/admin/kegboards/${device}/allow`, {
    method: 'POST',
    headers: { cookie },
  });
  token = (await heartbeat()).pairing.token;
  await heartbeat();
  return {
    heartbeat,
    async present() {
      const { commands } = await send([
        event('token', { auth_device: 'core.rfid', token: 'f0b', action: 'attached' }),
      ]);
      const grant = commands?.find(({ type }) => type === 'authorize');
      if (!grant) throw new Error(`No grant: ${JSON.stringify(commands)}`);
      return () =>
        send(commands.map(({ id: command }) => event('command_result', { command, result: 'ok' })));
    },
  };
}

const wireHealth = {
  state: 'heartbeat',
  fw_version: '4.0.0',
  uptime_ms: 1,
  events_dropped: 0,
  config: { heartbeat_ms: 1_000, pour_update_ms: 1_000, queue_capacity: 16 },
  meters: [{ meter_number: 0, total_ticks: 0, ml_per_tick: 0.185 }],
};

function every(ms, firstMs, work) {
  let timer = setTimeout(() => {
    timer = setInterval(() => void work(), ms);
    void work();
  }, firstMs);
  return () => {
    clearTimeout(timer);
    clearInterval(timer);
  };
}
