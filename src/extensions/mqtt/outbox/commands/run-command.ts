import type { Moment } from '../../../../core/clock/moment.ts';
import type { Actor, Engine } from '../../../../engine/engine.ts';
import type { MqttSettings } from '../../core/mqtt-settings.ts';
import { type Command, CommandRefused } from './command-payload.ts';

/** The valves as staff switch them. */
export interface ValveSwitches {
  /** Closes it by itself after `ms`, and after the ticks of `limit`. Throws when it cannot be switched. */
  openManually(
    toggle: string,
    ms: number,
    limit?: { readonly meter: string; readonly maxTicks: number },
  ): void;
  shut(toggle: string): void;
  isOpen(toggle: string): boolean;
}

interface CommandContext {
  readonly engine: Engine;
  readonly tapId: number;
  readonly valves: ValveSwitches;
  readonly settings: MqttSettings;
  readonly now: Moment;
}

/** A command over MQTT, whose sender only the broker knows. */
const actor: Actor = { userId: null, via: 'mqtt' };

/** Carries out a command that is permitted; returns what was done. Throws `CommandRefused` or `AppError`. */
export function runCommand(command: Command, context: CommandContext): string {
  const { engine, tapId, now } = context;
  const { action } = command;
  if (action === 'close_all') throw new CommandRefused('invalid', 'The command is for all valves.');
  const view = engine.taps.find(tapId);
  if (view === null || view.tap.id !== tapId)
    throw new CommandRefused('not_found', `There is no tap ${tapId}.`);
  const done = actions[action](command, context, view);
  record(command, { engine, now }, { kind: 'tap', id: tapId });
  return done;
}

/** Closes the valves of all taps, also when one cannot be closed. Throws what failed. */
export function closeAll(command: Command, { engine, valves, now }: Omit<CommandContext, 'tapId'>): string {
  const toggles = engine.taps.list().flatMap(({ tap }) => tap.toggle ?? []);
  const open = toggles.filter(({ name }) => valves.isOpen(name));
  const faults: unknown[] = [];
  // Those that seem to be closed, too: the relay may be in another state.
  for (const { name } of toggles) {
    try {
      valves.shut(name);
    } catch (fault) {
      faults.push(fault);
    }
  }
  for (const { id } of open) engine.access.grants.recordManualSwitch(id, null, actor, now);
  record(command, { engine, now }, { kind: 'site', id: 1 });
  if (faults.length > 0) throw faults[0];
  return `Closed; ${open.length} of ${toggles.length} were open.`;
}

function record(
  { action, id, reason }: Command,
  { engine, now }: Pick<CommandContext, 'engine' | 'now'>,
  subject: { readonly kind: string; readonly id: number },
): void {
  const after = { command: action, id, reason: reason ?? 'MQTT command' };
  engine.audit.record({ actor, action: 'mqtt.command', subject, after }, now);
}

type Run = (
  command: Command,
  context: CommandContext,
  view: NonNullable<ReturnType<Engine['taps']['find']>>,
) => string;

const open: Run = (command, { engine, valves, settings, now }, { tap }) => {
  const { toggle, meter } = tap;
  if (toggle === null) throw new CommandRefused('no_valve', `The tap ${tap.name} has no valve.`);
  // An opening is never extended, whoever opened it.
  if (valves.isOpen(toggle.name)) throw new CommandRefused('already_open', 'The valve is open already.');
  const seconds = within('seconds', command.seconds, settings.valveSeconds);
  const ml = within('ml', command.ml, settings.valveMl);
  if (meter === null)
    throw new CommandRefused('no_meter', 'A tap without a meter cannot be opened for a volume.');
  const limit = { meter: meter.name, maxTicks: Math.max(1, Math.ceil(ml * meter.ticksPerMl)) };
  valves.openManually(toggle.name, seconds * 1_000, limit);
  try {
    engine.access.grants.recordManualSwitch(toggle.id, { seconds, ml }, actor, now);
  } catch (fault) {
    // An opening must be in the audit log; otherwise the valve is closed again.
    valves.shut(toggle.name);
    throw fault;
  }
  return `Open for ${ml} mL or ${seconds} s.`;
};

const close: Run = (_command, { engine, valves, now }, { tap: { toggle, name } }) => {
  if (toggle === null) throw new CommandRefused('no_valve', `The tap ${name} has no valve.`);
  valves.shut(toggle.name);
  engine.access.grants.recordManualSwitch(toggle.id, null, actor, now);
  return 'Closed.';
};

const empty: Run = (_command, { engine, now }, { tap }) => {
  const keg = engine.kegs.endOnTap(tap.id, now, actor);
  return `Keg ${keg.id} is empty.`;
};

const next: Run = (_command, { engine, now }, { tap }) => {
  const { nextKegId } = tap;
  if (nextKegId === null)
    throw new CommandRefused('no_next_keg', 'No keg is announced as the next one on this tap.');
  engine.kegs.attachNext(tap.id, nextKegId, now, actor);
  return `Keg ${nextKegId} is on tap.`;
};

const actions: Readonly<Record<Exclude<Command['action'], 'close_all'>, Run>> = { open, close, empty, next };

/** The settings hold both the default and the maximum. */
function within(name: string, requested: number | null, most: number): number {
  if (requested !== null && requested > most)
    throw new CommandRefused('too_much', `${name} may be at most ${most}.`);
  return requested ?? most;
}
