import { createHash, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Problem } from '../../../core/health/problems.ts';
import type { Controller } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import type { Kegboard } from '../core/kegboards.ts';
import type { PairingRequest, PairingSource } from '../core/pairing-request.ts';
import { PairingRequests } from '../core/pairing-requests.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';

/**
 * Answer to a board without a valid token. Without a code its request is not listed: the name is paired, or has a space
 * at an end.
 */
export type PairingAnswer =
  | { readonly state: 'pending'; readonly code?: string }
  | { readonly state: 'denied' }
  | { readonly state: 'allowed'; readonly token: string };

/** A board without a valid token: its name, its address and its boot. */
export interface AskingBoard {
  readonly device: string;
  readonly address: string | null;
  readonly bootId: string;
}

/** The request that staff chose. Without an id it is the only one of its name. */
export interface RequestChoice {
  readonly requestId?: string;
  /** The address that staff saw. */
  readonly address?: string;
}

/** A note that a board asked under the name of a paired one is shown for this time, milliseconds. */
const noteMs = 600_000;

/** Addresses noted for the name of a paired board. */
const maxNoted = 4;

/** Model of controllers created by pairing; only these are reused for a board of the same name. */
const kegboardModel = 'Kegboard';

/** Creates a bearer token with 160 random bits. */
const createKegboardToken = (): string => `kbe_${randomBytes(20).toString('hex')}`;

/** The hash of a token, which is stored instead of it. */
const hashKegboardToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Finds the board with this token; null when its controller does not exist any more. */
export function findKegboardByToken(tables: KegboardTables, token: string | null): Kegboard | null {
  if (token === null) return null;
  const board = tables.kegboards.byToken(hashKegboardToken(token));
  return board?.controllerId == null ? null : board;
}

/** Pairing of boards. A board without a token only reads the database; staff's decisions are written. */
export class KegboardPairing {
  readonly #store: Store;
  readonly #tables: KegboardTables;
  readonly #requests = new PairingRequests();
  /** Makes ids and codes unguessable; they change when the daemon restarts. */
  readonly #secret = randomBytes(32);
  /** By name of a paired board: the addresses that asked under it without its token, and when, latest last. */
  readonly #noted = new Map<string, Map<string, number>>();

  constructor(store: Store, tables: KegboardTables) {
    this.#store = store;
    this.#tables = tables;
  }

  /** True when this board's request is listed, denied or noted: answering it again changes nothing. */
  isKnown(board: AskingBoard): boolean {
    return (
      this.#requests.has(this.#toSource(board)) ||
      this.#noted.get(board.device)?.has(toAddress(board)) === true
    );
  }

  /** Answers a board without a valid token. Writes nothing. */
  answer(board: AskingBoard, now: Moment): PairingAnswer {
    const known = this.#tables.kegboards.byName(board.device);
    if (known?.state === 'denied') return { state: 'denied' };
    if (known !== null && isPaired(known)) {
      this.#note(board, now);
      return { state: 'pending' };
    }
    // A space at its end would show it like another name.
    if (board.device.trim() !== board.device) return { state: 'pending' };
    const source = this.#toSource(board);
    const answer = this.#requests.ask(source, now);
    if (answer.state !== 'allowed' || findKegboardByToken(this.#tables, answer.token) !== null) return answer;
    // Its controller was deleted, and with it the token: a board that got it would be refused and ask at once.
    this.#requests.forget(board.device);
    return this.#requests.ask(source, now);
  }

  /** Notes a batch that could not be parsed on the requests of its sender. Writes nothing. */
  noteRefusal(board: Pick<AskingBoard, 'device' | 'address'>, problem: Problem): void {
    this.#requests.noteError({ device: board.device, address: toAddress(board) }, problem);
  }

  requests(now: Moment): readonly PairingRequest[] {
    return this.#requests.list(now);
  }

  /** Addresses that lately asked under the name of a paired board without its token, the latest first. */
  notedAddresses(device: string, { monoMs }: Moment): readonly string[] {
    const noted = [...(this.#noted.get(device) ?? [])];
    return noted
      .filter(([, askedMonoMs]) => monoMs - askedMonoMs <= noteMs)
      .map(([address]) => address)
      .toReversed();
  }

  /**
   * The request that staff chose. Throws `conflict` when it does not ask any more or from another address, and without
   * an id unless exactly one request of that name is pending and none is allowed.
   */
  choose(device: string, { requestId, address }: RequestChoice, now: Moment): PairingRequest {
    const named = this.#requests.named(device, now);
    if (requestId === undefined && named.length > 1) {
      throw new AppError(
        'conflict',
        `${named.length} requests use the name “${device}”: choose one by its request_id.`,
        { reason: { name: 'several_pairing_requests', device, requests: named.length } },
      );
    }
    const chosen =
      requestId === undefined
        ? named.find(({ state }) => state === 'pending')
        : named.find(({ id }) => id === requestId);
    if (chosen === undefined || (address !== undefined && chosen.address !== address)) {
      throw noSuchRequest(device);
    }
    return chosen;
  }

  /** The same for a request that waits: throws `conflict` also for one that is allowed. */
  choosePending(device: string, choice: RequestChoice, now: Moment): PairingRequest {
    const chosen = this.choose(device, choice, now);
    if (chosen.state !== 'pending') throw noSuchRequest(device);
    return chosen;
  }

  /** The requests under this name that wait or are allowed. */
  named(device: string, now: Moment): readonly PairingRequest[] {
    return this.#requests.named(device, now);
  }

  /**
   * Allows a request: finds or creates the board's controller and stores the hash of a new token. Call inside a
   * transaction; after its commit call the returned function, which lets the board fetch the token.
   */
  allow(request: PairingRequest, now: Moment): { readonly board: Kegboard; deliver(): void } {
    const { kegboards } = this.#tables;
    const existing = kegboards.byName(request.device) ?? kegboards.add(request.device, request.firstSeenMs);
    const token = createKegboardToken();
    const board: Kegboard = {
      ...existing,
      state: 'allowed',
      controllerId: existing.controllerId ?? findOrAddController(this.#store, this.#tables, existing).id,
      tokenHash: hashKegboardToken(token),
      address: request.address,
      lastSeenMs: request.lastSeenMs,
      problems: [],
    };
    kegboards.save(board);
    return { board, deliver: () => this.#requests.allow(request, token, now) };
  }

  /** Denies the source of a request until the daemon restarts, or until `forget`. */
  deny(request: PairingRequest): PairingRequest {
    return this.#requests.deny(request);
  }

  /** Deletes everything that is known about boards that ask under this name; returns the number of requests. */
  forget(device: string): number {
    this.#noted.delete(device);
    return this.#requests.forget(device);
  }

  #toSource(board: AskingBoard): PairingSource {
    const { device, bootId } = board;
    const address = toAddress(board);
    const digest = createHmac('sha256', this.#secret)
      .update(JSON.stringify([device, address, bootId]))
      .digest();
    const code = String(digest.readUInt32BE(28) % 1_000_000).padStart(6, '0');
    return { id: digest.toString('hex', 0, 16), code, device, address, bootId };
  }

  #note(board: AskingBoard, { monoMs }: Moment): void {
    const noted = this.#noted.get(board.device) ?? new Map<string, number>();
    const address = toAddress(board);
    noted.delete(address);
    noted.set(address, monoMs);
    if (noted.size > maxNoted) noted.delete(noted.keys().next().value!);
    this.#noted.set(board.device, noted);
  }
}

/** True while the name belongs to a board: its token was used, and its controller exists. */
export const isPaired = ({ state, controllerId }: Kegboard): boolean =>
  state === 'paired' && controllerId !== null;

const noSuchRequest = (device: string): AppError =>
  new AppError(
    'conflict',
    `No such request of “${device}” is pending. A board asks again within a minute: compare its code with the list.`,
    { reason: { name: 'no_pairing_request', device } },
  );

/** An address that is unknown because the connection is closed. */
const toAddress = ({ address }: Pick<AskingBoard, 'address'>): string => address ?? 'unknown';

export const wallMs = (now: Moment): number => Math.max(0, Math.round(now.wallMs));

/** The board's former controller or a new one; never this Pi's own controller, whatever the board's name. */
function findOrAddController(store: Store, tables: KegboardTables, board: Kegboard): Controller {
  // A full meter name is split at its first dot, so a controller's name has none.
  const baseName = board.device.replaceAll('.', '-').trim() || 'kegboard';
  for (let n = 1; ; n++) {
    const name = n === 1 ? baseName : `${baseName}-${n}`;
    const existing = store.controllers.byName(name);
    if (existing === null)
      return store.controllers.add({ name, modelName: kegboardModel, serialNumber: null });
    if (existing.modelName === kegboardModel && tables.kegboards.byController(existing.id) === null)
      return existing;
  }
}
