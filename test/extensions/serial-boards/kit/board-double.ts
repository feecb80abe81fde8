import type { LinkListeners, SerialLink } from '../../../../src/devices/serial/serial-link.ts';
import { boardMessages, createCommandParser } from './serial-board.ts';

/** Interval at which a board looks at its totals, milliseconds. */
const lookMs = 101;
const heartbeatMs = 10_001;

interface BoardDoubleOptions {
  readonly firmware?: number;
  /** Empty for a board that was never given a number. */
  readonly serialNumber?: string;
  /** Whether the board restarts when its port is opened, as an Uno does; a Pro Micro does not. */
  readonly resetsOnOpen?: boolean;
  /** The first total of each meter. */
  readonly startTotal?: number;
}

/** A Kegboard on the clock of the test: counts, reports and answers as the firmware does. */
export class BoardDouble {
  readonly #options: Required<BoardDoubleOptions>;
  #nowMs: number;
  #startedMs: number;
  #lookedMs: number;
  #heartbeatMs: number;
  #totals = new Map<string, number>();
  #reported = new Map<string, number>();
  #listeners: LinkListeners | null = null;
  #isAnswerDue = false;
  #isStartHelloDue = false;
  /** The next report is damaged on the wire. */
  damagesNextReport = false;

  constructor(nowMs: number, options: BoardDoubleOptions = {}) {
    this.#options = { firmware: 18, serialNumber: '', resetsOnOpen: false, startTotal: 0, ...options };
    this.#nowMs = nowMs;
    this.#startedMs = nowMs;
    this.#lookedMs = nowMs;
    this.#heartbeatMs = nowMs;
  }

  /** The total that the board counts for a meter now. */
  total(meter: string): number {
    return this.#totals.get(meter) ?? this.#options.startTotal;
  }

  /** Ticks of a meter since the last look. */
  pulse(meter: string, ticks: number): void {
    this.#totals.set(meter, (this.total(meter) + ticks) % 2 ** 32);
  }

  /** Restarts the board: its totals are zero, and it sends a hello with an uptime of 0 at the end of its start. */
  reset(): void {
    for (const meter of this.#totals.keys()) {
      this.#totals.set(meter, 0);
      this.#reported.set(meter, 0);
    }
    this.#startedMs = this.#nowMs;
    this.#heartbeatMs = this.#nowMs;
    this.#isStartHelloDue = true;
    this.#isAnswerDue = false;
  }

  /** Opens the board's port. */
  open(listeners: LinkListeners): SerialLink {
    this.#listeners = listeners;
    const parse = createCommandParser();
    if (this.#options.resetsOnOpen) this.reset();
    return {
      write: (bytes) => {
        if (parse(bytes).some(({ kind }) => kind === 'ping')) this.#isAnswerDue = true;
      },
      close: async () => this.disconnect(),
    };
  }

  /** Nobody reads the port any more: what the board sends is lost. */
  disconnect(): void {
    this.#listeners = null;
  }

  /** The cable is pulled while the board keeps its power. */
  unplug(): void {
    const listeners = this.#listeners;
    this.disconnect();
    listeners?.onClosed(new Error('bad file descriptor'));
  }

  /** Advances the board's clock and sends what is due. */
  step(nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#isStartHelloDue) this.#sendHello(0);
    if (this.#isAnswerDue) this.#sendHello();
    if (this.#options.firmware >= 18 && nowMs - this.#heartbeatMs > heartbeatMs) {
      this.#heartbeatMs = nowMs;
      this.#sendHello();
    }
    if (nowMs - this.#lookedMs < lookMs) return;
    this.#lookedMs = nowMs;
    for (const [meter, total] of this.#totals) {
      if (this.#reported.get(meter) === total) continue;
      this.#reported.set(meter, total);
      const frame = boardMessages.meter(meter, total).slice();
      if (this.damagesNextReport) frame[20]! ^= 0x01;
      this.damagesNextReport = false;
      this.#listeners?.onBytes(frame);
    }
  }

  #sendHello(uptimeMs = this.#nowMs - this.#startedMs): void {
    this.#isStartHelloDue = false;
    this.#isAnswerDue = false;
    const { firmware, serialNumber } = this.#options;
    this.#listeners?.onBytes(boardMessages.hello({ firmware, serialNumber, uptimeMs }));
  }
}
