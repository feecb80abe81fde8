import type { Board, BoardCommand, Grant, SeenToken } from '../../core/boards.ts';
import type { Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, toActorContext } from '../actor-context.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { found, textIn } from '../bounds.ts';
import { tidyToken } from '../drinkers.ts';
import type { EngineParts } from '../parts.ts';
import { createWaitingBus } from '../waiting-bus.ts';
import type { BoardBatch } from './board-batch.ts';
import { closeTaps } from './board-commands.ts';
import { BoardHearing } from './board-hearing.ts';
import { missingPorts } from './board-inventory.ts';
import { allowBoard, answerAsking, boardOfToken, type PairingAnswer, wallMs } from './board-pairing.ts';
import { BoardPoursRunning } from './board-pours-running.ts';

/** A batch as it came in: who says it, with which token, from where. */
export interface BoardCall {
  readonly device: string;
  readonly token: string | null;
  readonly address: string | null;
  readonly batch: BoardBatch;
}

/** What a board is answered. */
export type BoardAnswer =
  | {
      readonly kind: 'heard';
      readonly commands: readonly BoardCommand[];
      /** Sentences for the log about events that could not be used. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'pairing'; readonly pairing: PairingAnswer };

/** A board as staff see it. */
export interface BoardView {
  readonly board: Board;
  /** Heard of within two and a half of its heartbeats. */
  readonly isOnline: boolean;
  /** Sentences about ports that are missed. */
  readonly warnings: readonly string[];
  /** Pours of it that could not be read. */
  readonly poursSetAside: number;
}

/** Boards that report events over HTTP: pairing, their events, and what they are told. */
export interface Devices {
  /**
   * Takes a batch: when this returns, everything in it is durably stored or deliberately dropped, once and for all.
   * Throws `unavailable` for what passes; then nothing of the batch has happened.
   */
  hear(call: BoardCall, now: Moment): BoardAnswer;
  /** A batch that could not be read is noted with its board, for staff to see. Unknown names are not. */
  noteRefusal(
    call: { readonly device: string; readonly token: string | null; readonly address: string | null },
    reason: string,
    now: Moment,
  ): void;
  /** Pours that run on boards, by full meter name. */
  running(): ReadonlyMap<string, { readonly pourId: string; readonly ticks: number }>;
  /** Called about once a second: forgets running pours that nobody mentions any more. */
  snapshot(now: Moment): void;
  /** The newest heard of first; boards that never paired are left out after a week of silence. */
  roster(now: Moment): readonly BoardView[];
  /** Its controller is made or found again, and a new token waits an hour to be fetched, once. */
  allow(device: string, now: Moment, actor?: Actor): BoardView;
  /** Sends a board away, its token with it. */
  deny(device: string, now: Moment, actor?: Actor): BoardView;
  /** Ends a board's token; its controller, meters and drinks stay. */
  revoke(device: string, hand?: ActorContext): void;
  /** Forgets what is known of a board; one that is paired keeps its token and shows up again. */
  forget(device: string, hand?: ActorContext): void;
  /** Ends grants, all of them without `grantIds`; without a device on every board. Heard at the next heartbeat. */
  deauthorize(
    which: { readonly device?: string; readonly grantIds?: readonly string[] },
    now: Moment,
    actor?: Actor,
  ): void;
  /** Ends every grant of somebody on boards; with a token, as it is kept, only those it was presented for. */
  closeTapsOf(
    username: string,
    now: Moment,
    token?: { readonly device: string; readonly value: string },
  ): void;
  /** Tokens presented lately that nobody knows, the latest first, at most 100. */
  unknownTokens(): readonly SeenToken[];
}

const usualHeartbeatMs = 60_000;
const silenceMs = 7 * 24 * 3_600_000;
const mostTokensShown = 100;
/** Grants of one account that an order to close names; a guest has one or two. */
const mostGrantsNamed = 50;

export function createDevices(parts: EngineParts): Devices {
  const { store } = parts;
  const bus = createWaitingBus(parts.bus);
  const running = new BoardPoursRunning(parts.bus);
  const hearing = new BoardHearing(parts, bus, running);

  /** Does one thing wholly or not at all; its news goes out after the commit. */
  const whole = <T>(work: () => T): T => {
    let result: T;
    try {
      result = store.transaction(work);
    } catch (fault) {
      bus.drop();
      throw fault;
    }
    bus.tell();
    return result;
  };
  const changed = (): void => bus.publish({ type: 'database.changed' });
  /** What somebody did with a board; without a hand it was the house itself. */
  const book = (hand: ActorContext | undefined, action: string, device: string, sides: object = {}): void => {
    if (hand === undefined) return;
    writeAudit(
      store,
      { actor: hand.actor, action, subject: { kind: 'kegboard', id: device }, ...sides },
      hand.now,
    );
  };
  const stateOf = (device: string) => {
    const state = store.devices.byName(device)?.state;
    return state === undefined ? null : { state };
  };
  const known = (device: string): Board => found(store.devices.byName(device), 'board of that name');

  return {
    hear({ device, token, address, batch }, now) {
      const sender = boardOfToken(store, token);
      const glanced = sender && hearing.glance(sender, batch, now);
      if (glanced !== null) return { kind: 'heard', ...glanced };
      const answer = whole(() => {
        const board = boardOfToken(store, token);
        if (board === null) return answerAsking(store, { device, address, now });
        return { board, taken: hearing.hear(board, batch, address, now) };
      });
      if (!('taken' in answer)) return { kind: 'pairing', pairing: answer };
      hearing.show(answer.board, answer.taken, now);
      return { kind: 'heard', ...answer.taken.heard };
    },

    noteRefusal({ device, token, address }, reason, now) {
      whole(() => {
        const named = store.devices.byName(device);
        // Without the token anybody may say anything in a paired board's name.
        const board = boardOfToken(store, token) ?? (named?.tokenHash === null ? named : null);
        const lastError = [...reason].slice(0, 300).join('');
        if (board === null || (board.lastError === lastError && board.address === address)) return;
        store.devices.save({ ...board, address, lastSeenMs: wallMs(now), lastError });
      });
    },

    running: () => running.now(),
    snapshot: (now) => running.snapshot(now),
    roster: (now) =>
      store.devices
        .all()
        .filter(({ tokenHash, lastSeenMs }) => tokenHash !== null || !isLongAgo(lastSeenMs, now))
        .toSorted((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0) || b.id - a.id)
        .map((board) => toView(store, board, now)),

    allow(device, now, actor) {
      const name = textIn('device', device, { max: 64 });
      return whole(() => {
        const before = stateOf(name);
        changed();
        const view = toView(store, allowBoard(store, name, now), now);
        book(toActorContext(actor, now), 'kegboard.allowed', name, { before, after: stateOf(name) });
        return view;
      });
    },

    deny: (device, now, actor) =>
      whole(() => {
        const before = stateOf(device);
        const board = { ...known(device), state: 'denied' as const, ...noToken };
        store.devices.save(board);
        store.deviceCommands.removeAll(board.id);
        changed();
        book(toActorContext(actor, now), 'kegboard.denied', device, { before, after: stateOf(device) });
        return toView(store, board, now);
      }),

    revoke: (device, hand) =>
      whole(() => {
        book(hand, 'kegboard.revoked', device, { before: stateOf(device) });
        store.devices.remove(known(device).id);
        changed();
      }),

    forget: (device, hand) =>
      whole(() => {
        const board = known(device);
        book(hand, 'kegboard.forgotten', device, { before: stateOf(device) });
        store.deviceCommands.removeAll(board.id);
        const holdsToken = board.tokenHash !== null && board.stagedToken === null;
        if (holdsToken) store.devices.save({ ...board, ...nothingHeard });
        else store.devices.remove(board.id);
        changed();
      }),

    deauthorize: ({ device, grantIds }, now, actor) =>
      whole(() => {
        const boards = device === undefined ? store.devices.all() : [known(device)];
        const after = { grants: grantIds ?? 'all' };
        book(toActorContext(actor, now), 'kegboard.deauthorized', device ?? 'all', { after });
        for (const board of boards) {
          if (board.tokenHash !== null) closeTaps(parts, board, grantIds ?? null, now);
        }
      }),

    closeTapsOf: (username, now, token) =>
      whole(() => {
        const user = store.users.byName(username);
        if (user === null) return;
        const isMeant = ({ authDevice, tokenValue }: Grant) => {
          const { device, value } = tidyToken(authDevice, tokenValue);
          return token === undefined || (device === token.device && value === token.value);
        };
        const grants = store.grants.liveOfUser(user.id).filter(isMeant).slice(-mostGrantsNamed);
        for (const board of store.devices.all()) {
          const grantIds = grants.filter(({ device }) => device === board.device).map(({ id }) => id);
          if (grantIds.length > 0 && board.tokenHash !== null) closeTaps(parts, board, grantIds, now);
        }
      }),

    unknownTokens: () => store.tokensSeen.unknown(mostTokensShown),
  };
}

const noToken = { tokenHash: null, stagedToken: null, stagedTimeMs: null, allowedAddress: null } as const;

const nothingHeard = {
  ...{ lastSeenMs: null, address: null, fwVersion: null, uptimeMs: null, rssiDbm: null },
  ...{ eventsDropped: null, config: null, meterNumbers: null, relayNumbers: null, lastError: null },
} as const;

const isLongAgo = (lastSeenMs: number | null, now: Moment): boolean =>
  lastSeenMs !== null && wallMs(now) - lastSeenMs > silenceMs;

function toView(store: Store, board: Board, now: Moment): BoardView {
  const isBroken = board.controllerId === null && (board.state === 'paired' || board.state === 'allowed');
  const { heartbeat_ms: told } = JSON.parse(board.config ?? '{}') as { heartbeat_ms?: unknown };
  const heartbeatMs = typeof told === 'number' ? told : usualHeartbeatMs;
  const silentMs = board.lastSeenMs === null ? Number.POSITIVE_INFINITY : wallMs(now) - board.lastSeenMs;
  return {
    // Its controller was deleted, and its token with it: it has to ask again.
    board: isBroken ? { ...board, state: 'pending' } : board,
    isOnline: silentMs < 2.5 * heartbeatMs,
    warnings: missingPorts(store, board),
    poursSetAside: store.poursSetAside.count(board.device),
  };
}
