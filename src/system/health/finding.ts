import type { Problem } from '../../core/health/problems.ts';

/** The result of a check: ok, warning, failure, or not visible here. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'unknown';

/** The result of one check, as text for staff. */
export interface Finding {
  readonly status: FindingStatus;
  /** What was found, one sentence. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
  /** Text and advice in every language, for a finding that the page shows. */
  readonly problems?: readonly Problem[];
}

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const warn = (text: string, advice?: string): Finding => finding('warn', text, advice);
export const fail = (text: string, advice?: string): Finding => finding('fail', text, advice);
/** A finding about something that this machine does not show; neither good nor bad. */
export const unknown = (text: string): Finding => ({ status: 'unknown', text });

/** A warning or failure that the page shows, too. */
export const problemFinding = (status: 'warn' | 'fail', found: Problem, advice: Problem): Finding => ({
  ...finding(status, found.message, advice.message),
  problems: [found, advice],
});

function finding(status: FindingStatus, text: string, advice?: string): Finding {
  return advice === undefined ? { status, text } : { status, text, advice };
}
