import { toHref } from '../../../app/current-path.ts';
import { barTime, formatBarTime, type Units } from '../../../app/format.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { words } from '../../../words/audit.ts';
import { listChanges } from './changes.ts';

/** An entry of the audit log. */
export interface Entry {
  readonly id: number;
  readonly time: string;
  readonly user_id: string | null;
  readonly via: string;
  /** Name of the shared tablet that was used; null for other devices. */
  readonly tablet: string | null;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly can_undo: boolean;
  readonly undone_by: number | null;
}

/** One audit entry: what, who, when; the changed values folded; an undo button where possible. */
export function EntryRow({ entry, units }: { readonly entry: Entry; readonly units: Units }) {
  const { runAction, error } = useAction();
  const summary = words.sentence(formatSubject(entry), formatAction(entry.action));
  const changes = listChanges(entry, units);
  const path = subjectPath(entry);
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{path === null ? summary : <a href={toHref(path)}>{summary}</a>}</p>
        <p class="soft">
          {[
            entry.user_id ?? words.system,
            entry.tablet === null ? (words.via[entry.via] ?? entry.via) : words.byPin(entry.tablet),
            formatBarTime(barTime(entry.time, units)),
            entry.undone_by !== null && words.wasUndone,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {changes.length > 0 && (
          <details class="from-to">
            <summary>{hasBothSides(entry) ? words.showWhat : words.showIt}</summary>
            <ul>
              {changes.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
        <ErrorMessage>{error}</ErrorMessage>
      </div>
      {entry.can_undo && (
        <button
          type="button"
          class="chip"
          aria-label={words.undoOf(summary)}
          onClick={() =>
            runAction({ method: 'POST', path: `/corrections/${entry.id}/undo`, successMessage: words.undone })
          }
        >
          {words.undo}
        </button>
      )}
    </li>
  );
}

/** True when the entry has values before and after. Corrections have both objects, but one may contain no drinks. */
function hasBothSides({ before, after }: Entry): boolean {
  const hasDrinks = (side: Entry['before']) =>
    side !== null && !(Array.isArray(side.drinks) && side.drinks.length === 0);
  return hasDrinks(before) && hasDrinks(after);
}

/** Kinds with a single object: its id is not shown. */
const singletons = new Set(['mail', 'alarms', 'site', 'plugin', 'outbox']);

function formatSubject({ subject_kind: kind, subject_id: id, before, after }: Entry): string {
  const noun = words.subjects[kind] ?? kind.replaceAll('_', ' ');
  if (singletons.has(kind)) return noun;
  const name = after?.name ?? before?.name;
  return `${noun} ${typeof name === 'string' && name !== '' ? name : id}`;
}

function formatAction(action: string): string {
  const verb = action.slice(action.indexOf('.') + 1);
  return words.actions[action] ?? words.actions[verb] ?? verb.replaceAll('_', ' ');
}

/** Path of the subject's page; null when it has none. */
function subjectPath({ subject_kind: kind, subject_id: id, after }: Entry): string | null {
  if (!/^\d+$/.test(id) || after === null) return null;
  return kind === 'keg' || kind === 'tap' ? `/${kind}s/${id}` : null;
}
