import type { BoardCounters, ReportedTicks } from './board-counters.ts';
import { BoardEar } from './board-ear.ts';
import { BoardMouth } from './board-mouth.ts';
import { BoardRelays } from './board-relays.ts';
import { BoardTokens, readerName, type TokenStep, tokenText } from './board-tokens.ts';
import { pingCommand, setOutputCommand } from './kbsp-commands.ts';
import { FrameParser, type KbspFrame } from './kbsp-frame.ts';
import { type BoardMessage, readMessage } from './kbsp-messages.ts';

/** Before version 4 a board does not say which firmware it has. */
const oldestFirmware = 4;

/** An older board says its first hello this long after it began to count, at most. */
const startUpMs = 1_500;

/** A gap inside a frame: a frame takes at most 11 ms on the wire, a lazy USB adapter some tens more. */
const cutFrameMs = 500;

/** Length of the command that switches an output, bytes. */
const outputCommandBytes = 23;
const pingBytes = 16;

/** Messages that came before the board said who it is. */
const mostHeld = 256;

type Hello = Extract<BoardMessage, { kind: 'hello' }>;

/** Why a link is of no use: no Kegboard, firmware from before version 4, silence, a new name, or a name that is taken. */
export type Uselessness = 'stranger' | 'too_old' | 'silent' | 'renamed' | 'twin';

/** What a board came to say. */
export type BoardStep =
  /** It said who it is; the first step of every board. */
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
  /** Nothing more is to be had over this link. */
  | { readonly kind: 'useless'; readonly why: Uselessness };

export interface SerialBoardOptions {
  readonly openedMonoMs: number;
  /** Name of the controller, in place of the one its serial number gives. */
  readonly name?: string;
  /** The counters of a controller, which outlive the link; null while another link serves it. */
  readonly countersOf: (controller: string) => BoardCounters | null;
}

/** One board at the other end of one open link: bytes in, steps and bytes out. It owns no timer and is stepped. */
export class SerialBoard {
  readonly #options: SerialBoardOptions;
  readonly #parser = new FrameParser();
  readonly #tokens = new BoardTokens();
  readonly #mouth = new BoardMouth();
  readonly #ear: BoardEar;
  #counters: BoardCounters | null = null;
  #relays: BoardRelays | null = null;
  #controller: string | null = null;
  #hello: Hello | null = null;
  #held: { message: BoardMessage; monoMs: number }[] = [];
  #noiseBytes = 0;
  #isUseless = false;

  constructor(options: SerialBoardOptions) {
    this.#options = options;
    this.#ear = new BoardEar(options.openedMonoMs);
  }

  /** Null until it said who it is. */
  get controller(): string | null {
    return this.#controller;
  }

  get firmware(): number | null {
    return this.#hello?.firmware ?? null;
  }

  /** Its relays; null until it said who it is. */
  get relays(): BoardRelays | null {
    return this.#relays;
  }

  /** Takes the next bytes from the wire. Never throws. */
  hear(bytes: Uint8Array, nowMonoMs: number): BoardStep[] {
    this.#ear.heard();
    return this.#take(this.#parser.push(bytes), nowMonoMs);
  }

  /** Looks at the clock, about every 50 ms: what it means that nothing came, and what is to be written now. */
  step(nowMonoMs: number): { readonly steps: BoardStep[]; readonly write: Uint8Array[] } {
    this.#ear.look(nowMonoMs);
    const steps: BoardStep[] = [];
    if (this.#ear.silentMs > cutFrameMs && this.#parser.heldBytes > 0) {
      steps.push(...this.#take(this.#parser.giveUp(), nowMonoMs));
    }
    steps.push(...this.#tokens.step(nowMonoMs));
    if (!this.#isUseless) steps.push(...this.#speak(nowMonoMs));
    return { steps, write: this.#mouth.take() };
  }

  /** The link is about to close or gone: what the board should still be told, and what is over. */
  leave(): { readonly steps: BoardStep[]; readonly write: Uint8Array[] } {
    const firmware = this.firmware ?? 0;
    const write = (this.#relays?.shutAll() ?? []).map((word) => setOutputCommand({ ...word, firmware }));
    return { steps: this.#tokens.allGone(), write };
  }

  #take(frames: readonly KbspFrame[], nowMonoMs: number): BoardStep[] {
    const { noiseBytes } = this.#parser.faults;
    // A report may have been among what was thrown away.
    if (noiseBytes > this.#noiseBytes) this.#counters?.doubt();
    this.#noiseBytes = noiseBytes;
    const steps: BoardStep[] = [];
    for (const frame of frames) {
      const reading = readMessage(frame);
      if (reading.kind !== 'message' || this.#isUseless) continue;
      const { message } = reading;
      if (message.kind === 'hello') steps.push(...this.#greet(message, nowMonoMs));
      else if (this.#hello !== null) steps.push(...this.#mind(message, nowMonoMs));
      else this.#hold(message, nowMonoMs);
    }
    return steps;
  }

  /** Totals run on, so the oldest of too many can be spared. */
  #hold(message: BoardMessage, monoMs: number): void {
    this.#held.push({ message, monoMs });
    if (this.#held.length > mostHeld) this.#held.shift();
  }

  #greet(hello: Hello, nowMonoMs: number): BoardStep[] {
    const isAnswer = this.#ear.takeAnswer(nowMonoMs);
    if (hello.firmware < oldestFirmware) return [this.#useless('too_old')];
    const controller = this.#options.name ?? controllerName(hello.serialNumber);
    if (this.#controller !== null && controller !== this.#controller) return [this.#useless('renamed')];

    const steps: BoardStep[] = [];
    const isFirst = this.#hello === null;
    if (isFirst) {
      const counters = this.#options.countersOf(controller);
      if (counters === null) return [this.#useless('twin')];
      counters.doubt();
      this.#counters = counters;
      this.#controller = controller;
      this.#relays = new BoardRelays(hello.firmware);
      const { firmware, serialNumber } = hello;
      steps.push({ kind: 'identified', controller, firmware, serialNumber });
    }
    this.#hello = hello;
    for (const { message, monoMs } of this.#held.splice(0)) steps.push(...this.#mind(message, monoMs));
    if (this.#beganAgain(hello, { isAnswer, isFirst }, nowMonoMs))
      steps.push(...this.#restart(hello, nowMonoMs));
    return steps;
  }

  /** From version 18 on the board says how long it runs; before, a hello nobody asked for is its first word. */
  #beganAgain(
    { uptimeMs }: Hello,
    { isAnswer, isFirst }: { isAnswer: boolean; isFirst: boolean },
    nowMonoMs: number,
  ): boolean {
    if (uptimeMs === null) return !isAnswer;
    const { openedMonoMs } = this.#options;
    return this.#counters!.uptime(uptimeMs, nowMonoMs, { openedMonoMs, isFirst });
  }

  #restart({ uptimeMs }: Hello, nowMonoMs: number): BoardStep[] {
    this.#relays!.restarted();
    const reports = this.#counters!.restarted(nowMonoMs, nowMonoMs - (uptimeMs ?? startUpMs));
    return [
      { kind: 'restarted' },
      ...reports.map((report) => ({ kind: 'reported', report }) as const),
      ...this.#tokens.allGone(),
    ];
  }

  #mind(message: BoardMessage, monoMs: number): BoardStep[] {
    switch (message.kind) {
      case 'meter': {
        const report = this.#counters!.report(message.meter, message.total, monoMs);
        if (report === null) return [];
        if (report.ticks > 0) {
          this.#relays!.flowed(report.meter, report.ticks);
          this.#tokens.flowed(monoMs);
        }
        return [{ kind: 'reported', report }];
      }
      case 'temperature':
        return [{ kind: 'temperature', sensor: message.sensor, tempC: message.tempC }];
      case 'output':
        this.#relays!.reported(message.output, message.on, monoMs);
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

  #useless(why: Uselessness): BoardStep {
    this.#isUseless = true;
    return { kind: 'useless', why };
  }

  /** Says what is due: relays first, for a valve that should be shut is more than a question. */
  #speak(nowMonoMs: number): BoardStep[] {
    const hello = this.#hello;
    const relays = this.#relays;
    if (hello !== null && relays !== null) {
      while (this.#mouth.hasRoom(outputCommandBytes, nowMonoMs)) {
        const word = relays.nextWord(nowMonoMs);
        if (word === null) break;
        this.#mouth.say(setOutputCommand({ ...word, firmware: hello.firmware }), nowMonoMs);
      }
    }
    const advice =
      hello === null
        ? this.#ear.adviseStranger(nowMonoMs, this.#held.length > 0)
        : this.#ear.advise(nowMonoMs, {
            firmware: hello.firmware,
            hasHeartbeat: hello.uptimeMs !== null,
          });
    if (advice === 'stranger' || advice === 'silent') return [this.#useless(advice)];
    if (advice === 'ping' && this.#mouth.hasRoom(pingBytes, nowMonoMs)) {
      this.#ear.pinged(nowMonoMs);
      this.#mouth.say(pingCommand(), nowMonoMs);
    }
    return [];
  }
}

/** The name a board gets by its serial number: the last eight characters tell it from others. */
export function controllerName(serialNumber: string | null): string {
  if (serialNumber === null) return 'kegboard';
  return `kegboard-${serialNumber
    .slice(-8)
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')}`;
}
