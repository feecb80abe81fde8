/** How a part of the machine was found: well, worth a look, broken, or not to be seen from here. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'unknown';

/** One thing looked at, in words for the person who keeps the bar. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was seen, one plain sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const warn = (text: string, advice?: string): Finding => finding('warn', text, advice);
export const fail = (text: string, advice?: string): Finding => finding('fail', text, advice);
/** For what this machine does not show; neither good nor bad. */
export const unknown = (text: string): Finding => ({ verdict: 'unknown', text });

function finding(verdict: Verdict, text: string, advice?: string): Finding {
  return advice === undefined ? { verdict, text } : { verdict, text, advice };
}
