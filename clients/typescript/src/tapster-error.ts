/** The `error` object of a refusal. */
interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly reason?: { readonly name: string };
}

/** A request that the daemon refused, or an answer that is not the daemon's. */
export class TapsterError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** Name of the error, such as `BadRequestError`; empty if the answer is not the daemon's, for example a proxy's. */
  readonly code: string;
  /** Name of a field of the request → what is allowed there. Empty if no field is at fault. */
  readonly fields: Readonly<Record<string, string>>;
  /** Stable name of the reason; null without one. */
  readonly reason: string | null;
  /** After how many seconds a repetition makes sense; null if the daemon does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, body: unknown) {
    const error = findError(body);
    super(error?.message ?? `The server answered ${response.status} ${response.statusText}`.trim());
    this.name = 'TapsterError';
    this.status = response.status;
    this.code = error?.code ?? '';
    this.fields = error?.fields ?? {};
    this.reason = error?.reason?.name ?? null;
    const retryAfter = response.headers.get('Retry-After');
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }
}

function findError(body: unknown): ErrorBody | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  return typeof error === 'object' && error !== null ? error : null;
}
