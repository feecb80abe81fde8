/** A board that began again as we opened its port is in its boot loader for two seconds and plays a tune after. */
const firstPingMs = 3_500;
const pingAgainMs = 5_000;

/** Who has not said hello by now is no Kegboard. */
const identifyTimeoutMs = 30_000;

/** Version 18 says hello every ten seconds, so longer silence means that it hangs or is gone. */
const heartbeatLimitMs = 30_000;

/** Older boards are silent while nobody pours, and from version 12 on each ping is heard at the bar. */
const silentBoardPingMs = 60_000;
const audiblePingMs = 600_000;
const firstAudiblePing = 12;
const maxUnanswered = 3;

/** One look at the clock adds at most this to a silence: while our loop stalled, bytes waited that nobody looked at. */
const maxStepMs = 100;

/** What to do about a board's silence. */
export type SilenceAction = 'wait' | 'ping' | 'not_a_kegboard' | 'silent';

/** How a board is to be asked once it is known. */
export interface PingRules {
  readonly firmware: number;
  /** Whether it says hello by itself all the time. */
  readonly hasHeartbeat: boolean;
}

/** Listens for silence at one link: when to ask the board whether it is there, and when to stop waiting. */
export class SerialReceiver {
  readonly #openedMonoMs: number;
  #polledMonoMs: number;
  #silentMs = 0;
  /** Pings whose hello may still come. */
  #pendingAnswers = 0;
  #unanswered = 0;
  #pingedMonoMs = Number.NEGATIVE_INFINITY;

  constructor(openedMonoMs: number) {
    this.#openedMonoMs = openedMonoMs;
    this.#polledMonoMs = openedMonoMs;
  }

  /** How long nothing came, milliseconds, of which a stall of ours is no part. */
  get silentMs(): number {
    return this.#silentMs;
  }

  /** Bytes came. */
  bytesReceived(): void {
    this.#silentMs = 0;
    this.#unanswered = 0;
  }

  /** Whether a hello that comes now answers a ping; if not, nobody asked for it. */
  consumePingAnswer(nowMonoMs: number): boolean {
    if (nowMonoMs - this.#pingedMonoMs > pingAgainMs) this.#pendingAnswers = 0;
    if (this.#pendingAnswers === 0) return false;
    this.#pendingAnswers--;
    return true;
  }

  /** A ping was sent. */
  pingSent(nowMonoMs: number): void {
    this.#pendingAnswers++;
    this.#unanswered++;
    this.#pingedMonoMs = nowMonoMs;
  }

  poll(nowMonoMs: number): void {
    this.#silentMs += Math.min(Math.max(0, nowMonoMs - this.#polledMonoMs), maxStepMs);
    this.#polledMonoMs = nowMonoMs;
  }

  /** Before the first hello. A board that speaks runs already and is asked at once; one that may be starting is given its time. */
  adviseUnidentified(nowMonoMs: number, hasMessages: boolean): SilenceAction {
    const sinceOpenMs = nowMonoMs - this.#openedMonoMs;
    if (sinceOpenMs > identifyTimeoutMs) return 'not_a_kegboard';
    const hasPinged = this.#pingedMonoMs > Number.NEGATIVE_INFINITY;
    const isDue = hasPinged
      ? nowMonoMs - this.#pingedMonoMs >= pingAgainMs
      : hasMessages || sinceOpenMs >= firstPingMs;
    return isDue ? 'ping' : 'wait';
  }

  /** After it. */
  advise(nowMonoMs: number, { firmware, hasHeartbeat }: PingRules): SilenceAction {
    if (hasHeartbeat) return this.#silentMs > heartbeatLimitMs ? 'silent' : 'wait';
    if (this.#silentMs <= (firmware < firstAudiblePing ? silentBoardPingMs : audiblePingMs)) return 'wait';
    if (this.#unanswered > 0 && nowMonoMs - this.#pingedMonoMs < pingAgainMs) return 'wait';
    return this.#unanswered >= maxUnanswered ? 'silent' : 'ping';
  }
}
