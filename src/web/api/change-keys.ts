/** Random bytes of an idempotency key: two keys are never equal by accident. */
const keyBytes = 16;

/**
 * Idempotency keys of the changes made from one dialog or form. A change that got no answer keeps its key, so that pressing
 * again does not make it twice; other values, an answered change and a new dialog get new keys.
 */
export interface ChangeKeys {
  /** Returns the key of the change described by method, address and body. */
  keyOf(change: string): string;
  /** The change was answered: the next one with the same values is a new change. */
  markAnswered(change: string): void;
  /**
   * Present where a record is edited: a change is refused if the record is not as it was read last. `address` is that of the
   * last change.
   */
  readonly condition?: { address: string | null };
}

/** Creates the keys of one dialog or form; `edits` tells that it changes a record that was read. */
export function createChangeKeys({ edits = false } = {}): ChangeKeys {
  const unanswered = new Map<string, string>();
  return {
    keyOf(change) {
      const key = unanswered.get(change) ?? createKey();
      unanswered.set(change, key);
      return key;
    },
    markAnswered: (change) => void unanswered.delete(change),
    ...(edits && { condition: { address: null } }),
  };
}

let currentKeys: ChangeKeys | null = null;

/** Runs `send` so that the requests it starts before its first `await` take their keys from `keys`. */
export function withChangeKeys<R>(keys: ChangeKeys, send: () => R): R {
  const previous = currentKeys;
  currentKeys = keys;
  try {
    return send();
  } finally {
    currentKeys = previous;
  }
}

/** Returns the keys of the dialog or form that sends at the moment; new ones for a request without any. */
export const findChangeKeys = (): ChangeKeys => currentKeys ?? createChangeKeys();

/** Describes a change, so that equal changes can be recognized. */
export function describeChange(method: string, address: string, body: object | undefined): string {
  const values =
    body instanceof FormData ? [...body].map(([name, value]) => [name, describeValue(value)]) : body;
  return `${method} ${address} ${JSON.stringify(values)}`;
}

const describeValue = (value: FormDataEntryValue) =>
  typeof value === 'string' ? value : [value.name, value.size, value.lastModified];

/** `crypto.randomUUID` is missing on pages loaded by http from an address of the local network. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
