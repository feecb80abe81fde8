import type { BoardCounters } from './board-counters.ts';
import { BoardRelays } from './board-relays.ts';
import { BoardTokens, readerName, type TokenStep, tokenText } from './board-tokens.ts';
import { pingCommand, setOutputCommand } from './kbsp/kbsp-commands.ts';
import { FrameParser, type KbspFrame } from './kbsp/kbsp-frame.ts';
import { type BoardMessage, readMessage } from './kbsp/kbsp-messages.ts';
import { LinkMonitor } from './link-monitor.ts';
import type { ReportedTicks } from './reported-ticks.ts';
import { SerialSender } from './serial-sender.ts';

/** Before version 4 a board does not report its firmware version. */
const oldestFirmware = 4;

/** An older board sends its first hello at most this long after it started to count. */
const startUpMs = 1_500;

/**
 * A longer gap ends an incomplete frame: a frame takes at most 11 ms on the wire, a slow USB adapter some
 * tens more.
 */
const incompleteFrameMs = 500;

/** Lengths of the output and ping commands, bytes. */
const outputCommandBytes = 23;
const pingBytes = 16;

/** Upper bound of messages held until the board has identified itself. */
const maxHeld = 256;

type Hello = Extract<BoardMessage, { kind: 'hello' }>;

/**
 * Why a link cannot be used: not a Kegboard, firmware before version 4, silence, a new name, or a name
 * already in use.
 */
export type LinkFailure = 'not_a_kegboard' | 'too_old' | 'silent' | 'renamed' | 'duplicate';

/** An event of one board. */
export type BoardStep =
  /** The board identified itself; always the first step. */
  | {
      readonly kind: 'identified';
      readonly controller: string;
      readonly serialNumber: string | null;
      readonly firmware: number;
    }
  | { readonly kind: 'reported'; readonly report: ReportedTicks }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'temperature'; readonly sensor: string; readonly tempC: number }
  | TokenStep
  /** The link cannot be used any more. */
  | { readonly kind: 'failed'; readonly why: LinkFailure };

interface SerialBoardOptions {
  readonly openedMonoMs: number;
  /** Name of the controller, instead of the one derived from its serial number. */
  readonly name?: string;
  /**
   * Returns the counters of a controller, which are kept when the link closes; null while another link uses
   * them.
   */
  readonly findCounters: (controller: string) => BoardCounters | null;
}

/**
 * One board on one open link: takes bytes, returns steps and bytes to write. Has no timer: the caller steps
 * it.
 */
export class SerialBoard {
  readonly #options: SerialBoardOptions;
  readonly #parser = new FrameParser();
  readonly #tokens = new BoardTokens();
  readonly #sender = new SerialSender();
  readonly #monitor: LinkMonitor;
  #counters: BoardCounters | null = null;
  #relays: BoardRelays | null = null;
  #controller: string | null = null;
  #hello: Hello | null = null;
  #held: { message: BoardMessage; monoMs: number }[] = [];
  #noiseBytes = 0;
  #seenMonoMs: number;
  #hasFailed = false;

  constructor(options: SerialBoardOptions) {
    this.#options = options;
    this.#monitor = new LinkMonitor(options.openedMonoMs);
    this.#seenMonoMs = options.openedMonoMs;
  }

  /** Null until the board has identified itself. */
  get controller(): string | null {
    return this.#controller;
  }

  get firmware(): number | null {
    return this.#hello?.firmware ?? null;
  }

  /** Its relays; null until the board has identified itself. */
  get relays(): BoardRelays | null {
    return this.#relays;
  }

  /** Takes received bytes. Never throws. */
  receive(bytes: Uint8Array, nowMonoMs: number): BoardStep[] {
    this.#monitor.bytesReceived();
    return this.#handleFrames(this.#parser.push(bytes), nowMonoMs);
  }

  /** Call about every 50 ms: evaluates silence and returns the steps and the bytes to write now. */
  step(nowMonoMs: number): { readonly steps: BoardStep[]; readonly write: Uint8Array[] } {
    this.#monitor.poll(nowMonoMs);
    this.#seenMonoMs = nowMonoMs;
    const steps: BoardStep[] = [];
    if (this.#monitor.silentMs > incompleteFrameMs && this.#parser.heldBytes > 0) {
      steps.push(...this.#handleFrames(this.#parser.dropIncompleteFrame(), nowMonoMs));
    }
    steps.push(...this.#tokens.step(nowMonoMs));
    if (!this.#hasFailed) steps.push(...this.#sendDue(nowMonoMs));
    return { steps, write: this.#sender.take() };
  }

  /** Call before the link closes or when it is gone: returns the last steps and the off commands to write. */
  disconnect(): { readonly steps: BoardStep[]; readonly write: Uint8Array[] } {
    const firmware = this.firmware ?? 0;
    const write = (this.#relays?.shutAll() ?? []).map((command) =>
      setOutputCommand({ ...command, firmware }),
    );
    this.#counters?.markGap(this.#seenMonoMs);
    return { steps: this.#tokens.removeAll(), write };
  }

  #handleFrames(frames: readonly KbspFrame[], nowMonoMs: number): BoardStep[] {
    const { noiseBytes } = this.#parser.faults;
    // The discarded bytes may have held a report.
    if (noiseBytes > this.#noiseBytes) this.#counters?.markGap(nowMonoMs);
    this.#noiseBytes = noiseBytes;
    const steps: BoardStep[] = [];
    for (const frame of frames) {
      const reading = readMessage(frame);
      if (reading.kind !== 'message' || this.#hasFailed) continue;
      const { message } = reading;
      if (message.kind === 'hello') steps.push(...this.#handleHello(message, nowMonoMs));
      else if (this.#hello !== null) steps.push(...this.#handleMessage(message, nowMonoMs));
      else this.#holdMessage(message, nowMonoMs);
    }
    return steps;
  }

  /** Holds a message until the hello. Meters send totals, so the oldest message can be dropped. */
  #holdMessage(message: BoardMessage, monoMs: number): void {
    this.#held.push({ message, monoMs });
    if (this.#held.length > maxHeld) this.#held.shift();
  }

  #handleHello(hello: Hello, nowMonoMs: number): BoardStep[] {
    const isAnswer = this.#monitor.consumePingAnswer(nowMonoMs);
    if (hello.firmware < oldestFirmware) return [this.#fail('too_old')];
    const controller = this.#options.name ?? controllerName(hello.serialNumber);
    if (this.#controller !== null && controller !== this.#controller) return [this.#fail('renamed')];

    const steps: BoardStep[] = [];
    const isFirst = this.#hello === null;
    if (isFirst) {
      const counters = this.#options.findCounters(controller);
      if (counters === null) return [this.#fail('duplicate')];
      counters.identify(hello, nowMonoMs);
      this.#counters = counters;
      this.#controller = controller;
      this.#relays = new BoardRelays(hello.firmware);
      const { firmware, serialNumber } = hello;
      steps.push({ kind: 'identified', controller, firmware, serialNumber });
    }
    this.#hello = hello;
    const hasRestarted = this.#hasRestarted(hello, { isAnswer, isFirst }, nowMonoMs);
    // Held totals from before the restart belong to the former count.
    const zeroMonoMs = hasRestarted ? nowMonoMs - (hello.uptimeMs ?? 0) : Number.NEGATIVE_INFINITY;
    const held = this.#held.splice(0);
    for (const { message, monoMs } of held)
      if (monoMs < zeroMonoMs) steps.push(...this.#handleMessage(message, monoMs));
    if (hasRestarted) steps.push(...this.#restart(hello, nowMonoMs));
    for (const { message, monoMs } of held)
      if (monoMs >= zeroMonoMs) steps.push(...this.#handleMessage(message, monoMs));
    return steps;
  }

  /** From version 18 on the board reports its uptime; before, an unsolicited hello means a restart. */
  #hasRestarted(
    { uptimeMs }: Hello,
    { isAnswer, isFirst }: { isAnswer: boolean; isFirst: boolean },
    nowMonoMs: number,
  ): boolean {
    if (uptimeMs === null) return !isAnswer;
    const { openedMonoMs } = this.#options;
    return this.#counters!.recordUptime(uptimeMs, nowMonoMs, { openedMonoMs, isFirst });
  }

  #restart({ uptimeMs }: Hello, nowMonoMs: number): BoardStep[] {
    this.#relays!.restarted();
    const zeroMonoMs = nowMonoMs - (uptimeMs ?? startUpMs);
    const reports = this.#counters!.restarted(nowMonoMs, zeroMonoMs, this.#options.openedMonoMs);
    return [
      { kind: 'restarted' },
      ...reports.map((report) => ({ kind: 'reported', report }) as const),
      ...this.#tokens.removeAll(),
    ];
  }

  #handleMessage(message: BoardMessage, monoMs: number): BoardStep[] {
    switch (message.kind) {
      case 'meter': {
        const report = this.#counters!.report(message.meter, message.total, monoMs);
        if (report === null) return [];
        if (report.ticks > 0) {
          this.#relays!.addTicks(report.meter, report.ticks);
          this.#tokens.noteFlow(monoMs);
        }
        return [{ kind: 'reported', report }];
      }
      case 'temperature':
        return [{ kind: 'temperature', sensor: message.sensor, tempC: message.tempC }];
      case 'output':
        this.#relays!.outputReported(message.output, message.on, monoMs);
        return [];
      case 'token': {
        const device = readerName(message.device);
        const value = tokenText(message.bytes, { device, firmware: this.#hello!.firmware });
        return message.attached
          ? this.#tokens.attached(device, value, monoMs)
          : this.#tokens.detached(device, value);
      }
      case 'hello':
        return [];
    }
  }

  #fail(why: LinkFailure): BoardStep {
    this.#hasFailed = true;
    return { kind: 'failed', why };
  }

  /** Queues due commands: relays first, since shutting a valve is more urgent than a ping. */
  #sendDue(nowMonoMs: number): BoardStep[] {
    const hello = this.#hello;
    const relays = this.#relays;
    if (hello !== null && relays !== null) {
      while (this.#sender.canSend(outputCommandBytes, nowMonoMs)) {
        const command = relays.nextCommand(nowMonoMs);
        if (command === null) break;
        this.#sender.send(setOutputCommand({ ...command, firmware: hello.firmware }), nowMonoMs);
      }
    }
    const action =
      hello === null
        ? this.#monitor.nextActionBeforeHello(nowMonoMs, this.#held.length > 0)
        : this.#monitor.nextAction(nowMonoMs, {
            firmware: hello.firmware,
            hasHeartbeat: hello.uptimeMs !== null,
          });
    if (action === 'not_a_kegboard' || action === 'silent') return [this.#fail(action)];
    if (action === 'ping' && this.#sender.canSend(pingBytes, nowMonoMs)) {
      this.#monitor.pingSent(nowMonoMs);
      this.#sender.send(pingCommand(), nowMonoMs);
    }
    return [];
  }
}

/** Derives a controller's name from the last eight characters of its serial number. */
function controllerName(serialNumber: string | null): string {
  if (serialNumber === null) return 'kegboard';
  return `kegboard-${serialNumber
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')}`;
}
