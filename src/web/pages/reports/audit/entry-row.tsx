import { type Answer, request } from '../../../api/client.ts';
import type { AuditEntry } from '../../../api/generated.ts';
import { barTime, formatBarTime, type Units } from '../../../app/format.ts';
import { toHref } from '../../../app/routing.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { DrinkerLink } from '../../../components/drinker-link.tsx';
import { findText, t } from '../../../locales/locale.ts';
import { listChanges } from './changes.ts';

/** One audit entry: what, who, when; the changed values folded; an undo button where possible. */
export function EntryRow({ entry, units }: { readonly entry: AuditEntry; readonly units: Units }) {
  const { runAction, error } = useAction();
  const summary = t('audit.sentence', { subject: formatSubject(entry), action: formatAction(entry.action) });
  const changes = listChanges(entry, units);
  const path = subjectPath(entry);
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{path === null ? summary : <a href={toHref(path)}>{summary}</a>}</p>
        <p class="soft">
          {entry.user_id === null ? formatNobody(entry) : <DrinkerLink username={entry.user_id} />}
          {[
            '',
            entry.tablet === null
              ? (findText('audit.via', entry.via) ?? entry.via)
              : t('audit.byPin', { tablet: entry.tablet }),
            formatBarTime(barTime(entry.time, units)),
            entry.undone_by !== null && t('audit.wasUndone'),
          ]
            .filter((part) => part !== false)
            .join(' · ')}
        </p>
        {changes.length > 0 && (
          <details class="from-to">
            <summary>{hasBothSides(entry) ? t('audit.showWhat') : t('audit.showIt')}</summary>
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
          aria-label={t('audit.undoOf', { what: summary })}
          onClick={() => runAction(() => sendUndo(entry), t('audit.undone'))}
        >
          {t('audit.undo')}
        </button>
      )}
    </li>
  );
}

/** The pins of this machine are changed at once, by a request of their own. */
const sendUndo = ({ id, subject_kind: kind }: AuditEntry): Promise<Answer<unknown>> =>
  kind === 'pin'
    ? request('POST /hardware/changes/{id}/undo', { path: { id } })
    : request('POST /corrections/{id}/undo', { path: { id } });

/** True when the entry has values before and after. Corrections have both objects, but one may contain no drinks. */
function hasBothSides({ before, after }: AuditEntry): boolean {
  const hasDrinks = (side: AuditEntry['before']) =>
    side !== null && !(Array.isArray(side.drinks) && side.drinks.length === 0);
  return hasDrinks(before) && hasDrinks(after);
}

/** Who acted when no user is named: somebody who was erased, else the daemon, the console or whoever an extension hears. */
const formatNobody = ({ via }: AuditEntry): string =>
  via === 'page' || via === 'key' || via === 'tablet' ? t('audit.erasedUser') : t('audit.system');

/** Kinds with a single object: its id is not shown. */
const singletons = new Set(['mail', 'alarms', 'site', 'plugin', 'outbox']);

function formatSubject({ subject_kind: kind, subject_id: id, before, after }: AuditEntry): string {
  const noun = findText('audit.subjects', kind) ?? kind.replaceAll('_', ' ');
  if (singletons.has(kind)) return noun;
  const name = after?.name ?? before?.name;
  if (typeof name !== 'string' || name === '') return `${noun} ${id}`;
  // A tap may be called "Tap 2".
  return isWordOf(noun, name) ? name : `${noun} ${name}`;
}

const isWordOf = (noun: string, name: string): boolean =>
  ` ${name} `.toLocaleLowerCase().includes(` ${noun.toLocaleLowerCase()} `);

function formatAction(action: string): string {
  const verb = action.slice(action.indexOf('.') + 1);
  return findText('audit.actions', action) ?? findText('audit.actions', verb) ?? verb.replaceAll('_', ' ');
}

/** Path of the subject's page; null when it has none. */
function subjectPath({ subject_kind: kind, subject_id: id, after }: AuditEntry): string | null {
  if (!/^\d+$/.test(id) || after === null) return null;
  return kind === 'keg' || kind === 'tap' || kind === 'drink' ? `/${kind}s/${id}` : null;
}
