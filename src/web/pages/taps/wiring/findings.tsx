import type { WiringFinding } from '../../../api/operations.ts';
import { words } from '../../../words/wiring.ts';
import type { WireFacts } from '../../../words/wiring-english.ts';

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
        const { text, advice } = words.formatFinding(finding, facts);
        return (
          <li key={finding.topic}>
            <p class="finding" data-verdict={finding.verdict}>
              <VerdictMark verdict={finding.verdict} />
              <span>{text}</span>
            </p>
            {advice !== undefined && <p class="finding-advice soft">{advice}</p>}
          </li>
        );
      })}
    </ul>
  );
}

/** The verdict as a sign and a word: colour alone is not accessible. */
function VerdictMark({ verdict }: { readonly verdict: string }) {
  return (
    <span class="finding-mark">
      <span aria-hidden="true">{{ ok: '✓', warn: '!', fail: '✕' }[verdict] ?? '–'}</span>
      <span class="visually-hidden">{words.verdicts[verdict]}: </span>
    </span>
  );
}
