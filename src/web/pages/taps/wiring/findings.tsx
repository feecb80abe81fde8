import type { WiringFinding } from '../../../api/generated.ts';
import { markEnglish } from '../../../app/error-text.ts';
import { formatProblem } from '../../../app/problem-text.ts';
import { findText, t } from '../../../locales/locale.ts';

/** Facts about a wire that the text of a finding can contain. */
interface WireFacts {
  readonly hz?: number | null;
  readonly ticks?: number;
  readonly lost?: number | null;
  readonly level?: 0 | 1 | null;
  readonly pin?: number | null;
  readonly echo_of?: string | null;
}

/** Findings about one part, each with advice. */
export function Findings({
  findings,
  facts = {},
}: {
  readonly findings: readonly WiringFinding[];
  readonly facts?: WireFacts;
}) {
  return (
    <ul class="findings">
      {findings.map((finding) => {
        const { text, advice } = formatFinding(finding, facts);
        return (
          <li key={finding.topic}>
            <p class="finding" data-status={finding.status}>
              <StatusMark status={finding.status} />
              <span>{text}</span>
            </p>
            {advice !== undefined && <p class="finding-advice soft">{advice}</p>}
          </li>
        );
      })}
    </ul>
  );
}

/** Text and advice of a finding in the user's language, else in the daemon's English. */
function formatFinding({ topic, text, advice, problem }: WiringFinding, facts: WireFacts) {
  if (problem !== undefined) return { text: formatProblem(problem) };
  // The figure is shown beside it, in the site's scale.
  if (topic === 'temperature') return { text: t('wiring.temperature') };
  const { hz, ticks, lost, level, pin, echo_of } = facts;
  const values = {
    hz: hz ?? 0,
    ticks: ticks ?? 0,
    lost: lost ?? '',
    level: level ?? '',
    pin: pin ?? '',
    echo_of: echo_of ?? '',
  };
  const translated = findText('daemon.findings', topic, values);
  return translated === undefined
    ? { text: markEnglish(text), advice: advice && markEnglish(advice) }
    : { text: translated, advice: findText('daemon.advice', topic) };
}

/** The status as a sign and a text: colour alone is not accessible. */
function StatusMark({ status }: { readonly status: string }) {
  return (
    <span class="finding-mark">
      <span aria-hidden="true">{{ ok: '✓', warn: '!', fail: '✕' }[status] ?? '–'}</span>
      <span class="visually-hidden">{findText('wiring.statuses', status)}: </span>
    </span>
  );
}
