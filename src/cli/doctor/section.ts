import type { Finding, FindingStatus } from '../../system/health/finding.ts';

/** The findings of one check. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const statusLabels: Readonly<Record<FindingStatus, string>> = {
  ok: 'ok  ',
  warn: 'warn',
  fail: 'fail',
  unknown: '-   ',
};

/** Formats a section for the terminal: status and finding, with the advice on the next line. */
export function sectionText({ title, findings }: Section): string {
  const lines = findings.flatMap(({ status, text, advice }) => [
    `  ${statusLabels[status]}  ${oneLine(text)}`,
    ...(advice === undefined ? [] : [`        ${oneLine(advice)}`]),
  ]);
  return `${[title, ...lines].join('\n')}\n`;
}

/** Formats the last line: the number of failures and warnings. */
export function conclusion(sections: readonly Section[]): string {
  const count = (status: FindingStatus) =>
    sections.flatMap(({ findings }) => findings).filter((finding) => finding.status === status).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  if (failures === 0 && warnings === 0) return 'No problems found.\n';
  return `${formatCount(failures, 'failure')}, ${formatCount(warnings, 'warning')}.\n`;
}

export function hasFailure(sections: readonly Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ status }) => status === 'fail'));
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Replaces control characters, because names come from devices and files and must not control the terminal.
 */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
