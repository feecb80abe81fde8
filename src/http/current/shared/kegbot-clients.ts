import type { IncomingMessage } from 'node:http';
import type { ReplyFormat } from '../../routes/reply-format.ts';
import { currentFormat } from './reply-format.ts';

/**
 * Clients of Kegbot (kegbot-pycore, through its library kbapi) have the base address `/api/` unless told otherwise. Theirs is
 * the legacy API; what they send here would fail with an error that explains nothing.
 */
const sentence =
  'Clients of Kegbot need the legacy API: end their base address with /api/v1/, for kegbot-pycore ' +
  '--api_url=http://<this server>/api/v1/.';

/** kbapi sends the header with every request; other programs may send it, too. */
const hasKegbotHeader = ({ headers }: IncomingMessage): boolean => headers['x-kegbot-api-key'] !== undefined;

/** Added to the errors of requests for which this API has no address, method or media type. */
export const kegbotHint = (request: IncomingMessage): string | null =>
  hasKegbotHeader(request) ? sentence : null;

/**
 * True for the first request of kegbot-pycore, which asks whether the server is there. Scripts in Python may send the same
 * on purpose, so it must be answered all the same.
 */
const isKegbotProbe = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  /^\/status\/?(\?|$)/.test(request.url ?? '') &&
  hasKegbotHeader(request) &&
  (request.headers['user-agent'] ?? '').startsWith('python-requests/');

/** The answer as for everybody, with an `error` beside it: kbapi raises its message, other programs read `result`. */
const kegbotProbeFormat: ReplyFormat = {
  ...currentFormat,
  ok: (value) => ({ result: value, error: { code: 'BadRequestError', message: sentence } }),
};

/** Returns the reply format of a request to the current API. */
export const currentFormatFor = (request: IncomingMessage): ReplyFormat =>
  isKegbotProbe(request) ? kegbotProbeFormat : currentFormat;
