import { type CataloguedMeter, findRangeFault, type MeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { type PulseShape, pulseShape } from '../../core/pours/pulse-shape.ts';
import type { LineState } from '../../devices/device-interfaces.ts';
import { type Chip, chooseChip, listChips } from '../../devices/gpio/chips.ts';
import type { OpenedPins } from '../../devices/gpio/choose-driver.ts';
import { findDriver, pinDrivers } from '../../devices/gpio/drivers/list.ts';
import type { GpioKernel } from '../../devices/gpio/gpio-uapi.ts';
import type { HostInfo, Roots } from '../../devices/gpio/host-info.ts';
import { InterruptCounters, readInterrupts } from '../../devices/gpio/interrupts.ts';
import { lineProblem } from '../../devices/gpio/line-problems.ts';
import { planPins } from '../../devices/gpio/pin-plan.ts';
import { noiseAdvice, rangeFaultAdvice } from '../../services/wiring/pin-findings.ts';
import { type Finding, fail, ok, unknown, warn } from '../../system/health/finding.ts';

/** How long the doctor watches the lines, milliseconds: long enough to see a slow pour. */
const watchMs = 2_000;

export interface PinEnvironment {
  /** True while the daemon runs; the doctor then opens no line. */
  readonly daemonRuns: boolean;
  readonly roots: Roots;
  readonly host: HostInfo;
  /** The kernel's GPIO interface; rejects where it cannot be loaded. */
  readonly kernel: () => Promise<GpioKernel>;
  /** Opens the meters' lines, and no relay, as the daemon would. */
  readonly open: () => Promise<OpenedPins>;
  readonly wait: (ms: number) => Promise<void>;
  /** The models of meters, for what they can measure. */
  readonly catalogue: MeterCatalogue;
}

/** Checks every configured GPIO line: its holder, its level and its pulse rate. */
export async function pinFindings(config: Config, environment: PinEnvironment): Promise<Finding[]> {
  if (config.gpio.driver === 'simulated')
    return [ok('The pins are simulated; no line of this machine is counted.')];
  const plan = planPins({
    controller: config.controller.name,
    meters: config.meters,
    toggles: config.toggles,
  });
  const lines = [...plan.meters, ...plan.relays];
  if (lines.length === 0) return [unknown('No pin is configured.')];
  const conflicts = plan.faults.map(({ problem }) => fail(problem.message));

  const owners = await readOwners(config, environment, lines);
  if (owners === null) {
    const hidden = unknown('The daemon holds the pins; the holder of each line cannot be read here.');
    return [
      ...conflicts,
      ...(environment.daemonRuns ? [hidden] : await openAndWatch(config, environment, [])),
    ];
  }
  const { chip, holders } = owners;
  const isHeldByDaemon = ({ name }: Line) =>
    pinDrivers.some(
      ({ holder }) =>
        holder?.pattern.test(holders.get(name) ?? '') && (environment.daemonRuns || !holder.isShared),
    );
  const held = lines.filter(isHeldByDaemon);
  const foreign = lines.filter((line) => holders.has(line.name) && !isHeldByDaemon(line));
  const free = lines.filter(({ name }) => !holders.has(name));
  return [
    ...conflicts,
    ...foreign.map(({ name, pin }) =>
      fail(
        `${name}: ${lineProblem({ code: 'USED', pin, chip, owner: holders.get(name) ?? '' }, environment.host).message}`,
      ),
    ),
    ...(environment.daemonRuns || held.length > 0
      ? [
          ...(await watchInterrupts(config, environment, held, holders)),
          ...free.map((line) => notHeldFinding(config, line)),
        ]
      : await openAndWatch(
          config,
          environment,
          foreign.map(({ name }) => name),
        )),
  ];
}

function notHeldFinding(config: Config, { name, pin }: Line): Finding {
  const text = `${name}, GPIO ${pin}: the daemon does not hold this line`;
  const driver = findDriver(config.gpio.driver);
  if (driver?.holder === null) return unknown(`${text}; ${driver.name} needs none.`);
  return warn(`${text}.`, 'See its log: journalctl -u tapster. After a change of pins, restart it.');
}

interface Line {
  readonly name: string;
  readonly pin: number;
}

/**
 * Returns the chip and the holder of every line in use; null when that cannot be read: opening the lines then
 * reports why.
 */
async function readOwners(
  config: Config,
  environment: PinEnvironment,
  lines: readonly Line[],
): Promise<{ readonly chip: Chip; readonly holders: ReadonlyMap<string, string> } | null> {
  try {
    const kernel = await environment.kernel();
    const configuredChip = config.gpio.chip;
    const chip = chooseChip(
      listChips(environment.roots, (path) => kernel.chipInfo(path)),
      { hostInfo: environment.host, ...omitUndefined({ configuredChip }) },
    );
    const holders = new Map<string, string>();
    for (const { name, pin } of lines) {
      if (pin >= chip.lines) continue;
      const info = kernel.lineInfo(chip.path, pin);
      if (info.isUsed) holders.set(name, info.consumer);
    }
    return { chip, holders };
  } catch {
    return null;
  }
}

/** Reads the rate from the interrupts of the running daemon; only the holder of a line can read its level. */
async function watchInterrupts(
  config: Config,
  environment: PinEnvironment,
  lines: readonly Line[],
  holders: ReadonlyMap<string, string>,
): Promise<Finding[]> {
  if (lines.length === 0) return [];
  const counters = new InterruptCounters(() => readInterrupts(environment.roots.proc));
  await environment.wait(watchMs);
  return lines.map(({ name, pin }) => {
    const consumer = holders.get(name) ?? '';
    const [count = null] = counters.counts(consumer, [pin]);
    const rate = count === null ? 'held' : `${toPerSecond(count)} Hz now,`;
    const text = `${name}, GPIO ${pin}: ${rate} by the running daemon (${consumer}).`;
    const model = findModel(config, environment, pin);
    // Without the edges a slow rate may be a pour that has just started.
    const isAbove = model !== null && count !== null && findRangeFault(model, toPerSecond(count)) === 'above';
    return isAbove ? warn(text, rangeFaultAdvice.above) : ok(text);
  });
}

/**
 * Opens the lines as the daemon would and watches them. `knownFaults` names lines that are reported already.
 */
async function openAndWatch(
  config: Config,
  environment: PinEnvironment,
  knownFaults: readonly string[],
): Promise<Finding[]> {
  const { driver, attempts, input } = await environment.open();
  if (driver === 'none') return knownFaults.length > 0 ? [] : attempts.map((attempt) => fail(attempt));
  try {
    await environment.wait(watchMs);
    const edges = new Map(input.drain().lines.map(({ meter, stampsMonoMs }) => [meter, stampsMonoMs]));
    const faults = input.faults.filter(({ name }) => !knownFaults.includes(name));
    return [
      ...attempts.slice(0, -1).map((attempt) => warn(attempt)),
      ...attempts.slice(-1).map((attempt) => ok(attempt)),
      ...input.description.map(({ message }) => ok(message)),
      ...faults.map(({ name, problem }) => fail(`${name}: ${problem.message}`)),
      ...input.lines().map((line) => toLineFinding(config, environment, line, edges.get(line.name) ?? [])),
    ];
  } finally {
    await input.close();
  }
}

function toLineFinding(
  config: Config,
  environment: PinEnvironment,
  line: LineState,
  edges: ArrayLike<number>,
): Finding {
  const level = line.level === null ? 'level not readable' : line.level === 1 ? 'high' : 'low';
  const hz = toPerSecond(line.received);
  const text = `${line.name}, GPIO ${line.pin}: ${level}, ${hz} Hz now.`;
  const minGapMs = config.meters.find((one) => one.pin === line.pin)?.min_gap_ms ?? 0;
  const fastest = minGapMs === 0 ? Number.POSITIVE_INFINITY : 1_000 / minGapMs;
  const shape = pulseShape(edges, { minGapMs, noiseShare: config.judgement.noise_share });
  if (hz > fastest) return warn(text, `This is faster than any meter. ${noiseAdvice}`);
  if (isNoise(shape)) return warn(text, `No meter pulses like this. ${noiseAdvice}`);
  const model = findModel(config, environment, line.pin);
  const fault = model === null || shape !== 'steady' ? null : findRangeFault(model, toSteadyHz(edges));
  if (fault !== null) return warn(text, rangeFaultAdvice[fault]);
  return ok(text);
}

const findModel = (config: Config, { catalogue }: PinEnvironment, pin: number): CataloguedMeter | null =>
  catalogue.get(config.meters.find((one) => one.pin === pin)?.model ?? '') ?? null;

/** The median rate between neighbouring edges, so that a pour's start and end do not count. */
function toSteadyHz(edges: ArrayLike<number>): number {
  const gaps = Array.from({ length: edges.length - 1 }, (_, i) => edges[i + 1]! - edges[i]!);
  const median = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
  return median === undefined || median <= 0 ? 0 : 1_000 / median;
}

const isNoise = (shape: PulseShape): boolean => shape === 'bounce' || shape === 'stray';

function toPerSecond(count: number): number {
  return Math.round((count * 1_000) / watchMs);
}
