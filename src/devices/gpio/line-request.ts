import type { LineFault } from '../device-interfaces.ts';
import { type Chip, isHeaderChip } from './chips.ts';
import { type LineInfo, type LineRequest, lineFlag } from './gpio-structs.ts';
import type { GpioKernel } from './gpio-uapi.ts';
import type { HostInfo } from './host-info.ts';
import { errorCode, lineProblem } from './line-problems.ts';
import type { MeterLine, RelayLine } from './pin-plan.ts';

/** The kernel's maximum for one request: two seconds of one tap, in case the pin thread is late. */
const eventBufferSize = 1024;

/**
 * Header pins of a Raspberry Pi that by default have no other function than GPIO. The others may look free
 * and yet carry a serial console or an SPI bus, which a request would interrupt.
 */
const plainHeaderPins = [27, 26, 25, 24, 23, 22, 17, 16, 6, 5];

/** Codes with which a chip may refuse a pull resistor; the kernel itself ignores ENOTSUPP. */
const pullRefusals: readonly string[] = ['EINVAL', 'EOPNOTSUPP', 'ENOTSUPP'];

/** Parameters common to all requests. */
export interface RequestContext {
  readonly kernel: GpioKernel;
  readonly chip: Chip;
  readonly hostInfo: HostInfo;
  readonly consumer: string;
}

/** The meter lines the kernel granted. */
export interface GrantedMeters {
  /** Descriptor of the request; −1 when no line was granted. */
  readonly fd: number;
  /** Granted lines in the order of the request. */
  readonly lines: readonly MeterLine[];
  /**
   * A free line requested without edges together with a single meter, so that the kernel numbers its
   * interrupts; null when not needed or not available.
   */
  readonly spare: number | null;
  readonly faults: readonly LineFault[];
}

/** Requests all meters together; lines that cannot be granted are left out and reported as faults. */
export function requestMeters(
  context: RequestContext,
  meters: readonly MeterLine[],
  options: { readonly avoid: readonly number[] },
): GrantedMeters {
  const faults: LineFault[] = [];
  const refuse = (meter: MeterLine, code: string, owner = ''): void => {
    faults.push({
      name: meter.name,
      problem: lineProblem({ ...context, code, pin: meter.pin, owner }, context.hostInfo),
    });
  };

  const free = meters.filter((meter) => {
    const inspection = inspectLine(context, meter.pin);
    if (inspection.code === null) return true;
    refuse(meter, inspection.code, inspection.owner);
    return false;
  });
  const together = tryMeters(context, free, options.avoid);
  if (together.fd >= 0 || free.length === 0) return { ...together, lines: free, faults };

  // The lines' descriptions show no reason: try each line alone to find the one the chip refuses.
  const accepted = free.filter((meter) => {
    const alone = tryLines(context, [meter]);
    if (alone.code === null) {
      context.kernel.close(alone.fd);
      return true;
    }
    refuse(meter, alone.code);
    return false;
  });
  const rest = tryMeters(context, accepted, options.avoid);
  if (rest.fd >= 0) return { ...rest, lines: accepted, faults };
  for (const meter of accepted) refuse(meter, rest.code ?? 'EUNKNOWN');
  return { fd: -1, lines: [], spare: null, faults };
}

/** One relay's output line, granted and off. */
export interface GrantedRelay {
  readonly fd: number;
  readonly relay: RelayLine;
}

/** Requests every relay separately and off from the start: one that fails does not affect the others. */
export function requestRelays(
  context: RequestContext,
  relays: readonly RelayLine[],
): { readonly granted: readonly GrantedRelay[]; readonly faults: readonly LineFault[] } {
  const granted: GrantedRelay[] = [];
  const faults: LineFault[] = [];
  for (const relay of relays) {
    const inspection = inspectLine(context, relay.pin);
    const result =
      inspection.code === null ? requestRelay(context, relay) : { fd: -1, code: inspection.code };
    if (result.code === null) {
      granted.push({ fd: result.fd, relay });
      continue;
    }
    const failure = { ...context, code: result.code, pin: relay.pin, owner: inspection.owner };
    faults.push({ name: relay.name, problem: lineProblem(failure, context.hostInfo) });
  }
  return { granted, faults };
}

/**
 * Flags of a meter's line. Never the kernel's debounce: it works in jiffies and drops the ticks of whole
 * pours.
 */
export function meterFlags(meter: Pick<MeterLine, 'bias' | 'edge'>): bigint {
  const bias = {
    'pull-up': lineFlag.biasPullUp,
    'pull-down': lineFlag.biasPullDown,
    none: lineFlag.biasDisabled,
  }[meter.bias];
  const edge = meter.edge === 'falling' ? lineFlag.edgeFalling : lineFlag.edgeRising;
  return lineFlag.input | edge | bias;
}

/**
 * Flags of a relay's line: an output that starts off, at either level. Its pull resistor points to the off
 * level: the chips of a Raspberry Pi keep the pull when the line is released and becomes an input.
 */
export function relayFlags(relay: Pick<RelayLine, 'activeLow'>): bigint {
  return relay.activeLow
    ? lineFlag.output | lineFlag.activeLow | lineFlag.biasPullUp
    : lineFlag.output | lineFlag.biasPullDown;
}

interface RequestResult {
  readonly fd: number;
  /** Null when granted. */
  readonly code: string | null;
}

function tryMeters(
  context: RequestContext,
  meters: readonly MeterLine[],
  avoid: readonly number[],
): RequestResult & { readonly spare: number | null } {
  if (meters.length === 0) return { fd: -1, code: null, spare: null };
  if (meters.length > 1) return { ...tryLines(context, meters), spare: null };
  const spare = findSpare(context, [...avoid, ...meters.map((meter) => meter.pin)]);
  if (spare !== null) {
    const both = tryLines(context, meters, spare);
    if (both.code === null) return { ...both, spare };
  }
  return { ...tryLines(context, meters), spare: null };
}

function tryLines(
  context: RequestContext,
  meters: readonly MeterLine[],
  spare: number | null = null,
): RequestResult {
  const lines = meters.map((meter) => ({ offset: meter.pin, flags: meterFlags(meter) }));
  // Requested without edges and bias: the spare line only makes the kernel number the interrupts.
  if (spare !== null) lines.push({ offset: spare, flags: lineFlag.input });
  return requestLine(context, { lines, eventBufferSize });
}

/** Requests a relay's line, off; without the pull resistor on a chip that refuses one on an output. */
function requestRelay(context: RequestContext, relay: RelayLine): RequestResult {
  const flags = relayFlags(relay);
  const result = requestLine(context, { lines: [{ offset: relay.pin, flags }] });
  if (result.code === null || !pullRefusals.includes(result.code)) return result;
  const withoutPull = flags & ~(lineFlag.biasPullUp | lineFlag.biasPullDown);
  return requestLine(context, { lines: [{ offset: relay.pin, flags: withoutPull }] });
}

function requestLine(context: RequestContext, request: Omit<LineRequest, 'consumer'>): RequestResult {
  const { kernel, chip, consumer } = context;
  try {
    return { fd: kernel.requestLines(chip.path, { ...request, consumer }), code: null };
  } catch (error) {
    return { fd: -1, code: errorCode(error) };
  }
}

/** Checks the line's own description for a reason not to request it. */
function inspectLine(
  context: RequestContext,
  pin: number,
): { readonly code: string | null; readonly owner: string } {
  const { kernel, chip } = context;
  if (pin >= chip.lines) return { code: 'RANGE', owner: '' };
  let info: LineInfo;
  try {
    info = kernel.lineInfo(chip.path, pin);
  } catch (error) {
    return { code: errorCode(error), owner: '' };
  }
  return info.isUsed ? { code: 'USED', owner: info.consumer } : { code: null, owner: '' };
}

function findSpare(context: RequestContext, used: readonly number[]): number | null {
  const { chip } = context;
  const candidates = isHeaderChip(chip)
    ? plainHeaderPins
    : Array.from({ length: Math.min(chip.lines, 64) }, (_, index) => chip.lines - 1 - index);
  const free = candidates.find((pin) => !used.includes(pin) && inspectLine(context, pin).code === null);
  return free ?? null;
}
