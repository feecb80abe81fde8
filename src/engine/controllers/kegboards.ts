import type { Moment } from '../../core/clock/moment.ts';
import type { Grant, Kegboard, KegboardCommand, SeenToken } from '../../core/controllers/kegboards.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, toActorContext } from '../shared/actor-context.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { requireFound, validateText } from '../shared/bounds.ts';
import { createBufferedBus } from '../shared/buffered-bus.ts';
import type { EngineParts } from '../shared/parts.ts';
import { normalizeToken } from '../users/resolve-user.ts';
import type { KegboardBatch } from './kegboard-batch.ts';
import { queueGrantEnd } from './kegboard-commands.ts';
import { missingPorts } from './kegboard-inventory.ts';
import {
  allowKegboard,
  answerPairing,
  findKegboardByToken,
  type PairingAnswer,
  wallMs,
} from './kegboard-pairing.ts';
import { KegboardEventRecorder } from './record-board-events.ts';
import { RunningKegboardPours } from './running-kegboard-pours.ts';

/** A batch with its sender, token and address. */
interface KegboardRequest {
  readonly device: string;
  readonly token: string | null;
  readonly address: string | null;
  readonly batch: KegboardBatch;
}

/** Answer to a board. */
export type KegboardAnswer =
  | {
      readonly kind: 'recorded';
      readonly commands: readonly KegboardCommand[];
      /** Log messages about events that could not be used. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'pairing'; readonly pairing: PairingAnswer };

/** A board as staff see it. */
export interface KegboardView {
  readonly board: Kegboard;
  /** True when it was seen within 2.5 heartbeat intervals. */
  readonly isOnline: boolean;
  /** Warnings about missing ports. */
  readonly warnings: readonly string[];
  /** Number of its pours that could not be recorded. */
  readonly refusedPours: number;
}

const defaultHeartbeatMs = 60_000;
const silenceMs = 7 * 24 * 3_600_000;
const maxUnknownTokens = 100;
/** Upper bound of grants named in a command to close; a guest has one or two. */
const maxNamedGrants = 50;

/** Kegboards, which report events over HTTP: pairing, events and commands. */
export function createKegboards(parts: EngineParts) {
  const { store } = parts;
  const bus = createBufferedBus(parts.bus);
  const running = new RunningKegboardPours(parts.bus);
  const recorder = new KegboardEventRecorder(parts, bus, running);

  /** Runs `work` in a transaction; its events are published after the commit. */
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
  /**
   * Writes the audit log entry of a change; without a context the daemon made the change and nothing is
   * written.
   */
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
    const state = store.kegboards.byName(device)?.state;
    return state === undefined ? null : { state };
  };
  const requireBoard = (device: string): Kegboard =>
    requireFound(store.kegboards.byName(device), 'board of that name');

  return {
    /**
     * Records a batch: when this returns, every event is durably stored or deliberately dropped. Throws
     * `unavailable` for a temporary error; then nothing of the batch is stored.
     */
    recordBatch({ device, token, address, batch }: KegboardRequest, now: Moment): KegboardAnswer {
      const sender = findKegboardByToken(store, token);
      const shownBatch = sender && recorder.showUpdates(sender, batch, now);
      if (shownBatch !== null) return { kind: 'recorded', ...shownBatch };
      const answer = inTransaction(() => {
        const board = findKegboardByToken(store, token);
        if (board === null) return answerPairing(store, { device, address, now });
        return { board, recording: recorder.recordBoardEvents(board, batch, address, now) };
      });
      if (!('recording' in answer)) return { kind: 'pairing', pairing: answer };
      recorder.publishRunning(answer.board, answer.recording, now);
      return { kind: 'recorded', ...answer.recording.recorded };
    },

    /** Notes a batch that could not be parsed on its board, for staff. Ignores unknown names. */
    noteRefusal(
      {
        device,
        token,
        address,
      }: { readonly device: string; readonly token: string | null; readonly address: string | null },
      reason: string,
      now: Moment,
    ): void {
      inTransaction(() => {
        const named = store.kegboards.byName(device);
        // Without its token a request may not write to a paired board's row.
        const board = findKegboardByToken(store, token) ?? (named?.tokenHash === null ? named : null);
        const lastError = [...reason].slice(0, 300).join('');
        if (board === null || (board.lastError === lastError && board.address === address)) return;
        store.kegboards.save({ ...board, address, lastSeenMs: wallMs(now), lastError });
      });
    },

    /** Running pours on kegboards by full meter name. */
    running: (): ReadonlyMap<string, { readonly pourId: string; readonly ticks: number }> => running.now(),

    /** Called about once a second: removes running pours without recent updates. */
    poll: (now: Moment): void => running.poll(now),

    /**
     * All boards, the most recently seen first; boards that never paired are left out after a week of silence.
     */
    list: (now: Moment): readonly KegboardView[] =>
      store.kegboards
        .all()
        .filter(({ tokenHash, lastSeenMs }) => tokenHash !== null || !isLongAgo(lastSeenMs, now))
        .toSorted((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0) || b.id - a.id)
        .map((board) => toView(store, board, now)),

    /**
     * Allows a board: finds or creates its controller and stages a new token, which the board can fetch once
     * within an hour.
     */
    allow(device: string, now: Moment, actor?: Actor): KegboardView {
      const name = validateText('device', device, { max: 64 });
      return inTransaction(() => {
        const before = readState(name);
        publishChange();
        const view = toView(store, allowKegboard(store, name, now), now);
        audit(toActorContext(actor, now), 'kegboard.allowed', name, { before, after: readState(name) });
        return view;
      });
    },

    /** Denies a board and deletes its token. */
    deny: (device: string, now: Moment, actor?: Actor): KegboardView =>
      inTransaction(() => {
        const before = readState(device);
        const board = { ...requireBoard(device), state: 'denied' as const, ...noToken };
        store.kegboards.save(board);
        store.kegboardCommands.removeAll(board.id);
        publishChange();
        audit(toActorContext(actor, now), 'kegboard.denied', device, { before, after: readState(device) });
        return toView(store, board, now);
      }),

    /** Revokes a board's token; its controller, meters and drinks stay. */
    revoke: (device: string, context?: ActorContext): void =>
      inTransaction(() => {
        audit(context, 'kegboard.revoked', device, { before: readState(device) });
        store.kegboards.remove(requireBoard(device).id);
        publishChange();
      }),

    /** Deletes a board's data; a paired board keeps its token and is listed again at its next report. */
    forget: (device: string, context?: ActorContext): void =>
      inTransaction(() => {
        const board = requireBoard(device);
        audit(context, 'kegboard.deleted', device, { before: readState(device) });
        store.kegboardCommands.removeAll(board.id);
        const holdsToken = board.tokenHash !== null && board.stagedToken === null;
        if (holdsToken) store.kegboards.save({ ...board, ...noReport });
        else store.kegboards.remove(board.id);
        publishChange();
      }),

    /**
     * Ends grants, all without `grantIds`; without a device on every board. Takes effect at the next heartbeat.
     */
    deauthorize: (
      { device, grantIds }: { readonly device?: string; readonly grantIds?: readonly string[] },
      now: Moment,
      actor?: Actor,
    ): void =>
      inTransaction(() => {
        const boards = device === undefined ? store.kegboards.all() : [requireBoard(device)];
        const after = { grants: grantIds ?? 'all' };
        audit(toActorContext(actor, now), 'kegboard.deauthorized', device ?? 'all', { after });
        for (const board of boards) {
          if (board.tokenHash !== null) queueGrantEnd(parts, board, grantIds ?? null, now);
        }
      }),

    /**
     * Ends every grant of a user on boards; with a token (in its stored form) only the grants of that token.
     */
    endUserGrants: (
      username: string,
      now: Moment,
      token?: { readonly device: string; readonly value: string },
    ): void =>
      inTransaction(() => {
        const user = store.users.byName(username);
        if (user === null) return;
        const isAffected = ({ authDevice, tokenValue }: Grant) => {
          const { device, value } = normalizeToken(authDevice, tokenValue);
          return token === undefined || (device === token.device && value === token.value);
        };
        const grants = store.grants.liveByUser(user.id).filter(isAffected).slice(-maxNamedGrants);
        for (const board of store.kegboards.all()) {
          const grantIds = grants.filter(({ device }) => device === board.device).map(({ id }) => id);
          if (grantIds.length > 0 && board.tokenHash !== null) queueGrantEnd(parts, board, grantIds, now);
        }
      }),

    /** Recently presented unknown tokens, the latest first, at most 100. */
    unknownTokens: (): readonly SeenToken[] => store.presentedTokens.unknown(maxUnknownTokens),
  };
}

const noToken = { tokenHash: null, stagedToken: null, stagedTimeMs: null, allowedAddress: null } as const;

const noReport = {
  ...{ lastSeenMs: null, address: null, fwVersion: null, uptimeMs: null, rssiDbm: null },
  ...{ eventsDropped: null, config: null, meterNumbers: null, relayNumbers: null, lastError: null },
} as const;

const isLongAgo = (lastSeenMs: number | null, now: Moment): boolean =>
  lastSeenMs !== null && wallMs(now) - lastSeenMs > silenceMs;

function toView(store: Store, board: Kegboard, now: Moment): KegboardView {
  const hasNoController =
    board.controllerId === null && (board.state === 'paired' || board.state === 'allowed');
  const { heartbeat_ms: configuredMs } = JSON.parse(board.config ?? '{}') as { heartbeat_ms?: unknown };
  const heartbeatMs = typeof configuredMs === 'number' ? configuredMs : defaultHeartbeatMs;
  const silentMs = board.lastSeenMs === null ? Number.POSITIVE_INFINITY : wallMs(now) - board.lastSeenMs;
  return {
    // The controller and with it the token was deleted: the board must ask again.
    board: hasNoController ? { ...board, state: 'pending' } : board,
    isOnline: silentMs < 2.5 * heartbeatMs,
    warnings: missingPorts(store, board),
    refusedPours: store.refusedPours.count(board.device),
  };
}
