import type { Moment } from '../../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import type { ReportingController } from '../../../engine/controller-hooks.ts';
import { type ActorContext, toActorContext } from '../../../engine/shared/actor-context.ts';
import { type Actor, writeAudit } from '../../../engine/shared/audit.ts';
import { requireFound } from '../../../engine/shared/bounds.ts';
import type { Store } from '../../../store/store.ts';
import type { Kegboard } from '../core/kegboards.ts';
import type { PairingRequest } from '../core/pairing-request.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';
import { missingPorts } from './kegboard-inventory.ts';
import { isPaired, type KegboardPairing, type RequestChoice, wallMs } from './kegboard-pairing.ts';

/** A board as staff see it. */
export interface KegboardView {
  readonly board: Kegboard;
  /** True when it was seen within 2.5 heartbeat intervals. */
  readonly isOnline: boolean;
  /** Warnings about missing ports. */
  readonly warnings: readonly Problem[];
  /** Number of its pours that could not be recorded. */
  readonly refusedPours: number;
  /** Its request while its token was not used yet; null once paired. */
  readonly request: PairingRequest | null;
  /** Other addresses that asked under its name without its token in the last ten minutes. */
  readonly otherAddresses: readonly string[];
}

/** A request for pairing as staff see it. */
export interface PairingRequestView {
  readonly request: PairingRequest;
  /** Addresses of the other requests under its name; its own address if another boot asks from there. */
  readonly otherAddresses: readonly string[];
}

interface Parts {
  readonly store: Store;
  readonly tables: KegboardTables;
  readonly pairing: KegboardPairing;
  /** Runs `work` in a transaction. */
  inTransaction<T>(work: () => T): T;
  publishChange(): void;
}

/** Heartbeat interval of a board that did not report its own, milliseconds. */
const defaultHeartbeatMs = 60_000;

const noReport = {
  lastSeenMs: null,
  address: null,
  fwVersion: null,
  uptimeMs: null,
  rssiDbm: null,
  eventsDropped: null,
  config: null,
  meterNumbers: null,
  relayNumbers: null,
  problems: [],
} as const;

/** What staff see of boards and their requests for pairing, and what they decide. */
export function createKegboardApproval({ store, tables, pairing, inTransaction, publishChange }: Parts) {
  const audit = createKegboardAudit(store);
  const toView = (board: Kegboard, now: Moment): KegboardView => {
    const named = pairing.named(board.device, now);
    const request = named.find(({ state }) => state === 'allowed') ?? null;
    return {
      board,
      isOnline: isOnline(board, now),
      warnings: missingPorts(store, board),
      refusedPours: tables.refusedPours.count(board.device),
      request,
      otherAddresses: isPaired(board)
        ? pairing.notedAddresses(board.device, now)
        : addressesBeside(request, named),
    };
  };
  const listed = (now: Moment): readonly Kegboard[] => {
    const asksAgain = ({ device }: Kegboard) => {
      const named = pairing.named(device, now);
      return named.length > 0 && !named.some(({ state }) => state === 'allowed');
    };
    return tables.kegboards
      .all()
      .filter((board) => board.state === 'denied' || board.controllerId !== null)
      .filter((board) => board.state !== 'allowed' || !asksAgain(board))
      .toSorted((a, b) => (b.lastSeenMs ?? 0) - (a.lastSeenMs ?? 0) || b.id - a.id);
  };
  const toRequestView = (request: PairingRequest, now: Moment): PairingRequestView => ({
    request,
    otherAddresses: addressesBeside(request, pairing.named(request.device, now)),
  });

  return {
    /**
     * Boards that staff allowed or denied, the most recently seen first. Left out: one whose controller was deleted, and
     * an allowed one that did not fetch its token in time and asks again.
     */
    list: (now: Moment): readonly KegboardView[] => listed(now).map((board) => toView(board, now)),

    /** Names a board that reports here or is about to; null without one. */
    whyInUse(): Problem | null {
      const isInUse = ({ state, controllerId }: Kegboard) => state !== 'denied' && controllerId !== null;
      const board = tables.kegboards.all().find(isInUse);
      return board === undefined ? null : createProblem('kegboard_in_use', { device: board.device });
    },

    /** Those of them with meters and relays here. */
    reportingControllers: (now: Moment): readonly ReportingController[] =>
      listed(now).flatMap(({ controllerId, device, state, lastSeenMs }) =>
        controllerId === null ? [] : [{ controllerId, device, isPaired: state === 'paired', lastSeenMs }],
      ),

    /** Requests for pairing that wait or were denied; those that asked repeatedly first, the latest first. */
    requests: (now: Moment): readonly PairingRequestView[] =>
      pairing
        .requests(now)
        .filter(({ state }) => state !== 'allowed')
        .map((request) => toRequestView(request, now)),

    /**
     * Allows the request that staff chose: finds or creates its controller and creates a token, which its source can
     * fetch within an hour until it uses it. Allowing it again changes nothing. Throws `conflict` when there is no such
     * request, and without an id when several use the name.
     */
    allow(device: string, choice: RequestChoice, now: Moment, actor?: Actor): KegboardView {
      const request = pairing.choose(device, choice, now);
      const known = tables.kegboards.byName(device);
      if (request.state === 'allowed' && known !== null) return toView(known, now);
      const { board, deliver } = inTransaction(() => {
        const before = known && { state: known.state };
        const allowed = pairing.allow(request, now);
        publishChange();
        const after = { state: 'allowed', address: request.address };
        audit(toActorContext(actor, now), 'kegboard.allowed', device, { before, after });
        return allowed;
      });
      deliver();
      return toView(board, now);
    },

    /**
     * Denies the request that staff chose: its name and address get no token until the daemon restarts or `forget`.
     * Without an id a board that was allowed or denied before is denied under any address, and loses its token. Throws
     * `not_found` for an unknown name and `conflict` as `allow` does.
     */
    deny(
      device: string,
      choice: RequestChoice,
      now: Moment,
      actor?: Actor,
    ): KegboardView | PairingRequestView {
      const context = toActorContext(actor, now);
      const isRequestChosen = choice.requestId !== undefined || choice.address !== undefined;
      if (
        isRequestChosen ||
        (tables.kegboards.byName(device) === null && pairing.named(device, now).length > 0)
      ) {
        const request = pairing.choosePending(device, choice, now);
        inTransaction(() => {
          publishChange();
          audit(context, 'kegboard.denied', device, { after: { state: 'denied', address: request.address } });
        });
        return toRequestView(pairing.deny(request), now);
      }
      const denied = inTransaction(() => {
        const before = requireKegboard(tables, device);
        const board = { ...before, state: 'denied' as const, tokenHash: null };
        tables.kegboards.save(board);
        tables.commands.removeAll(board.id);
        publishChange();
        const after = { state: board.state };
        audit(context, 'kegboard.denied', device, { before: { state: before.state }, after });
        return board;
      });
      pairing.forget(device);
      return toView(denied, now);
    },

    /** Revokes a board's token; its controller, meters and drinks stay. Its name can be asked for again. */
    revoke(device: string, context?: ActorContext): void {
      inTransaction(() => {
        const board = requireKegboard(tables, device);
        audit(context, 'kegboard.revoked', device, { before: { state: board.state } });
        tables.kegboards.remove(board.id);
        publishChange();
      });
      pairing.forget(device);
    },

    /**
     * Deletes a board's status and the requests under its name; a paired board keeps its token and is listed again at
     * its next report.
     */
    forget(device: string, context?: ActorContext): void {
      const requests = pairing.forget(device);
      inTransaction(() => {
        const board = requests > 0 ? tables.kegboards.byName(device) : requireKegboard(tables, device);
        audit(context, 'kegboard.deleted', device, { before: board && { state: board.state } });
        publishChange();
        if (board === null) return;
        tables.commands.removeAll(board.id);
        if (isPaired(board)) tables.kegboards.save({ ...board, ...noReport });
        else tables.kegboards.remove(board.id);
      });
    },
  };
}

const addressesBeside = (
  request: PairingRequest | null,
  named: readonly PairingRequest[],
): readonly string[] => [
  ...new Set(named.filter(({ id }) => id !== request?.id).map(({ address }) => address)),
];

/** Finds a board by its name. Throws `not_found`. */
export const requireKegboard = (tables: KegboardTables, device: string): Kegboard =>
  requireFound(tables.kegboards.byName(device), 'board of that name');

/**
 * Creates a function that writes the audit log entry of a change; without a context the daemon made the change and
 * nothing is written.
 */
export const createKegboardAudit =
  (store: Store) =>
  (context: ActorContext | undefined, action: string, device: string, sides: object = {}): void => {
    if (context === undefined) return;
    const { actor, now } = context;
    writeAudit(store, { actor, action, subject: { kind: 'kegboard', id: device }, ...sides }, now);
  };

/** True when the board was seen within 2.5 heartbeat intervals. */
function isOnline({ config, lastSeenMs }: Kegboard, now: Moment): boolean {
  const { heartbeat_ms: configuredMs } = JSON.parse(config ?? '{}') as { heartbeat_ms?: unknown };
  const heartbeatMs = typeof configuredMs === 'number' ? configuredMs : defaultHeartbeatMs;
  return lastSeenMs !== null && wallMs(now) - lastSeenMs < 2.5 * heartbeatMs;
}
