import type { Problem } from '../../../core/health/problems.ts';
import type { Database } from '../../../store/database.ts';
import type { Kegboard, KegboardState } from '../core/kegboards.ts';

interface KegboardRow {
  id: number;
  device: string;
  state: KegboardState;
  controller_id: number | null;
  token_hash: Buffer | null;
  address: string | null;
  first_seen_ms: number;
  last_seen_ms: number | null;
  boot_id: string | null;
  fw_version: string | null;
  uptime_ms: number | null;
  wifi_rssi_dbm: number | null;
  events_dropped: number | null;
  config: string | null;
  meter_numbers: string | null;
  relay_numbers: string | null;
  problems: string;
}

/** Kegboards that report device events, one row for each name. */
export function kegboardsTable(db: Database) {
  const all = db.prepare<[], KegboardRow>('SELECT * FROM kegboards ORDER BY id');
  const byId = db.prepare<[number], KegboardRow>('SELECT * FROM kegboards WHERE id = ?');
  const byName = db.prepare<[string], KegboardRow>('SELECT * FROM kegboards WHERE device = ?');
  const byToken = db.prepare<[Uint8Array], KegboardRow>('SELECT * FROM kegboards WHERE token_hash = ?');
  const byController = db.prepare<[number], KegboardRow>('SELECT * FROM kegboards WHERE controller_id = ?');
  const insert = db.prepare<[string, number], KegboardRow>(
    `INSERT INTO kegboards (device, state, first_seen_ms) VALUES (?, 'denied', ?) RETURNING *`,
  );
  const update = db.prepare<KegboardRow>(
    `UPDATE kegboards SET state = @state, controller_id = @controller_id, token_hash = @token_hash,
       address = @address, first_seen_ms = @first_seen_ms, last_seen_ms = @last_seen_ms, boot_id = @boot_id,
       fw_version = @fw_version, uptime_ms = @uptime_ms, wifi_rssi_dbm = @wifi_rssi_dbm,
       events_dropped = @events_dropped, config = @config, meter_numbers = @meter_numbers,
       relay_numbers = @relay_numbers, problems = @problems WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM kegboards WHERE id = ?');
  return {
    all: (): readonly Kegboard[] => all.all().map((row) => toBoard(row)!),
    byId: (id: number): Kegboard | null => toBoard(byId.get(id)),
    byName: (device: string): Kegboard | null => toBoard(byName.get(device)),
    byToken: (hash: Uint8Array): Kegboard | null => toBoard(byToken.get(hash)),
    byController: (id: number): Kegboard | null => toBoard(byController.get(id)),
    /** Adds a kegboard without a token: denied until it is saved with another state. */
    add: (device: string, firstSeenMs: number): Kegboard => toBoard(insert.get(device, firstSeenMs))!,
    save: (board: Kegboard): void => void update.run(toRow(board)),
    remove: (id: number): void => void remove.run(id),
  };
}

function toRow(board: Kegboard): KegboardRow {
  return {
    id: board.id,
    device: board.device,
    state: board.state,
    controller_id: board.controllerId,
    token_hash: board.tokenHash === null ? null : Buffer.from(board.tokenHash),
    address: board.address,
    first_seen_ms: board.firstSeenMs,
    last_seen_ms: board.lastSeenMs,
    boot_id: board.bootId,
    fw_version: board.fwVersion,
    uptime_ms: board.uptimeMs,
    wifi_rssi_dbm: board.rssiDbm,
    events_dropped: board.eventsDropped,
    config: board.config,
    meter_numbers: board.meterNumbers && JSON.stringify(board.meterNumbers),
    relay_numbers: board.relayNumbers && JSON.stringify(board.relayNumbers),
    problems: JSON.stringify(board.problems),
  };
}

function toBoard(row: KegboardRow | undefined): Kegboard | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    device: row.device,
    state: row.state,
    controllerId: row.controller_id,
    tokenHash: row.token_hash,
    address: row.address,
    firstSeenMs: row.first_seen_ms,
    lastSeenMs: row.last_seen_ms,
    bootId: row.boot_id,
    fwVersion: row.fw_version,
    uptimeMs: row.uptime_ms,
    rssiDbm: row.wifi_rssi_dbm,
    eventsDropped: row.events_dropped,
    config: row.config,
    meterNumbers: parseNumbers(row.meter_numbers),
    relayNumbers: parseNumbers(row.relay_numbers),
    problems: JSON.parse(row.problems) as readonly Problem[],
  };
}

const parseNumbers = (text: string | null): readonly number[] | null =>
  text === null ? null : (JSON.parse(text) as readonly number[]);
