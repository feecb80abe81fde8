/** What the base tells of its work while something measures it. The calls are made on the main loop and must be quick. */
export interface Measurements {
  /** A transaction ended, with its sync to the disk: that of a recorded pour, or another change. */
  committed(kind: 'pour' | 'change', seconds: number): void;
  /** The journal of pours was written. */
  journalWritten(seconds: number): void;
  /** A message was attempted; `channel` and `result` are those of its transport. */
  sent(channel: string, result: string): void;
  /** A request was answered, or its client went away. */
  answered(request: AnsweredRequest, seconds: number): void;
  /** The main loop reached its heartbeat, which is due every `intervalMs`. */
  heartbeat(intervalMs: number): void;
}

export interface AnsweredRequest {
  readonly method: string;
  readonly url: string;
  /** The status of the answer. */
  readonly status: number;
}

/** Who measures the work of the base: nobody unless an extension does. */
export type Measuring = ReturnType<typeof createMeasuring>;

export function createMeasuring() {
  let measurements: Measurements | null = null;
  return {
    /** Null while nothing is measured. */
    current: (): Measurements | null => measurements,
    /** From now on `next` is told, alone. Returns the function that ends it. */
    begin(next: Measurements): () => void {
      measurements = next;
      return () => {
        if (measurements === next) measurements = null;
      };
    },
  };
}
