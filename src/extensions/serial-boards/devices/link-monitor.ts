/** Opening the port may restart a board: it then spends two seconds in its boot loader and plays a tune. */
const firstPingMs = 3_500;
const pingAgainMs = 5_000;

/** A device that has sent no hello within this time is not a Kegboard. */
const identifyTimeoutMs = 30_000;

/** Version 18 sends a hello every ten seconds; after a longer silence the board hangs or is gone. */
const heartbeatLimitMs = 30_000;

/** Older boards are silent while nothing flows; from version 12 on the board plays a tune at each ping. */
const silentBoardPingMs = 60_000;
const audiblePingMs = 600_000;
const firstAudiblePing = 12;
const maxUnanswered = 3;

/** One poll adds at most this to a silence: while the main loop stalled, bytes may have arrived unread. */
const maxStepMs = 100;

/** Reaction to a board's silence. */
type SilenceAction = 'wait' | 'ping' | 'not_a_kegboard' | 'silent';

/** Properties of an identified board that determine when to ping it. */
interface PingRules {
  readonly firmware: number;
  /** True when it sends a hello at intervals without being asked. */
  readonly hasHeartbeat: boolean;
}

/** Measures the silence on one link: decides when to ping the board and when to give up. */
export class LinkMonitor {
  readonly #openedMonoMs: number;
  #polledMonoMs: number;
  #silentMs = 0;
  /** Pings whose hello may still arrive. */
  #pendingAnswers = 0;
  #unanswered = 0;
  #pingedMonoMs = Number.NEGATIVE_INFINITY;

  constructor(openedMonoMs: number) {
    this.#openedMonoMs = openedMonoMs;
    this.#polledMonoMs = openedMonoMs;
  }

  /** Milliseconds without received bytes, excluding stalls of the main loop. */
  get silentMs(): number {
    return this.#silentMs;
  }

  /** Records that bytes were received. */
  bytesReceived(): void {
    this.#silentMs = 0;
    this.#unanswered = 0;
  }

  /** True when a hello received now answers a ping; false when it is unsolicited. */
  consumePingAnswer(nowMonoMs: number): boolean {
    if (nowMonoMs - this.#pingedMonoMs > pingAgainMs) this.#pendingAnswers = 0;
    if (this.#pendingAnswers === 0) return false;
    this.#pendingAnswers--;
    return true;
  }

  /** Records that a ping was sent. */
  pingSent(nowMonoMs: number): void {
    this.#pendingAnswers++;
    this.#unanswered++;
    this.#pingedMonoMs = nowMonoMs;
  }

  poll(nowMonoMs: number): void {
    this.#silentMs += Math.min(Math.max(0, nowMonoMs - this.#polledMonoMs), maxStepMs);
    this.#polledMonoMs = nowMonoMs;
  }

  /**
   * Before the first hello: a board that sends messages runs and is pinged at once; others may be starting
   * and get 3.5 s.
   */
  nextActionBeforeHello(nowMonoMs: number, hasMessages: boolean): SilenceAction {
    const sinceOpenMs = nowMonoMs - this.#openedMonoMs;
    if (sinceOpenMs > identifyTimeoutMs) return 'not_a_kegboard';
    const hasPinged = this.#pingedMonoMs > Number.NEGATIVE_INFINITY;
    const isDue = hasPinged
      ? nowMonoMs - this.#pingedMonoMs >= pingAgainMs
      : hasMessages || sinceOpenMs >= firstPingMs;
    return isDue ? 'ping' : 'wait';
  }

  /** After the first hello. */
  nextAction(nowMonoMs: number, { firmware, hasHeartbeat }: PingRules): SilenceAction {
    if (hasHeartbeat) return this.#silentMs > heartbeatLimitMs ? 'silent' : 'wait';
    if (this.#silentMs <= (firmware < firstAudiblePing ? silentBoardPingMs : audiblePingMs)) return 'wait';
    if (this.#unanswered > 0 && nowMonoMs - this.#pingedMonoMs < pingAgainMs) return 'wait';
    return this.#unanswered >= maxUnanswered ? 'silent' : 'ping';
  }
}
