import {
  type AlarmChannelKind,
  escapeJson,
  fillTemplate,
  isJsonTemplate,
  parseHeaderLines,
} from '../../core/alarms/alarm-channels.ts';
import { type AlarmChannelRecord, receiptLifeMs } from '../../engine/engine.ts';
import type { AlarmMessage } from './alarm-message.ts';

/** The request by which a service is told of an alarm. */
interface ChannelRequest {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A message, and what templates say besides its texts. */
interface ChannelMessage {
  readonly message: Omit<AlarmMessage, 'alarms'> & Partial<Pick<AlarmMessage, 'alarms'>>;
  readonly siteTitle: string;
  /** Time at which it is sent, Unix milliseconds. */
  readonly nowMs: number;
}

type Fields = Readonly<Record<string, string>>;
type ToRequest = (fields: Fields, message: ChannelMessage) => ChannelRequest;

/** Lengths that the services accept: ntfy 4 096 bytes, Telegram 4 096, Pushover 1 024 and 250 characters. */
const longest = { ntfyBytes: 3_800, telegram: 4_000, pushoverText: 1_000, pushoverTitle: 240, gotify: 8_000 };

/** Pushover repeats an emergency each minute (at least 30 s) for an hour (at most three) until somebody acknowledges it. */
const emergency = { retry: '60', expire: String(receiptLifeMs / 1_000) };

const jsonHeaders = { 'content-type': 'application/json' };

const requests: Readonly<Record<Exclude<AlarmChannelKind, 'mail'>, ToRequest>> = {
  ntfy({ url, topic, username, token }, { message }) {
    const { acknowledge } = message;
    return {
      url: url!,
      method: 'POST',
      headers: { ...jsonHeaders, ...ntfyAuthorization(username, token) },
      body: JSON.stringify({
        topic,
        title: cut(message.title, longest.pushoverTitle),
        message: cutBytes(toText(message), longest.ntfyBytes),
        priority: toLevel(message, { urgent: 5, normal: 3, over: 2 }),
        tags: [toLevel(message, { urgent: 'rotating_light', normal: 'warning', over: 'white_check_mark' })],
        ...(acknowledge && {
          click: acknowledge.page,
          // The app sends it without opening a page; ntfy allows three actions.
          actions: [
            { action: 'http', label: acknowledge.text, url: acknowledge.action, method: 'POST', clear: true },
          ],
        }),
      }),
    };
  },
  telegram: ({ url, chat, token }, { message }) => ({
    url: `${trim(url!)}/bot${encodeURIComponent(token!).replace('%3A', ':')}/sendMessage`,
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify({
      chat_id: chat,
      // Plain text: no character has to be escaped.
      text: joinLink(cut(`${message.title}\n\n${toText(message)}`, longest.telegram - 300), message),
      disable_notification: toLevel(message, { urgent: false, normal: true, over: true }),
      link_preview_options: { is_disabled: true },
    }),
  }),
  pushover: ({ url, user_key: user, token, priority }, { message }) => ({
    url: `${trim(url!)}/1/messages.json`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      token: token!,
      user: user!,
      title: cut(message.title, longest.pushoverTitle),
      message: cut(toText(message) || message.title, longest.pushoverText),
      ...(priority === 'emergency' && toLevel(message, { urgent: true, normal: false, over: false })
        ? { priority: '2', ...emergency }
        : { priority: String(toLevel(message, { urgent: 1, normal: 0, over: -1 })) }),
      ...(message.acknowledge && { url: message.acknowledge.page, url_title: message.acknowledge.text }),
    }).toString(),
  }),
  gotify: ({ url, token }, { message }) => ({
    url: `${trim(url!)}/message`,
    method: 'POST',
    headers: { ...jsonHeaders, 'x-gotify-key': token! },
    body: JSON.stringify({
      title: message.title,
      message: joinLink(cut(toText(message), longest.gotify), message),
      priority: toLevel(message, { urgent: 8, normal: 4, over: 2 }),
      ...(message.acknowledge && {
        extras: { 'client::notification': { click: { url: message.acknowledge.page } } },
      }),
    }),
  }),
  http(fields, { message, siteTitle, nowMs }) {
    const secret = fields.secret ?? '';
    const template = fields.body ?? '';
    const [alarm] = message.alarms ?? [];
    const values = {
      event: message.event,
      title: message.title,
      message: toText(message),
      urgency: message.urgency,
      kind: alarm?.kind ?? 'test',
      subject: alarm?.subject ?? '',
      alarm_id: String(alarm?.id ?? ''),
      site: siteTitle,
      time: new Date(nowMs).toISOString(),
      link: message.acknowledge?.page ?? '',
      secret,
    };
    return {
      url: fillTemplate(fields.url!, { secret }, encodeURIComponent),
      method: fields.method === 'PUT' ? 'PUT' : 'POST',
      headers: parseHeaderLines(fillTemplate(fields.headers ?? '', { secret })) ?? {},
      body: fillTemplate(template, values, isJsonTemplate(template) ? escapeJson : undefined),
    };
  },
};

/** The request for a channel of any kind but mail. */
export const toChannelRequest = (
  channel: AlarmChannelRecord & { readonly kind: Exclude<AlarmChannelKind, 'mail'> },
  message: ChannelMessage,
): ChannelRequest => requests[channel.kind]({ ...channel.settings, ...channel.secrets }, message);

const ntfyAuthorization = (username: string | undefined, token: string | undefined): Fields => {
  if (token === undefined) return {};
  if (username === undefined) return { authorization: `Bearer ${token}` };
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
};

const toText = ({ paragraphs }: Pick<AlarmMessage, 'paragraphs'>): string => paragraphs.join('\n');

const joinLink = (text: string, { acknowledge }: Pick<AlarmMessage, 'acknowledge'>): string =>
  acknowledge === null ? text : `${text}\n\n${acknowledge.text}: ${acknowledge.page}`;

function toLevel<T>(
  { event, urgency }: Pick<AlarmMessage, 'event' | 'urgency'>,
  { urgent, normal, over }: { readonly urgent: T; readonly normal: T; readonly over: T },
): T {
  if (event === 'resolved') return over;
  return urgency === 'high' ? urgent : normal;
}

const trim = (url: string): string => url.replace(/\/+$/, '');

/** At most so many UTF-16 units, as the services count them, without half of a character at the end. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** At most so many bytes of UTF-8. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return `${Buffer.from(text)
    .subarray(0, most - 3)
    .toString()
    .replace(/\uFFFD+$/, '')}…`;
}
