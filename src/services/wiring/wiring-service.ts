import { findHeader } from '../../config/hardware-catalogue.ts';
import { type CataloguedMeter, findRangeFault, type MeterCatalogue } from '../../config/meter-catalogue.ts';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../core/clock/moment.ts';
import type { Problem } from '../../core/health/problems.ts';
import { findMainsHz, isEcho, pulseHz, pulseShape } from '../../core/pours/pulse-shape.ts';
import type { PulseInput } from '../../devices/device-interfaces.ts';
import { readHostInfo, systemRoots } from '../../devices/gpio/host-info.ts';
import type { FeedSnapshot } from '../../devices/meter-feed.ts';
import type { MeterStatus } from '../../http/ports.ts';
import type {
  WiredMeter,
  WiredPart,
  WiredReader,
  WiredSensor,
  WiringFinding,
  WiringReport,
  WiringService,
} from '../../http/wiring-ports.ts';
import type { Logger } from '../../system/log/log.ts';
import type { Counting } from '../counting/counting.ts';
import type { CountingSource, SourcePort } from '../counting/counting-source.ts';
import type { HardwareInForce } from '../hardware/hardware-in-force.ts';
import type { KnownSensor } from '../temperatures/thermo-recorder.ts';
import type { ReaderStatus } from '../valves/valve-control.ts';
import { findHeaderPin, headerFinding } from './header-findings.ts';
import { type PinFacts, pinFindings } from './pin-findings.ts';
import { busFinding, sensorFinding } from './sensor-findings.ts';

/** The wires are read at most this often, however many clients request the report. */
const minIntervalMs = 200;

/**
 * Interval of reading the thermo sensors while the report is requested: moving a plug should show at once.
 */
const sensorPollMs = 5_000;

/** A pulse rate needs at least this much observed time. */
const rateMs = 1_000;

/** Bound of the edges analysed per line: the newest show its state. */
const maxEdges = 256;
const noStamps = new Float64Array(0);

/** What is reported of a source besides the pins. */
export interface WiredSource extends Pick<CountingSource, 'meterStatuses' | 'ports'> {
  readonly feed: Pick<CountingSource['feed'], 'snapshot'>;
}

/** The services whose wires are reported. */
export interface WiredServices {
  readonly config: Config;
  readonly hardware: HardwareInForce;
  /** The models of meters, for what they can measure. */
  readonly catalogue: MeterCatalogue;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly pins: { readonly input: PulseInput };
  readonly counting: Pick<Counting, 'snapshot' | 'pinMeterStatuses'>;
  /** The sources besides the pins. */
  readonly sources: () => readonly WiredSource[];
  readonly thermo: { knownSensors(): readonly KnownSensor[]; poll(): Promise<void> };
  readonly valves: { readers(): readonly ReaderStatus[] };
}

/** Reports on demand, for every wire of this machine, what is wrong and what to do. */
export function createWiringService(services: WiredServices): WiringService {
  const { config, clock, log, pins, counting, thermo, valves } = services;
  let lastReport: WiringReport | null = null;
  let lastReportMonoMs = Number.NEGATIVE_INFINITY;
  let lastPollMonoMs = clock.now().monoMs;

  return {
    snapshot() {
      const now = clock.now().monoMs;
      if (now - lastPollMonoMs >= sensorPollMs) {
        lastPollMonoMs = now;
        thermo.poll().catch((err: unknown) => log.warn({ err }, 'the thermo sensors could not be read'));
      }
      if (lastReport === null || now - lastReportMonoMs >= minIntervalMs) {
        lastReport = report();
        lastReportMonoMs = now;
      }
      return lastReport;
    },
  };

  function report(): WiringReport {
    const { driver, description } = pins.input;
    const sources = services.sources();
    const hasSources = counting.pinMeterStatuses().length + sources.length > 0;
    const noMeters: WiringFinding = {
      topic: 'no_meters',
      status: 'unknown',
      text: 'No pin is configured.',
      advice: 'Add a meter on the page Hardware, or let a board report.',
    };
    const bus = busFinding(
      config.onewire.directory,
      config.taps.some(({ thermo }) => thermo !== undefined),
    );
    return {
      driver,
      description,
      findings: [...(hasSources ? [] : [noMeters]), ...(bus === null ? [] : [bus])],
      meters: [...listPinMeters(services), ...sources.flatMap(listBoardMeters)],
      relays: toWiredRelays(services),
      probes: thermo.knownSensors().map(toWiredSensor),
      boards: sources.flatMap((source) => source.ports().map(toWiredBoard)),
      readers: valves.readers().map(toWiredReader),
    };
  }
}

function listPinMeters({ config, hardware, catalogue, pins, counting }: WiredServices): WiredMeter[] {
  const feedSnapshot = counting.snapshot();
  const header = pins.input.driver === 'simulated' ? null : findHeader(readHostInfo(systemRoots).board);
  const states = new Map(pins.input.lines().map((line) => [line.name, line]));
  return counting.pinMeterStatuses().map((line): WiredMeter => {
    const wired = hardware.meters().find(({ port }) => `${config.controller.name}.${port}` === line.meter);
    const state = states.get(line.meter);
    const pin = wired?.pin ?? state?.pin ?? null;
    const { level = null, lost = null } = state ?? {};
    const facts: PinFacts = {
      ...judgeMeter(feedSnapshot, line, {
        minGapMs: wired?.min_gap_ms ?? 0,
        noiseShare: config.judgement.noise_share,
        model: wired?.model === undefined ? undefined : catalogue.get(wired.model),
      }),
      pin,
      level,
      lost,
      configuredMeter: wired ?? null,
    };
    const headerProblem = header === null || pin === null ? null : headerFinding(pin, header);
    return {
      ...toWiredMeter(facts, headerProblem === null ? [] : [headerProblem]),
      headerPin: header === null || pin === null ? null : findHeaderPin(pin, header),
    };
  });
}

/** A board counts by itself: its edges are not visible here, only its ticks. */
function listBoardMeters(source: WiredSource): WiredMeter[] {
  const feedSnapshot = source.feed.snapshot();
  return source.meterStatuses().map((line) => {
    const facts = judgeMeter(feedSnapshot, line, { minGapMs: 0, noiseShare: 1 });
    const shape = facts.shape === 'stray' ? 'steady' : facts.shape;
    return toWiredMeter({
      ...facts,
      shape,
      echoOf: null,
      pin: null,
      level: null,
      lost: null,
      configuredMeter: null,
    });
  });
}

function judgeMeter(
  { meters, untilMonoMs, sinceMonoMs }: FeedSnapshot,
  { meter, state, problem }: MeterStatus,
  limits: {
    readonly minGapMs: number;
    readonly noiseShare: number;
    readonly model?: CataloguedMeter | undefined;
  },
) {
  const own = meters.find((one) => one.meter === meter);
  const stamps = own?.stampsMonoMs ?? noStamps;
  const newest = stamps.subarray(-maxEdges);
  const isLongEnough = sinceMonoMs !== null && untilMonoMs - sinceMonoMs >= rateMs;
  const echo = meters.find((other) => other.meter !== meter && isEcho(newest, other.stampsMonoMs));
  return {
    meter,
    state,
    problem,
    ticks: own?.ticks ?? 0,
    refused: own?.refused ?? 0,
    hz: isLongEnough ? pulseHz(stamps, untilMonoMs) : null,
    rangeFault: limits.model === undefined ? null : steadyRangeFault(limits.model, stamps, untilMonoMs),
    shape: pulseShape(newest, limits),
    mainsHz: findMainsHz(newest),
    echoOf: echo?.meter ?? null,
  };
}

/** The same fault in each of the last two seconds: a tap that opens or closes passes through slow rates. */
function steadyRangeFault(model: CataloguedMeter, stamps: Float64Array, untilMonoMs: number) {
  const lastHz = pulseHz(stamps, untilMonoMs);
  const fault = findRangeFault(model, lastHz);
  const hzBefore = pulseHz(stamps, untilMonoMs - rateMs) - lastHz;
  return fault === findRangeFault(model, hzBefore) ? fault : null;
}

function toWiredMeter(facts: PinFacts, more: readonly WiringFinding[] = []): WiredMeter {
  const { meter, pin, level, hz, ticks, refused, lost, shape, echoOf } = facts;
  const findings = [...pinFindings(facts), ...more].toSorted((a, b) => severity(a) - severity(b));
  return { meter, pin, headerPin: null, level, hz, ticks, refused, lost, shape, echoOf, findings };
}

const severity = ({ status }: WiringFinding): number => ['fail', 'warn', 'unknown', 'ok'].indexOf(status);

function toWiredRelays({ config, hardware, pins }: WiredServices): WiredPart[] {
  return hardware.toggles().map(({ port, pin }) => {
    const name = `${config.controller.name}.${port}`;
    const fault = pins.input.faults.find((one) => one.name === name);
    return {
      name,
      findings: [partFinding(fault?.problem ?? null, `It is on GPIO ${pin}.`)],
    };
  });
}

function toWiredSensor({ name, tempC, timeMs, reason, isStale }: KnownSensor): WiredSensor {
  return { name, tempC, timeMs, findings: [sensorFinding({ name, tempC, reason, isStale })] };
}

function toWiredBoard({ path, controller, problem }: SourcePort): WiredPart {
  const notIdentified: WiringFinding = {
    topic: 'unheard',
    status: 'unknown',
    text: 'The board has not identified itself yet.',
  };
  if (controller === null && problem === null) return { name: path, findings: [notIdentified] };
  const connected: WiringFinding = { topic: 'heard', status: 'ok', text: `It is connected at ${path}.` };
  return { name: controller ?? path, findings: [problem === null ? connected : partFinding(problem, '')] };
}

const unreadReader: WiringFinding = {
  topic: 'unreadable',
  status: 'warn',
  text: 'It has sent what is no card.',
  advice:
    'If cards are missing: it must send card numbers only, each with a line end, at the speed of `baud`. Check cable and power for noise.',
};
const unreadBoard: WiringFinding = {
  topic: 'unreadable_board',
  status: 'warn',
  text: 'It has reported cards that could not be read.',
  advice:
    'Zeros are what a board sends when its reader sees no card: check the cable between reader and board, and its firmware.',
};

function toWiredReader({ name, problem, isBoard, shown, unreadable }: ReaderStatus): WiredReader {
  const state = partFinding(problem, 'It works; present a token to see it counted.');
  const unread: WiringFinding = isBoard ? unreadBoard : unreadReader;
  const both = problem === null ? [unread, state] : [state, unread];
  return { name, shown, unreadable, findings: unreadable.count === 0 ? [state] : both };
}

function partFinding(problem: Problem | null, okText: string): WiringFinding {
  return problem === null
    ? { topic: 'works', status: 'ok', text: okText }
    : { topic: 'in_trouble', status: 'fail', text: problem.message, problem };
}
