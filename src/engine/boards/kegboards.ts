import type { Board, BoardCommand, Grant, SeenToken } from '../../core/boards.ts';
import type { Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, toActorContext } from '../actor-context.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { requireFound, validateText } from '../bounds.ts';
import { createBufferedBus } from '../buffered-bus.ts';
import type { EngineParts } from '../parts.ts';
import { normalizeToken } from '../resolve-user.ts';
import type { BoardBatch } from './board-batch.ts';
import { closeTaps } from './board-commands.ts';
import { missingPorts } from './board-inventory.ts';
import { allowBoard, answerPairing, findBoardByToken, type PairingAnswer, wallMs } from './board-pairing.ts';
import { BoardPoursRunning } from './board-pours-running.ts';
import { BoardEventRecorder } from './record-board-events.ts';

/** A batch as it came in: who says it, with which token, from where. */
export interface BoardRequest {
  readonly device: string;
  readonly token: string | null;
  readonly address: string | null;
  readonly batch: BoardBatch;
}

/** What a board is answered. */
export type BoardAnswer =
  | {
      readonly kind: 'recorded';
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
export interface Kegboards {
  /**
   * Takes a batch: when this returns, everything in it is durably stored or deliberately dropped, once and for all.
   * Throws `unavailable` for what passes; then nothing of the batch has happened.
   */
  recordBatch(call: BoardRequest, now: Moment): BoardAnswer;
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
  list(now: Moment): readonly BoardView[];
  /** Its controller is made or found again, and a new token waits an hour to be fetched, once. */
  allow(device: string, now: Moment, actor?: Actor): BoardView;
  /** Sends a board away, its token with it. */
  deny(device: string, now: Moment, actor?: Actor): BoardView;
  /** Ends a board's token; its controller, meters and drinks stay. */
  revoke(device: string, context?: ActorContext): void;
  /** Forgets what is known of a board; one that is paired keeps its token and shows up again. */
  forget(device: string, context?: ActorContext): void;
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

const defaultHeartbeatMs = 60_000;
const silenceMs = 7 * 24 * 3_600_000;
const maxUnknownTokens = 100;
/** Grants of one account that an order to close names; a guest has one or two. */
const maxNamedGrants = 50;

export function createKegboards(parts: EngineParts): Kegboards {
  const { store } = parts;
  const bus = createBufferedBus(parts.bus);
  const running = new BoardPoursRunning(parts.bus);
  const recorder = new BoardEventRecorder(parts, bus, running);

  /** Does one thing wholly or not at all; its news goes out after the commit. */
  const inTransaction = <T>(work: () => T): T => {
    let result: T;
    try {
      result = store.transaction(work);
    } catch (fault) {
      bus.discard();
      throw fault;
    }
    bus.flush();
    return result;
  };
  const publishChange = (): void => bus.publish({ type: 'database.changed' });
  /** What somebody did with a board; without a hand it was the house itself. */
  const audit = (
    context: ActorContext | undefined,
    action: string,
    device: string,
    sides: object = {},
  ): void => {
    if (context === undefined) return;
    writeAudit(
      store,
      { actor: context.actor, action, subject: { kind: 'kegboard', id: device }, ...sides },
      context.now,
    );
  };
  const readState = (device: string) => {
    const state = store.devices.byName(device)?.state;
    return state === undefined ? null : { state };
  };
  const requireBoard = (device: string): Board =>
    requireFound(store.devices.byName(device), 'board of that name');

  return {
    recordBatch({ device, token, address, batch }, now) {
      const sender = findBoardByToken(store, token);
      const shown = sender && recorder.showUpdates(sender, batch, now);
      if (shown !== null) return { kind: 'recorded', ...shown };
      const answer = inTransaction(() => {
        const board = findBoardByToken(store, token);
        if (board === null) return answerPairing(store, { device, address, now });
        return { board, taken: recorder.recordBoardEvents(board, batch, address, now) };
      });
      if (!('taken' in answer)) return { kind: 'pairing', pairing: answer };
      recorder.publishRunning(answer.board, answer.taken, now);
      return { kind: 'recorded', ...answer.taken.heard };
    },

    noteRefusal({ device, token, address }, reason, now) {
      inTransaction(() => {
        const named = store.devices.byName(device);
        // Without the token anybody may say anything in a paired board's name.
        const board = findBoardByToken(store, token) ?? (named?.tokenHash === null ? named : null);
        const lastError = [...reason].slice(0, 300).join('');
        if (board === null || (board.lastError === lastError && board.address === address)) return;
        store.devices.save({ ...board, address, lastSeenMs: wallMs(now), lastError });
      });
    },

    running: () => running.now(),
    snapshot: (now) => running.snapshot(now),
    list: (now) =>
      store.devices
        .all()
        .filter(({ tokenHash, lastSeenMs }) => tokenHash !== null || !isLongAgo(lastSeenMs, now))
        .toSorted((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0) || b.id - a.id)
        .map((board) => toView(store, board, now)),

    allow(device, now, actor) {
      const name = validateText('device', device, { max: 64 });
      return inTransaction(() => {
        const before = readState(name);
        publishChange();
        const view = toView(store, allowBoard(store, name, now), now);
        audit(toActorContext(actor, now), 'kegboard.allowed', name, { before, after: readState(name) });
        return view;
      });
    },

    deny: (device, now, actor) =>
      inTransaction(() => {
        const before = readState(device);
        const board = { ...requireBoard(device), state: 'denied' as const, ...noToken };
        store.devices.save(board);
        store.deviceCommands.removeAll(board.id);
        publishChange();
        audit(toActorContext(actor, now), 'kegboard.denied', device, { before, after: readState(device) });
        return toView(store, board, now);
      }),

    revoke: (device, context) =>
      inTransaction(() => {
        audit(context, 'kegboard.revoked', device, { before: readState(device) });
        store.devices.remove(requireBoard(device).id);
        publishChange();
      }),

    forget: (device, context) =>
      inTransaction(() => {
        const board = requireBoard(device);
        audit(context, 'kegboard.forgotten', device, { before: readState(device) });
        store.deviceCommands.removeAll(board.id);
        const holdsToken = board.tokenHash !== null && board.stagedToken === null;
        if (holdsToken) store.devices.save({ ...board, ...noReport });
        else store.devices.remove(board.id);
        publishChange();
      }),

    deauthorize: ({ device, grantIds }, now, actor) =>
      inTransaction(() => {
        const boards = device === undefined ? store.devices.all() : [requireBoard(device)];
        const after = { grants: grantIds ?? 'all' };
        audit(toActorContext(actor, now), 'kegboard.deauthorized', device ?? 'all', { after });
        for (const board of boards) {
          if (board.tokenHash !== null) closeTaps(parts, board, grantIds ?? null, now);
        }
      }),

    closeTapsOf: (username, now, token) =>
      inTransaction(() => {
        const user = store.users.byName(username);
        if (user === null) return;
        const isAffected = ({ authDevice, tokenValue }: Grant) => {
          const { device, value } = normalizeToken(authDevice, tokenValue);
          return token === undefined || (device === token.device && value === token.value);
        };
        const grants = store.grants.liveOfUser(user.id).filter(isAffected).slice(-maxNamedGrants);
        for (const board of store.devices.all()) {
          const grantIds = grants.filter(({ device }) => device === board.device).map(({ id }) => id);
          if (grantIds.length > 0 && board.tokenHash !== null) closeTaps(parts, board, grantIds, now);
        }
      }),

    unknownTokens: () => store.tokensSeen.unknown(maxUnknownTokens),
  };
}

const noToken = { tokenHash: null, stagedToken: null, stagedTimeMs: null, allowedAddress: null } as const;

const noReport = {
  ...{ lastSeenMs: null, address: null, fwVersion: null, uptimeMs: null, rssiDbm: null },
  ...{ eventsDropped: null, config: null, meterNumbers: null, relayNumbers: null, lastError: null },
} as const;

const isLongAgo = (lastSeenMs: number | null, now: Moment): boolean =>
  lastSeenMs !== null && wallMs(now) - lastSeenMs > silenceMs;

function toView(store: Store, board: Board, now: Moment): BoardView {
  const hasNoController =
    board.controllerId === null && (board.state === 'paired' || board.state === 'allowed');
  const { heartbeat_ms: configuredMs } = JSON.parse(board.config ?? '{}') as { heartbeat_ms?: unknown };
  const heartbeatMs = typeof configuredMs === 'number' ? configuredMs : defaultHeartbeatMs;
  const silentMs = board.lastSeenMs === null ? Number.POSITIVE_INFINITY : wallMs(now) - board.lastSeenMs;
  return {
    // Its controller was deleted, and its token with it: it has to ask again.
    board: hasNoController ? { ...board, state: 'pending' } : board,
    isOnline: silentMs < 2.5 * heartbeatMs,
    warnings: missingPorts(store, board),
    poursSetAside: store.poursSetAside.count(board.device),
  };
}
