import { AppError } from '../../../../core/app-error.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import type { Engine } from '../../../../engine/engine.ts';
import type { Log } from '../../../../outbox/outbox-interfaces.ts';
import type { MqttSettings } from '../../core/mqtt-settings.ts';
import type { IncomingMessage } from '../broker/broker-client.ts';
import type { Connection } from '../broker/connection.ts';
import type { Topics } from '../topics.ts';
import {
  type Command,
  CommandRefused,
  type CommandSubject,
  maxCommandBytes,
  parseCommand,
} from './command-payload.ts';
import { closeAll, runCommand, type ValveSwitches } from './run-command.ts';

/** A command that was sent earlier, or is of a clock that runs ahead by more, is refused, milliseconds. */
const maxAgeMs = 10_000;
/** Commands within this time at most, milliseconds; what comes beyond is dropped without a word. */
const rateMs = 10_000;
const maxCommands = 20;

interface CommandParts {
  readonly engine: () => Engine | null;
  readonly now: () => Moment;
  readonly connection: Pick<Connection, 'publish' | 'subscribe'>;
  readonly topics: Topics;
  readonly settings: MqttSettings;
  readonly valves: ValveSwitches;
  readonly log: Log;
}

/** Carries out the commands that the settings permit, by the functions that the page uses. */
export function createCommands({ engine, now, connection, topics, settings, valves, log }: CommandParts) {
  const permitted = [
    ...(settings.allowsValves ? [topics.anyValveSet, topics.valvesSet] : []),
    ...(settings.allowsKegEmpty || settings.allowsNextBeer ? [topics.anyKegSet] : []),
  ];
  const pattern = new RegExp(
    `^${topics.base.replaceAll('.', '\\.')}/(?:taps/(\\d{1,15})/(valve|keg)|valves)/set$`,
  );
  const startedMs = now().wallMs;
  /** Ids of the last commands with their times; older ones are refused by their time. */
  const seen = new Map<string, number>();
  let recentMs: number[] = [];

  function check(message: IncomingMessage, command: Command): void {
    if (message.retain)
      throw new CommandRefused(
        'retained',
        'A retained command would be repeated at every connection: send it without retain.',
      );
    const { action, id, timeMs } = command;
    const isAllowed =
      action === 'open' || action === 'close' || action === 'close_all'
        ? settings.allowsValves
        : action === 'empty'
          ? settings.allowsKegEmpty
          : settings.allowsNextBeer;
    if (!isAllowed) throw new CommandRefused('not_allowed', 'The settings do not permit this command.');
    if (id === null || timeMs === null) return;
    const moment = now();
    if (!moment.synced)
      throw new CommandRefused(
        'clock_not_set',
        'The clock is not set, so the age of the command is not known.',
      );
    if (Math.abs(moment.wallMs - timeMs) > maxAgeMs || timeMs < startedMs - maxAgeMs / 10)
      throw new CommandRefused('late', 'The command is older than 10 s, or the clocks differ.');
    if (seen.has(id)) throw new CommandRefused('repeated', 'A command with this id was received already.');
    for (const [old, ms] of seen) if (moment.wallMs - ms > 3 * maxAgeMs) seen.delete(old);
    seen.set(id, moment.wallMs);
  }

  function carryOut(message: IncomingMessage, tapId: number | null, subject: CommandSubject) {
    let command: Command | null = null;
    try {
      if (message.payload.length > maxCommandBytes)
        throw new CommandRefused('invalid', `A command has at most ${maxCommandBytes} bytes.`);
      command = parseCommand(subject, message.payload);
      check(message, command);
      const open = engine();
      if (open === null) throw new CommandRefused('unavailable', 'The database is not open.');
      const context = { engine: open, valves, settings, now: now() };
      const text = tapId === null ? closeAll(command, context) : runCommand(command, { ...context, tapId });
      return { id: command.id, action: command.action, ok: true, code: 'done', text };
    } catch (fault) {
      const code =
        fault instanceof CommandRefused
          ? fault.code
          : fault instanceof AppError
            ? (fault.reason?.name ?? fault.code)
            : 'failed';
      if (code === 'failed') log.error({ err: fault }, 'an MQTT command failed');
      const text = code === 'failed' ? 'It failed; see the log.' : (fault as Error).message;
      return { id: command?.id ?? null, action: command?.action ?? null, ok: false, code, text };
    }
  }

  return {
    /** Call it at each connection. */
    onConnect(): void {
      if (permitted.length === 0) return;
      // As published: a command that was sent retained is recognised at once, not only at the next connection.
      connection
        .subscribe(permitted, { retainAsPublished: true })
        .catch((err: unknown) => log.warn({ err }, 'the MQTT broker does not permit to receive commands'));
    },
    onMessage(message: IncomingMessage): void {
      const match = pattern.exec(message.topic);
      // An empty message only deletes a retained one.
      if (match === null || message.payload.length === 0) return;
      const { monoMs } = now();
      recentMs = recentMs.filter((ms) => monoMs - ms < rateMs);
      if (recentMs.length >= maxCommands) return;
      recentMs.push(monoMs);
      const subject = (match[2] ?? 'valves') as CommandSubject;
      const tapId = match[1] === undefined ? null : Number(match[1]);
      const result = carryOut(message, tapId, subject);
      log.info({ tap: tapId, ...result }, 'MQTT command');
      const topic =
        tapId === null ? topics.valvesResult : topics.tapResult(tapId, subject === 'keg' ? 'keg' : 'valve');
      const send = (...sent: Parameters<Connection['publish']>) =>
        void connection.publish(...sent).catch(() => {});
      send({ topic, payload: JSON.stringify(result), qos: 1, retain: false });
      if (message.retain) send({ topic: message.topic, payload: '', qos: 1, retain: true });
    },
  };
}
