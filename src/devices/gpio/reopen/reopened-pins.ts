import { createProblem, type Problem } from '../../../core/health/problems.ts';
import { BackOff } from '../../back-off.ts';
import type {
  Drained,
  LineBatch,
  LineFault,
  LineState,
  PulseInput,
  ToggleOutput,
} from '../../device-interfaces.ts';
import type { OpenedPins } from '../choose-driver.ts';
import { findDriver } from '../drivers/list.ts';
import type { MeterLine, PinPlan, RelayLine } from '../pin-plan.ts';
import { throwToggleError } from '../toggle-rules.ts';
import { PinGroup } from './pin-group.ts';

/** Longest pause between two attempts: each starts a thread, which costs a Pi about 0.1 s of processor time. */
const maxPauseMs = 60_000;

interface ReopenedPinsOptions {
  readonly plan: PinPlan;
  /** The result of the first attempt. */
  readonly first: OpenedPins;
  /** Opens the lines with these full names only; never rejects. */
  readonly open: (names: ReadonlySet<string>) => Promise<OpenedPins>;
  /** The clock of the edges' stamps, milliseconds. */
  readonly nowMonoMs: () => number;
  /** Called with the full names of lines that were opened again. */
  readonly onReopened: (names: readonly string[]) => void;
  /** Called when lines could not be released. */
  readonly onFault: (cause: unknown) => void;
}

/** Pins whose missing lines are opened again, without touching the lines that count. */
export interface ReopenedPins {
  readonly input: PulseInput;
  readonly toggles: ToggleOutput;
  /** Call it about once a second: opens the lines that are missing, at growing intervals of 1 to 60 s. */
  everySecond(): void;
  /** False for a driver that is opened only once: its lines are those of the start. */
  canChange(): boolean;
  /** Full names of the open lines that are released for a moment, or for ever, on the way to this plan. */
  released(next: PinPlan): ReadonlySet<string>;
  /**
   * Opens and releases lines until the plan is reached. Lines that were opened together with a changed one are opened again
   * with it; the others are not touched. The faults of lines that could not be opened are in `input.faults`. Never rejects.
   */
  change(next: PinPlan): Promise<void>;
}

/**
 * Combines the lines that were opened at the start with those opened later: lines that were taken, forbidden or missing, and
 * lines whose driver has ended.
 */
export function createReopenedPins(options: ReopenedPinsOptions): ReopenedPins {
  const { first, open, nowMonoMs, onReopened, onFault } = options;
  let { plan } = options;
  const planned = new Set([...plan.meters, ...plan.relays].map(({ name }) => name));
  let meterNames = new Set(plan.meters.map(({ name }) => name));
  let groups: readonly PinGroup[] = [];
  /** The problem of each planned line that is in no group. */
  const missing = new Map<string, Problem>();
  /** Batches that the next drain delivers: the last edges of groups that have ended. */
  let lastBatches: LineBatch[] = [];
  let backOff = new BackOff({ maxMs: maxPauseMs });
  let work: Promise<void> | null = null;
  let isClosed = false;
  let untilMonoMs = 0;

  /** Adds the lines that were granted; false when none was. */
  function addGroup(pins: OpenedPins, requested: ReadonlySet<string>, isLate: boolean): boolean {
    for (const { name, problem } of pins.input.faults) if (requested.has(name)) missing.set(name, problem);
    const group = new PinGroup({ pins, requested, openedLateMonoMs: isLate ? nowMonoMs() : null });
    if (group.names.size === 0) return false;
    for (const name of group.names) missing.delete(name);
    groups = [...groups, group];
    if (isLate) onReopened([...group.names]);
    return true;
  }

  /** Takes the group's last edges; what its lines lose until they are opened again is unknown. */
  function removeGroup(group: PinGroup): void {
    groups = groups.filter((one) => one !== group);
    const drained = new Map(group.drain().lines.map((batch) => [batch.meter, batch]));
    const problems = new Map(group.faults().map(({ name, problem }) => [name, problem]));
    for (const name of group.names)
      missing.set(name, problems.get(name) ?? createProblem('pin_driver_ended'));
    for (const meter of group.names) {
      if (!meterNames.has(meter)) continue;
      const { stampsMonoMs = [] } = drained.get(meter) ?? {};
      lastBatches.push({ meter, stampsMonoMs, lost: null });
    }
  }

  async function replaceEnded(ended: readonly PinGroup[]): Promise<void> {
    for (const group of ended) removeGroup(group);
    backOff = new BackOff({ maxMs: maxPauseMs });
    backOff.failed(nowMonoMs());
    // The lines are free for the next attempt only when the driver has released them.
    for (const group of ended) await group.pins.input.close();
  }

  async function openMissing(): Promise<void> {
    if (!canChange()) return;
    const names = new Set(missing.keys());
    const pins = await open(names);
    const isUsed = !isClosed && addGroup(pins, names, true);
    if (missing.size > 0) backOff.failed(nowMonoMs());
    if (!isUsed) await pins.input.close();
  }

  const canChange = (): boolean => !groups.some(({ pins }) => findDriver(pins.driver)?.isOnlyOnce);

  function groupsToRelease(next: PinPlan): readonly PinGroup[] {
    const kept = new Set(allLines(next).map(lineKey));
    const changed = allLines(plan).filter((line) => !kept.has(lineKey(line)));
    return groups.filter(({ names }) => changed.some(({ name }) => names.has(name)));
  }

  async function changePlan(next: PinPlan): Promise<void> {
    const released = groupsToRelease(next);
    // A line is free for its next use only when the driver has released it; edges until then are drained afterwards.
    for (const group of released) await group.pins.input.close();
    for (const group of released) removeGroup(group);
    plan = next;
    meterNames = new Set(plan.meters.map(({ name }) => name));
    const wanted = new Set(allLines(plan).map(({ name }) => name));
    for (const name of [...missing.keys()]) if (!wanted.has(name)) missing.delete(name);
    const names = new Set([...wanted].filter((name) => findGroup(name) === undefined));
    if (names.size === 0 || isClosed) return;
    const pins = await open(names);
    const isUsed = !isClosed && addGroup(pins, names, true);
    backOff = new BackOff({ maxMs: maxPauseMs });
    if (missing.size > 0) backOff.failed(nowMonoMs());
    if (!isUsed) await pins.input.close();
  }

  const findGroup = (name: string): PinGroup | undefined => groups.find(({ names }) => names.has(name));

  function faults(): readonly LineFault[] {
    const own = [...missing].map(([name, problem]) => ({ name, problem }));
    return [...plan.faults, ...own, ...groups.flatMap((group) => group.faults())];
  }

  function drain(): Drained {
    const lines = lastBatches;
    lastBatches = [];
    const untils: number[] = [];
    for (const group of groups) {
      const drained = group.drain();
      lines.push(...drained.lines);
      // A source that stands still must not keep the pours of the others open.
      if (!group.hasEnded && !group.isStalled) untils.push(drained.untilMonoMs);
    }
    const completeMonoMs = untils.length === 0 ? nowMonoMs() : Math.min(...untils);
    untilMonoMs = Math.max(untilMonoMs, completeMonoMs);
    return { lines, untilMonoMs };
  }

  function lines(): readonly LineState[] {
    const states = new Map(groups.flatMap((group) => group.lines()).map((line) => [line.name, line]));
    return plan.meters.map(
      ({ name, pin }) => states.get(name) ?? { name, pin, received: 0, lost: null, level: null },
    );
  }

  const input: PulseInput = {
    get driver() {
      return groups[0]?.pins.driver ?? 'none';
    },
    get description() {
      const [problem = createProblem('no_pins')] = missing.values();
      return groups.length === 0 ? [problem] : groups.flatMap(({ pins }) => pins.input.description);
    },
    get faults() {
      return faults();
    },
    drain,
    lines,
    async close() {
      isClosed = true;
      await work;
      await Promise.all(groups.map(({ pins }) => pins.input.close()));
    },
  };

  const toggles: ToggleOutput = {
    open(name, { maxMs, ...ticks }) {
      const group = findGroup(name) ?? throwToggleError(name, faults());
      // A meter that was opened at another time is read by another driver, which knows nothing of this relay: then the
      // daemon alone shuts it after the volume.
      const isTogether =
        ticks.meter === undefined || group.names.has(ticks.meter) || !meterNames.has(ticks.meter);
      group.pins.toggles.open(name, isTogether ? { maxMs, ...ticks } : { maxMs });
    },
    shut: (name) => findGroup(name)?.pins.toggles.shut(name),
    isOpen: (name) => findGroup(name)?.pins.toggles.isOpen(name) ?? false,
    isConnected: (name) => findGroup(name) !== undefined,
    heartbeat() {
      for (const { pins } of groups) pins.toggles.heartbeat();
    },
    async close() {
      await Promise.all(groups.map(({ pins }) => pins.toggles.close()));
    },
  };

  function start(task: Promise<void>): void {
    work = task.catch(onFault).finally(() => {
      work = null;
    });
  }

  if (!addGroup(first, planned, false)) start(first.input.close());
  if (missing.size > 0) backOff.failed(nowMonoMs());

  return {
    input,
    toggles,
    canChange,
    released: (next) => new Set(groupsToRelease(next).flatMap(({ names }) => [...names])),
    async change(next) {
      while (work !== null) await work;
      if (isClosed) return;
      start(changePlan(next));
      await work;
    },
    everySecond() {
      if (work !== null || isClosed) return;
      const ended = groups.filter(({ hasEnded }) => hasEnded);
      if (ended.length > 0) start(replaceEnded(ended));
      else if (missing.size > 0 && backOff.isDue(nowMonoMs())) start(openMissing());
    },
  };
}

type Line = MeterLine | RelayLine;

const allLines = ({ meters, relays }: PinPlan): readonly Line[] => [...meters, ...relays];

/** Equal for lines that need not be opened again. */
const lineKey = (line: Line): string =>
  JSON.stringify(
    'bias' in line ? [line.name, line.pin, line.bias, line.edge] : [line.name, line.pin, line.activeLow],
  );
