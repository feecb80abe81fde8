import type { Clock } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { AlarmChannelRecord, Engine } from '../../engine/engine.ts';
import { productVersion } from '../../system/product.ts';
import { httpSend } from '../http-send.ts';
import { type ChannelSenderParts, parseReply } from './send-to-channel.ts';

/** Receipts asked for in one poll; Pushover permits one request in five seconds for each. */
const maxReceipts = 20;
const maxAnswerBytes = 4_096;

type PendingReceipt = ReturnType<Engine['notifications']['alarms']['pendingReceipts']>[number];

interface PollerParts extends Omit<ChannelSenderParts, 'engine' | 'mailTimeouts'> {
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly clock: Clock;
}

/**
 * Asks Pushover whether its emergencies were acknowledged in the app, and stops those of which nobody has to be told any more.
 * Call `poll` every half a minute; it does nothing while another one runs.
 */
export function createReceiptPoller(parts: PollerParts) {
  const { engine: getEngine, clock, allowsLocal, timeoutMs = 10_000, find } = parts;
  const abort = new AbortController();
  let isPolling = false;
  /** The poll in which each receipt was last asked for: with more than one poll can ask for, all get their turn. */
  const askedIn = new Map<string, number>();
  let polls = 0;

  function takeNext(pending: readonly PendingReceipt[]): readonly PendingReceipt[] {
    const current = new Set(pending.map(({ receipt }) => receipt));
    for (const receipt of askedIn.keys()) if (!current.has(receipt)) askedIn.delete(receipt);
    const lastAsked = ({ receipt }: PendingReceipt) => askedIn.get(receipt) ?? 0;
    const next = [...pending].sort((a, b) => lastAsked(a) - lastAsked(b)).slice(0, maxReceipts);
    polls += 1;
    for (const { receipt } of next) askedIn.set(receipt, polls);
    return next;
  }

  async function poll(): Promise<void> {
    const engine = getEngine();
    if (engine === null || isPolling || abort.signal.aborted) return;
    isPolling = true;
    try {
      for (const { receipt, channelId, isOver } of takeNext(
        engine.notifications.alarms.pendingReceipts(clock.now()),
      )) {
        const channel = engine.notifications.alarmChannels.withDeleted(channelId);
        if (channel === null) continue;
        const isDone = await (isOver ? cancel(channel, receipt) : isAcknowledged(channel, receipt));
        if (!isDone || getEngine() !== engine || abort.signal.aborted) continue;
        if (isOver) engine.notifications.alarms.removeReceipt(receipt);
        else engine.notifications.alarms.acknowledgeByReceipt(receipt, clock.now());
      }
    } finally {
      isPolling = false;
    }
  }

  async function isAcknowledged(channel: AlarmChannelRecord, receipt: string): Promise<boolean> {
    const token = encodeURIComponent(channel.secrets.token ?? '');
    const answer = await send(channel, `receipts/${receipt}.json?token=${token}`, {
      method: 'GET',
      body: '',
    });
    return answer.kind === 'answered' && answer.status === 200 && parseReply(answer.text).acknowledged === 1;
  }

  /** True also for a receipt that the service does not know any more. */
  async function cancel(channel: AlarmChannelRecord, receipt: string): Promise<boolean> {
    const body = new URLSearchParams({ token: channel.secrets.token ?? '' }).toString();
    const answer = await send(channel, `receipts/${receipt}/cancel.json`, { method: 'POST', body });
    return answer.kind === 'answered' && answer.status < 500 && answer.status !== 429;
  }

  const send = (
    { settings }: AlarmChannelRecord,
    path: string,
    request: { readonly method: string; readonly body: string },
  ) =>
    httpSend({
      ...request,
      url: `${settings.url!.replace(/\/+$/, '')}/1/${path}`,
      headers: {
        'user-agent': `Tapster/${productVersion()}`,
        ...(request.body !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      timeoutMs,
      allowsLocal,
      maxAnswerBytes,
      signal: abort.signal,
      ...omitUndefined({ find }),
    });

  return {
    poll,
    close: (): void => abort.abort(),
  };
}
