/** All five characters wide, so that the messages are aligned. */
const levelLabels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info ',
  40: 'warn ',
  50: 'error',
  60: 'fatal',
};

/** Converts a JSON log line to a line for a terminal: time, severity, message, fields. */
export function toTerminalLine(json: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const particulars = Object.entries(rest).map(([name, value]) => `${name}=${formatValue(value)}`);
  const fields = [clock, levelLabels[Number(level)] ?? String(level), msg, ...particulars];
  const line = fields.filter((field) => field !== undefined && field !== '').join(' ');
  return `${printable(line)}\n${faultLines(err)}`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

function faultLines(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack, message } = err as { stack?: unknown; message?: unknown };
  const text = String(stack ?? message ?? '');
  return text === ''
    ? ''
    : `${text
        .split('\n')
        .map((line) => `    ${printable(line)}`)
        .join('\n')}\n`;
}

/** Replaces control characters, because names from the network must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '·');
}
