import type { UpstreamAnswer } from './post.ts';

/** A command from the upstream server. */
export interface UpstreamCommand {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Meaning of an answer for the batch sent. */
export type UpstreamResult =
  | { readonly kind: 'accepted'; readonly commands: readonly UpstreamCommand[] }
  | { readonly kind: 'allowed'; readonly token: string }
  /** `code`: what staff of the server compare before they allow this site; null from servers without codes. */
  | { readonly kind: 'pending'; readonly code: string | null }
  | { readonly kind: 'denied' }
  /** The batch will never be accepted. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Unreachable, failing, or a wrong address: the batch may be sent again. */
  | {
      readonly kind: 'trouble';
      /** The status and error of the answer; without an answer, the system's error code. */
      readonly reason: string;
      readonly isAnswered: boolean;
      readonly retryAfterMs: number;
    };

/**
 * Statuses that reject the content. Any other 4xx concerns the address, a proxy or a temporary state:
 * discarding pours for those would lose them to a typing error in the address.
 */
const contentRefusals: ReadonlySet<number> = new Set([400, 409, 413, 422]);

const maxCommands = 64;

/** Parses any answer to a result. */
export function parseAnswer(answer: UpstreamAnswer): UpstreamResult {
  if (answer.kind === 'failed')
    return { kind: 'trouble', reason: answer.code, isAnswered: false, retryAfterMs: 0 };
  const { status } = answer;
  const body = toObject(answer.body);
  if (status >= 200 && status < 300) return { kind: 'accepted', commands: parseCommands(body.commands) };
  if (status === 401) return parsePairing(toObject(body.pairing));
  const reason = `${status} ${typeof body.error === 'string' ? body.error.slice(0, 100) : ''}`.trim();
  // The server rejects the protocol version, not the events, and may be upgraded.
  const isVersionRefusal = body.error === 'unsupported_version';
  if (contentRefusals.has(status) && !isVersionRefusal) return { kind: 'refused', reason };
  const seconds = Number(answer.retryAfter);
  const retryAfterMs = Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0;
  return { kind: 'trouble', reason, isAnswered: true, retryAfterMs };
}

function parsePairing({ state, token, code }: Record<string, unknown>): UpstreamResult {
  if (state === 'denied') return { kind: 'denied' };
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,256}$/.test(token);
  if (state === 'allowed' && isToken) return { kind: 'allowed', token };
  const isCode = typeof code === 'string' && /^[\x21-\x7e]{1,16}$/.test(code);
  return { kind: 'pending', code: isCode ? code : null };
}

function parseCommands(list: unknown): UpstreamCommand[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, maxCommands).flatMap((item) => {
    const { id, type, data } = toObject(item);
    const isCommand = typeof id === 'string' && id.length >= 1 && id.length <= 64 && typeof type === 'string';
    return isCommand ? [{ id, type, data: toObject(data) }] : [];
  });
}

function toObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}
