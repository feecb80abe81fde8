import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { buildRequest, type OperationArguments, type OperationInput } from '../api/build-request.ts';
import { type RequestOptions, type Result, request } from '../api/client.ts';
import type { Operations } from '../api/generated.ts';
import type { DisplayText } from '../app/error-text.ts';
import { usePageLoad } from './page-load.ts';

const version = signal(0);

/** Incremented by each change made on this page. Components that show data of the daemon load it again then. */
export const dataVersion: ReadonlySignal<number> = version;

/** Makes the page load its data again; called after a successful request that has changed something. */
export function invalidate() {
  version.value += 1;
}

interface Resource<R> {
  /** The last successful reply; null before the first. */
  readonly result: R | null;
  /** True when `result` is the reply to the input as it is now, and not to the one before. */
  readonly isCurrent: boolean;
  /** Why the last request failed. */
  readonly error: DisplayText | null;
  /** True when the last request was answered with 404. */
  readonly isMissing: boolean;
  reload(): void;
}

interface ResourceOptions {
  /** Loads again at this interval while the page is visible. */
  readonly intervalMs?: number;
  /** Loads again when this changes. */
  readonly reloadKey?: string | number;
}

/** Operations that only read. */
type ReadOperation = Extract<keyof Operations, `GET ${string}`>;

type ResourceArguments<O extends ReadOperation> =
  Partial<OperationInput<O>> extends OperationInput<O>
    ? readonly [input?: OperationInput<O> | null, options?: ResourceOptions]
    : readonly [input: OperationInput<O> | null, options?: ResourceOptions];

/**
 * Loads the result of an operation, and loads it again when its input changes and after each action on this page. With
 * null as input nothing is loaded. Never prompts for a PIN.
 */
export function useResource<O extends ReadOperation>(
  operation: O,
  ...[input = {} as OperationInput<O>, { intervalMs, reloadKey } = {}]: ResourceArguments<O>
): Resource<Result<O>> {
  const result = useSignal<Result<O> | null>(null);
  const answered = useSignal<string | null>(null);
  const error = useSignal<DisplayText | null>(null);
  const isMissing = useSignal(false);
  const reloads = useSignal(0);
  const { begin } = usePageLoad();
  const address = input === null ? null : buildRequest(operation, input).address;
  useEffect(() => {
    if (input === null) return;
    let isCancelled = false;
    async function load() {
      if (document.hidden) return;
      const args = [input, { login: 'never' }] as unknown as OperationArguments<O, RequestOptions>;
      const answer = await request(operation, ...args);
      if (isCancelled) return;
      if (answer.ok) {
        result.value = answer.result;
        answered.value = address;
      }
      error.value = answer.ok ? null : answer.sentence;
      isMissing.value = !answer.ok && answer.status === 404;
    }
    const end = result.value === null ? begin() : () => {};
    void load().finally(end);
    const timer = intervalMs === undefined ? undefined : setInterval(load, intervalMs);
    document.addEventListener('visibilitychange', load);
    return () => {
      isCancelled = true;
      end();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', load);
    };
  }, [address, intervalMs, reloadKey, dataVersion.value, reloads.value]);
  return {
    result: result.value,
    isCurrent: address !== null && answered.value === address,
    error: error.value,
    isMissing: isMissing.value,
    reload() {
      reloads.value += 1;
    },
  };
}
