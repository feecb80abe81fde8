/** The result of a check: ok, warning, failure, or not visible here. */
export type FindingStatus = 'ok' | 'warn' | 'fail' | 'unknown';

/** The result of one check, as text for staff. */
export interface Finding {
  readonly status: FindingStatus;
  /** What was found, one sentence. */
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
}

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const warn = (text: string, advice?: string): Finding => finding('warn', text, advice);
export const fail = (text: string, advice?: string): Finding => finding('fail', text, advice);
/** A finding about something that this machine does not show; neither good nor bad. */
export const unknown = (text: string): Finding => ({ status: 'unknown', text });

function finding(status: FindingStatus, text: string, advice?: string): Finding {
  return advice === undefined ? { status, text } : { status, text, advice };
}
