import type { Grant } from '../../../core/access/grant.ts';
import { normalizeToken } from '../../../core/access/token-value.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Problem } from '../../../core/health/problems.ts';
import { toActorContext } from '../../../engine/shared/actor-context.ts';
import type { Actor } from '../../../engine/shared/audit.ts';
import { createBufferedBus } from '../../../engine/shared/buffered-bus.ts';
import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { KegboardCommand } from '../core/kegboards.ts';
import type { KegboardTables } from '../store/kegboards-store.ts';
import { createKegboardApproval, createKegboardAudit, requireKegboard } from './kegboard-approval.ts';
import type { KegboardBatch } from './kegboard-batch.ts';
import { queueGrantEnd } from './kegboard-commands.ts';
import {
  type AskingBoard,
  findKegboardByToken,
  KegboardPairing,
  type PairingAnswer,
  wallMs,
} from './kegboard-pairing.ts';
import { KegboardEventRecorder } from './record-board-events.ts';
import { RunningKegboardPours } from './running-kegboard-pours.ts';
import { detectSilentBoards } from './silent-boards.ts';

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

/** Upper bound of grants named in a command to close; a guest has one or two. */
const maxNamedGrants = 50;

export type Kegboards = ReturnType<typeof createKegboards>;

/** Kegboards, which report events over HTTP: pairing, events and commands. */
export function createKegboards(parts: EngineParts, tables: KegboardTables) {
  const { store } = parts;
  const bus = createBufferedBus(parts.bus);
  const running = new RunningKegboardPours(parts.bus);
  const recorder = new KegboardEventRecorder(parts, tables, bus, running);
  const pairing = new KegboardPairing(store, tables);

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
  const audit = createKegboardAudit(store);

  const approval = createKegboardApproval({ store, tables, pairing, inTransaction, publishChange });

  return {
    ...approval,

    alarmConditions: (now: Moment) =>
      detectSilentBoards(
        approval.reportingControllers(now),
        store.notifications.alarms.settings().silentMinutes,
        now,
      ),

    /**
     * Records a batch: when this returns, every event is durably stored or deliberately dropped. Throws
     * `unavailable` for a temporary error; then nothing of the batch is stored.
     */
    recordBatch({ device, token, address, batch }: KegboardRequest, now: Moment): KegboardAnswer {
      const sender = findKegboardByToken(tables, token);
      const shownBatch = sender && recorder.showUpdates(sender, batch, now);
      if (shownBatch !== null) return { kind: 'recorded', ...shownBatch };
      if (sender === null) {
        return { kind: 'pairing', pairing: pairing.answer({ device, address, bootId: batch.bootId }, now) };
      }
      const answer = inTransaction(() => {
        const board = findKegboardByToken(tables, token)!;
        return { board, recording: recorder.recordBoardEvents(board, batch, address, now) };
      });
      // The token arrived: nobody else can ask under this name any more.
      if (answer.board.state !== 'paired') pairing.forget(answer.board.device);
      recorder.publishRunning(answer.board, answer.recording, now);
      return { kind: 'recorded', ...answer.recording.recorded };
    },

    /** True for the token of a board: its batches have no limit. */
    isValidToken: (token: string | null): boolean => findKegboardByToken(tables, token) !== null,

    /** True when a board without a token is listed already, so that its request adds nothing. */
    isKnownRequest: (board: AskingBoard): boolean => pairing.isKnown(board),

    /**
     * Notes a batch that could not be parsed, for staff: on the board with this token, else on the requests of that
     * name and address, which writes nothing.
     */
    noteRefusal(
      {
        device,
        token,
        address,
      }: { readonly device: string; readonly token: string | null; readonly address: string | null },
      problem: Problem,
      now: Moment,
    ): void {
      if (findKegboardByToken(tables, token) === null) {
        pairing.noteRefusal({ device, address }, problem);
        return;
      }
      inTransaction(() => {
        const board = findKegboardByToken(tables, token);
        if (board === null) return;
        const isNoted = board.problems.length === 1 && board.problems[0]?.message === problem.message;
        if (isNoted && board.address === address) return;
        tables.kegboards.save({ ...board, address, lastSeenMs: wallMs(now), problems: [problem] });
      });
    },

    /** Running pours on kegboards by full meter name. */
    shownPours: (): ReadonlyMap<string, { readonly pourId: string; readonly ticks: number }> => running.now(),

    /** Called about once a second: removes running pours without recent updates. */
    poll: (now: Moment): void => running.poll(now),

    /**
     * Ends grants, all without `grantIds`; without a device on every board. Takes effect at the next heartbeat.
     */
    deauthorize: (
      { device, grantIds }: { readonly device?: string; readonly grantIds?: readonly string[] },
      now: Moment,
      actor?: Actor,
    ): void =>
      inTransaction(() => {
        const boards = device === undefined ? tables.kegboards.all() : [requireKegboard(tables, device)];
        const after = { grants: grantIds ?? 'all' };
        audit(toActorContext(actor, now), 'kegboard.deauthorized', device ?? 'all', { after });
        for (const board of boards) {
          if (board.tokenHash !== null)
            queueGrantEnd({ tables, ids: parts.ids }, board, grantIds ?? null, now);
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
        const grants = store.access.grants.liveByUser(user.id).filter(isAffected).slice(-maxNamedGrants);
        for (const board of tables.kegboards.all()) {
          const grantIds = grants.filter(({ device }) => device === board.device).map(({ id }) => id);
          if (grantIds.length > 0 && board.tokenHash !== null)
            queueGrantEnd({ tables, ids: parts.ids }, board, grantIds, now);
        }
      }),
  };
}
