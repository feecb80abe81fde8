import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Kegboard } from '../../core/controllers/kegboards.ts';
import type { Controller } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Answer to a board without a valid token. */
export type PairingAnswer =
  | { readonly state: 'pending' | 'denied' }
  | { readonly state: 'allowed'; readonly token: string };

/** A request of a board without a valid token. */
interface PairingRequest {
  readonly device: string;
  readonly address: string | null;
  readonly now: Moment;
}

/** A new token expires after this time when the board does not fetch it, milliseconds. */
const stagedTokenMs = 3_600_000;

/** Upper bound of boards waiting to be allowed, since anybody on the network can invent names. */
const maxPending = 50;

/** Boards that never paired are deleted after this silence, milliseconds. */
const silenceMs = 7 * 24 * 3_600_000;

/**
 * A waiting board asks every few seconds; its row is written at most this often, to spare the SD card,
 * milliseconds.
 */
const lastSeenStepMs = 30_000;

/** Model of controllers created by pairing; only these are reused for a board of the same name. */
const kegboardModel = 'Kegboard';

/** Creates a bearer token with 160 random bits. */
const createKegboardToken = (): string => `kbe_${randomBytes(20).toString('hex')}`;

/** The hash of a token, which is stored instead of it. */
const hashKegboardToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Finds the board with this token; null when its controller does not exist any more. */
export function findKegboardByToken(store: Store, token: string | null): Kegboard | null {
  if (token === null) return null;
  const board = store.kegboards.byToken(hashKegboardToken(token));
  return board?.controllerId == null ? null : board;
}

/** Answers a board without a valid token and updates its row. Call inside a transaction. */
export function answerPairing(store: Store, { device, address, now }: PairingRequest): PairingAnswer {
  const nowMs = wallMs(now);
  const board = store.kegboards.byName(device) ?? addPending(store, device, now);
  const updated = { ...board, address, lastSeenMs: nowMs };
  if (board.state === 'denied') {
    saveIfChanged(store, board, { ...updated, lastError: null });
    return { state: 'denied' };
  }
  if (board.stagedToken !== null && board.stagedTimeMs !== null) {
    if (Math.abs(nowMs - board.stagedTimeMs) > stagedTokenMs) {
      const lastError = 'Its token was not fetched within an hour: allow it again.';
      const revoked = { state: 'pending' as const, tokenHash: null, stagedToken: null, stagedTimeMs: null };
      saveIfChanged(store, board, { ...updated, ...revoked, lastError });
      return { state: 'pending' };
    }
    if (board.allowedAddress !== null && board.allowedAddress !== address) {
      const lastError = `It was allowed at ${board.allowedAddress} and now asks from ${address ?? 'elsewhere'}: allow it again if that is right.`;
      saveIfChanged(store, board, { ...updated, lastError });
      return { state: 'pending' };
    }
    store.kegboards.save({
      ...updated,
      state: 'paired',
      stagedToken: null,
      stagedTimeMs: null,
      lastError: null,
    });
    return { state: 'allowed', token: board.stagedToken };
  }
  const lastError =
    board.tokenHash === null
      ? null
      : 'A board asks under this name without its token: allow it again if it lost the token.';
  saveIfChanged(store, board, { ...updated, state: 'pending', lastError });
  return { state: 'pending' };
}

/** Allows a board: finds or creates its controller and stages a new token for the board to fetch. */
export function allowKegboard(store: Store, device: string, now: Moment): Kegboard {
  const existing = store.kegboards.byName(device) ?? store.kegboards.add(device, wallMs(now));
  const token = createKegboardToken();
  const board: Kegboard = {
    ...existing,
    state: 'allowed',
    controllerId: existing.controllerId ?? findOrAddController(store, existing).id,
    tokenHash: hashKegboardToken(token),
    stagedToken: token,
    stagedTimeMs: wallMs(now),
    allowedAddress: existing.address,
    lastError: null,
  };
  store.kegboards.save(board);
  return board;
}

export const wallMs = (now: Moment): number => Math.max(0, Math.round(now.wallMs));

function addPending(store: Store, device: string, now: Moment): Kegboard {
  if (now.synced) store.kegboards.removeSilent(wallMs(now) - silenceMs);
  if (store.kegboards.waiting() >= maxPending) {
    throw new AppError(
      'unavailable',
      `${maxPending} boards are waiting to be allowed: allow or forget some of them first.`,
    );
  }
  return store.kegboards.add(device, wallMs(now));
}

/** Saves the row when it has changed. */
function saveIfChanged(store: Store, before: Kegboard, after: Kegboard): void {
  const hasChanged =
    before.state !== after.state ||
    before.address !== after.address ||
    before.lastError !== after.lastError ||
    before.lastSeenMs === null ||
    Math.abs(after.lastSeenMs! - before.lastSeenMs) >= lastSeenStepMs;
  if (hasChanged) store.kegboards.save(after);
}

/** The board's former controller or a new one; never this Pi's own controller, whatever the board's name. */
function findOrAddController(store: Store, board: Kegboard): Controller {
  // A full meter name is split at its first dot, so a controller's name has none.
  const baseName = board.device.replaceAll('.', '-').trim() || 'kegboard';
  for (let n = 1; ; n++) {
    const name = n === 1 ? baseName : `${baseName}-${n}`;
    const existing = store.controllers.byName(name);
    if (existing === null)
      return store.controllers.add({ name, modelName: kegboardModel, serialNumber: null });
    if (existing.modelName === kegboardModel && store.kegboards.byController(existing.id) === null)
      return existing;
  }
}
