/** A command as it was sent, before its permission and its limits are checked. */
export interface Command {
  readonly action: 'open' | 'close' | 'close_all' | 'empty' | 'next';
  /** Null for a plain text such as `OPEN`. */
  readonly id: string | null;
  readonly timeMs: number | null;
  /** Null: the limit of the settings. */
  readonly ml: number | null;
  readonly seconds: number | null;
  readonly reason: string | null;
}

/** Why a command is refused. */
export class CommandRefused extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

/** Longest command, bytes. */
export const maxCommandBytes = 1_024;

/** What a command is for: the valve or the keg of a tap, or the valves of all taps. */
export type CommandSubject = 'valve' | 'keg' | 'valves';

const actionsOf: Readonly<Record<CommandSubject, readonly Command['action'][]>> = {
  valve: ['open', 'close'],
  keg: ['empty', 'next'],
  valves: ['close_all'],
};
const keys: readonly string[] = ['action', 'id', 'time', 'ml', 'seconds', 'reason'];

/** Parses a plain text or JSON. Throws `CommandRefused`. */
export function parseCommand(subject: CommandSubject, payload: Buffer): Command {
  const text = payload.toString('utf8').trim();
  const plain = { id: null, timeMs: null, ml: null, seconds: null, reason: null };
  if (!text.startsWith('{')) return { action: parseAction(subject, text.toLowerCase()), ...plain };
  const data = parseJson(text);
  const unknown = Object.keys(data).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw invalid(`“${unknown.slice(0, 32)}” is not a part of a command.`);
  const { id, time, ml = null, seconds = null, reason = null } = data;
  if (typeof id !== 'string' || !/^[\w.:-]{1,64}$/.test(id))
    throw invalid('id must be 1 to 64 letters, digits, _ . : and -.');
  const timeMs = typeof time === 'string' && time.length <= 40 ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(timeMs)) throw invalid('time must be an ISO 8601 time with its zone.');
  if (reason !== null && (typeof reason !== 'string' || reason.length > 200))
    throw invalid('reason must be a text of at most 200 characters.');
  return {
    action: parseAction(subject, String(data.action)),
    id,
    timeMs,
    ml: parseAmount('ml', ml),
    seconds: parseAmount('seconds', seconds),
    reason,
  };
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null) return data as Readonly<Record<string, unknown>>;
  } catch {
    // Answered below.
  }
  throw invalid('It is neither a plain command nor JSON.');
}

function parseAction(subject: CommandSubject, text: string): Command['action'] {
  const actions = actionsOf[subject];
  const action = actions.find((one) => one === text);
  if (action !== undefined) return action;
  throw invalid(`The commands of this topic are ${actions.map((one) => one.toUpperCase()).join(' and ')}.`);
}

function parseAmount(name: string, value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 1) return value;
  throw invalid(`${name} must be a number of at least 1.`);
}

const invalid = (text: string): CommandRefused => new CommandRefused('invalid', text);
