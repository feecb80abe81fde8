import type { Finding, Verdict } from '../../system/finding.ts';

/** What the doctor found in one place. */
export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

const verdictLabels: Readonly<Record<Verdict, string>> = {
  ok: 'ok  ',
  warn: 'warn',
  fail: 'fail',
  unknown: '-   ',
};

/** A section as it stands on the screen: a verdict, what was seen, and below it what to do. */
export function sectionText({ title, findings }: Section): string {
  const lines = findings.flatMap(({ verdict, text, advice }) => [
    `  ${verdictLabels[verdict]}  ${oneLine(text)}`,
    ...(advice === undefined ? [] : [`        ${oneLine(advice)}`]),
  ]);
  return `${[title, ...lines].join('\n')}\n`;
}

/** The last line: how many things want a hand. */
export function conclusion(sections: readonly Section[]): string {
  const count = (verdict: Verdict) =>
    sections.flatMap(({ findings }) => findings).filter((finding) => finding.verdict === verdict).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  if (failures === 0 && warnings === 0) return 'All is well.\n';
  return `${countOf(failures, 'failure')}, ${countOf(warnings, 'warning')}.\n`;
}

export function hasFailure(sections: readonly Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ verdict }) => verdict === 'fail'));
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Names come from wires and files; none of them may draw on the terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
