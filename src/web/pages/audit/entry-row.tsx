import { ErrorMessage, useAction } from '../../components/action.tsx';
import { toHref } from '../../current-path.ts';
import { barTime, timeInWords, type Units } from '../../format.ts';
import { words } from '../../words/audit.ts';
import { changesOf } from './changes.ts';

/** A line of the book of changes. */
export interface Entry {
  readonly id: number;
  readonly time: string;
  readonly user_id: string | null;
  readonly via: string;
  /** What the shared tablet was called, where it was one. */
  readonly tablet: string | null;
  readonly action: string;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly can_undo: boolean;
  readonly undone_by: number | null;
}

/** What was done, by whom and when; from what to what, folded; and the way back where there is one. */
export function EntryRow({ entry, units }: { readonly entry: Entry; readonly units: Units }) {
  const { runAction, error } = useAction();
  const said = words.sentence(thingOf(entry), deedOf(entry.action));
  const changes = changesOf(entry, units);
  const to = wayTo(entry);
  return (
    <li>
      <div class="row-words">
        <p class="row-name">{to === null ? said : <a href={toHref(to)}>{said}</a>}</p>
        <p class="soft">
          {[
            entry.user_id ?? words.house,
            entry.tablet === null ? (words.via[entry.via] ?? entry.via) : words.byPin(entry.tablet),
            timeInWords(barTime(entry.time, units)),
            entry.undone_by !== null && words.wasUndone,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {changes.length > 0 && (
          <details class="from-to">
            <summary>{isFromTo(entry) ? words.showWhat : words.showIt}</summary>
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
          aria-label={words.undoOf(said)}
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

/** Corrections always have both sides, of which one may hold no drink. */
function isFromTo({ before, after }: Entry): boolean {
  const isThere = (side: Entry['before']) =>
    side !== null && !(Array.isArray(side.drinks) && side.drinks.length === 0);
  return isThere(before) && isThere(after);
}

/** Of these there is one only, so their number says nothing. */
const alone = new Set(['mail', 'alarms', 'site', 'plugin', 'outbox']);

function thingOf({ subject_kind: kind, subject_id: id, before, after }: Entry): string {
  const thing = words.things[kind] ?? kind.replaceAll('_', ' ');
  if (alone.has(kind)) return thing;
  const name = after?.name ?? before?.name;
  return `${thing} ${typeof name === 'string' && name !== '' ? name : id}`;
}

function deedOf(action: string): string {
  const past = action.slice(action.indexOf('.') + 1);
  return words.deeds[action] ?? words.deeds[past] ?? past.replaceAll('_', ' ');
}

/** Where the thing can be looked at. */
function wayTo({ subject_kind: kind, subject_id: id, after }: Entry): string | null {
  if (!/^\d+$/.test(id) || after === null) return null;
  return kind === 'keg' || kind === 'tap' ? `/${kind}s/${id}` : null;
}
