import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../../core/app-error.ts';
import { createProblem, type Problem } from '../../../../core/health/problems.ts';
import { toProblems } from '../../../../core/health/to-problems.ts';
import { omitUndefined } from '../../../../core/omit-undefined.ts';
import { chooseChip, listChips } from '../../chips.ts';
import { type GpioKernel, loadGpioKernel } from '../../gpio-uapi.ts';
import { formatHostInfo, readHostInfo } from '../../host-info.ts';
import { InterruptCounters, readInterrupts } from '../../interrupts.ts';
import {
  type GrantedMeters,
  type GrantedRelay,
  type RequestContext,
  requestMeters,
  requestRelays,
} from '../../line-request.ts';
import { LossCounters } from '../../loss-counters.ts';
import { formatPins } from '../../pin-plan.ts';
import { runCdevLoop } from './cdev-loop.ts';
import type { CdevCommand, CdevReport, CdevStart } from './cdev-messages.ts';
import { RingWriter } from './edge-ring.ts';
import { SharedControl } from './shared-control.ts';

// Entry point of the pin thread. In its own thread it reads the pins in time while the main loop stalls.

const port = parentPort!;
const start: CdevStart = workerData;
const control = new SharedControl(start.control);

try {
  await work();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const [problem] = toProblems(error, createProblem('pin_driver_failed', { error: message }));
  report({ kind: 'failed', problem: problem! });
} finally {
  control.markStopped();
}

async function work(): Promise<void> {
  const hostInfo = readHostInfo(start.roots);
  const kernel = await loadKernel();
  const chips = listChips(start.roots, kernel.chipInfo);
  const chip = chooseChip(chips, {
    hostInfo,
    ...omitUndefined({ configuredChip: start.chip }),
  });
  const context: RequestContext = { kernel, chip, hostInfo, consumer: start.consumer };
  const { plan } = start;

  // Relays first: they are off before anything else can fail.
  const relays = requestRelays(context, plan.relays);
  const interrupts = new InterruptCounters(() => readInterrupts(start.roots.proc));
  const meters = requestMeters(context, plan.meters, { avoid: plan.relays.map((relay) => relay.pin) });
  try {
    const wakeFd = kernel.createWakeup();
    report({
      kind: 'opened',
      description: describePins(context, meters, relays.granted),
      faults: [...meters.faults, ...relays.faults],
      wakeFd,
      lineFds: [...relays.granted.map(({ fd }) => fd), ...(meters.fd >= 0 ? [meters.fd] : [])],
    });
    runCdevLoop({
      kernel,
      nowMs: () => Number(process.hrtime.bigint()) / 1e6,
      ring: new RingWriter(start.ring),
      control,
      losses: new LossCounters({
        lineCount: meters.lines.length,
        seqnoCountsInterrupts: meters.lines.length > 1 || meters.spare !== null,
      }),
      interrupts,
      consumer: start.consumer,
      meters,
      planIndex: meters.lines.map((line) => plan.meters.findIndex((one) => one.name === line.name)),
      relays: new Map(
        relays.granted.map((one) => [plan.relays.findIndex((relay) => relay.name === one.relay.name), one]),
      ),
      wakeFd,
      nextCommand: (): CdevCommand | undefined => receiveMessageOnPort(port)?.message,
      report: (problem, isOver, relay) =>
        report({ kind: 'fault', problem, isOver, ...omitUndefined({ relay }) }),
    });
  } finally {
    release(kernel, meters, relays.granted);
  }
}

async function loadKernel(): Promise<GpioKernel> {
  try {
    return await loadGpioKernel();
  } catch (cause) {
    const problem = createProblem('gpio_library_missing', { processor: process.arch });
    throw new AppError('unavailable', problem, { cause });
  }
}

/**
 * Switches the relays off and closes all descriptors. The kernel releases a line that fails here when the
 * process ends.
 */
function release(kernel: GpioKernel, meters: GrantedMeters, relays: readonly GrantedRelay[]): void {
  const attempt = (action: () => void): void => {
    try {
      action();
    } catch {
      // The chip and its descriptor are gone: there is nothing to switch.
    }
  };
  for (const { fd } of relays) {
    attempt(() => kernel.switchOutput(fd, false));
    attempt(() => kernel.close(fd));
  }
  if (meters.fd >= 0) attempt(() => kernel.close(meters.fd));
}

function describePins(
  { chip, hostInfo }: RequestContext,
  { lines, spare }: GrantedMeters,
  relays: readonly GrantedRelay[],
): Problem {
  return createProblem('pins_cdev', {
    chip: `${chip.path} (${chip.label})`,
    meters: formatPins(lines),
    spare: spare === null ? 'none' : String(spare),
    relays: formatPins(relays.map(({ relay }) => relay)),
    proof: lines.length === 1 && spare === null ? 'table' : 'numbers',
    host: formatHostInfo(hostInfo),
  });
}

function report(message: CdevReport): void {
  port.postMessage(message);
}
