import type { Config } from '../../config/schema.ts';
import { isEcho, mainsOf, pulseHz, pulseShape } from '../../core/pulse-shape.ts';
import { readHostInfo, systemRoots } from '../../devices/gpio/host-info.ts';
import type { FeedSnapshot } from '../../devices/meter-feed.ts';
import type { PulseInput, ToggleOutput } from '../../devices/ports.ts';
import type { MeterLine } from '../../http/ports.ts';
import type {
  WiredMeter,
  WiredPart,
  WiredProbe,
  WiredReader,
  WiringDesk,
  WiringFinding,
  WiringReport,
} from '../../http/wiring-ports.ts';
import type { SerialPort } from '../serial-room.ts';
import type { ReaderNow } from '../tap-room.ts';
import type { KnownProbe } from '../thermo-keeper.ts';
import { headerFinding, headerOf, headerPinOf } from './header-findings.ts';
import { type PinFacts, pinFindings } from './pin-findings.ts';
import { busFinding, probeFinding } from './probe-findings.ts';

/** However many look, the wires are looked at no more often. */
const restMs = 200;

/** While somebody looks, the probes are asked this often: a plug that is wriggled should tell at once. */
const probeMs = 5_000;

/** A second of watching makes a rate. */
const rateMs = 1_000;

/** The newest edges show how a line is; judging more of them would only take longer. */
const mostJudged = 256;
const noStamps = new Float64Array(0);

export interface WiringDeskOptions {
  readonly config: Config;
  readonly pins: { readonly input: PulseInput; readonly toggles: ToggleOutput };
  readonly nowMonoMs: () => number;
  /** What our own feed has seen, and how far each line can be trusted. */
  readonly look: () => FeedSnapshot;
  readonly lines: () => readonly MeterLine[];
  /** The serial boards; null where none is configured. */
  readonly serial: {
    readonly look: () => FeedSnapshot;
    readonly lines: () => readonly MeterLine[];
    readonly ports: () => readonly SerialPort[];
  } | null;
  readonly probes: () => readonly KnownProbe[];
  /** Asks every probe now. */
  readonly askProbes: () => void;
  readonly readers: () => readonly ReaderNow[];
}

/** Looks at every wire of this machine on demand, and says of each what is wrong and what to do. */
export function createWiringDesk(options: WiringDeskOptions): WiringDesk {
  const { config, nowMonoMs } = options;
  let seen: WiringReport | null = null;
  let seenMonoMs = Number.NEGATIVE_INFINITY;
  let askedMonoMs = nowMonoMs();

  return {
    look() {
      const now = nowMonoMs();
      if (now - askedMonoMs >= probeMs) {
        askedMonoMs = now;
        options.askProbes();
      }
      if (seen === null || now - seenMonoMs >= restMs) {
        seen = report();
        seenMonoMs = now;
      }
      return seen;
    },
  };

  function report(): WiringReport {
    const { driver, describe } = options.pins.input;
    const own = options.lines().length;
    const noMeters: WiringFinding = {
      topic: 'no_meters',
      verdict: 'unknown',
      text: 'No pin is configured.',
      advice: 'Put meters into the configuration file, or let a board report.',
    };
    const bus = busFinding(
      config.onewire.directory,
      config.taps.some(({ thermo }) => thermo !== undefined),
    );
    return {
      driver,
      describe,
      findings: [...(own === 0 && options.serial === null ? [noMeters] : []), ...(bus === null ? [] : [bus])],
      meters: [...pinMeters(options), ...boardMeters(options)],
      relays: relays(options),
      probes: options.probes().map(probe),
      boards: (options.serial?.ports() ?? []).map(board),
      readers: options.readers().map(reader),
    };
  }
}

function pinMeters({ config, pins, look, lines }: WiringDeskOptions): WiredMeter[] {
  const sight = look();
  const header = pins.input.driver === 'simulated' ? null : headerOf(readHostInfo(systemRoots).board);
  const states = new Map(pins.input.lines().map((line) => [line.name, line]));
  return lines().map((line): WiredMeter => {
    const wired = config.meters.find(({ port }) => `${config.controller.name}.${port}` === line.meter);
    const state = states.get(line.meter);
    const pin = wired?.pin ?? state?.pin ?? null;
    const { level = null, lost = null } = state ?? {};
    const facts: PinFacts = {
      ...sightOf(sight, line, {
        minGapMs: wired?.min_gap_ms ?? 0,
        noiseShare: config.judgement.noise_share,
      }),
      ...{ pin, level, lost, wired: wired ?? null },
    };
    const place = header === null || pin === null ? null : headerFinding(pin, header);
    return {
      ...wiredMeter(facts, place === null ? [] : [place]),
      headerPin: header === null || pin === null ? null : headerPinOf(pin, header),
    };
  });
}

/** A board counts for itself: its edges are never seen here, only its ticks. */
function boardMeters({ serial }: WiringDeskOptions): WiredMeter[] {
  if (serial === null) return [];
  const sight = serial.look();
  return serial.lines().map((line) => {
    const seen = sightOf(sight, line, { minGapMs: 0, noiseShare: 1 });
    const shape = seen.shape === 'stray' ? 'steady' : seen.shape;
    return wiredMeter({ ...seen, shape, echoOf: null, pin: null, level: null, lost: null, wired: null });
  });
}

function sightOf(
  { meters, untilMonoMs, sinceMonoMs }: FeedSnapshot,
  { meter, state, problem }: MeterLine,
  limits: { readonly minGapMs: number; readonly noiseShare: number },
) {
  const own = meters.find((one) => one.meter === meter);
  const stamps = own?.stampsMonoMs ?? noStamps;
  const newest = stamps.subarray(-mostJudged);
  const isLongEnough = sinceMonoMs !== null && untilMonoMs - sinceMonoMs >= rateMs;
  const echo = meters.find((other) => other.meter !== meter && isEcho(newest, other.stampsMonoMs));
  return {
    meter,
    state,
    problem,
    ticks: own?.ticks ?? 0,
    refused: own?.refused ?? 0,
    hz: isLongEnough ? pulseHz(stamps, untilMonoMs) : null,
    shape: pulseShape(newest, limits),
    mainsHz: mainsOf(newest),
    echoOf: echo?.meter ?? null,
  };
}

function wiredMeter(facts: PinFacts, more: readonly WiringFinding[] = []): WiredMeter {
  const { meter, pin, level, hz, ticks, refused, lost, shape, echoOf } = facts;
  const findings = [...pinFindings(facts), ...more].toSorted((a, b) => gravity(a) - gravity(b));
  return { meter, pin, headerPin: null, level, hz, ticks, refused, lost, shape, echoOf, findings };
}

const gravity = ({ verdict }: WiringFinding): number => ['fail', 'warn', 'unknown', 'ok'].indexOf(verdict);

function relays({ config, pins }: WiringDeskOptions): WiredPart[] {
  return config.toggles.map(({ port, pin }) => {
    const name = `${config.controller.name}.${port}`;
    const fault = pins.input.faults.find((one) => one.name === name);
    return { name, findings: [partFinding(fault?.problem ?? null, `It hangs on GPIO ${pin}.`)] };
  });
}

function probe({ name, tempC, timeMs, reason, isStale }: KnownProbe): WiredProbe {
  return { name, tempC, timeMs, findings: [probeFinding({ name, tempC, reason, isStale })] };
}

function board({ path, controller, problem }: SerialPort): WiredPart {
  const unheard: WiringFinding = {
    topic: 'unheard',
    verdict: 'unknown',
    text: 'Nobody there has said who he is yet.',
  };
  if (controller === null && problem === null) return { name: path, findings: [unheard] };
  const heard: WiringFinding = { topic: 'heard', verdict: 'ok', text: `It is heard at ${path}.` };
  return { name: controller ?? path, findings: [problem === null ? heard : partFinding(problem, '')] };
}

function reader({ name, problem, shown }: ReaderNow): WiredReader {
  return { name, shown, findings: [partFinding(problem, 'It reads; show it a token to see it counted.')] };
}

function partFinding(problem: string | null, praise: string): WiringFinding {
  return problem === null
    ? { topic: 'works', verdict: 'ok', text: praise }
    : { topic: 'in_trouble', verdict: 'fail', text: problem };
}
