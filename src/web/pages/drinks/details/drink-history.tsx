import { request } from '../../../api/client.ts';
import type { CorrectedValues, DrinkCorrection } from '../../../api/generated.ts';
import { barTime, formatBarTime, formatQuantity, type Units, volume } from '../../../app/format.ts';
import { canAct, showsDrinkers } from '../../../app/me.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { useResource } from '../../../components/use-resource.ts';
import { findText, t } from '../../../locales/locale.ts';

interface DrinkHistoryProps {
  readonly id: number;
  readonly units: Units;
  /** The list is loaded again when this changes. */
  readonly reloadKey: string;
}

/** What was corrected on a drink, newest first; staff undo the latest correction. */
export function DrinkHistory({ id, units, reloadKey }: DrinkHistoryProps) {
  const { result } = useResource('GET /drinks/{id}/corrections', { path: { id } }, { reloadKey });
  const { runAction, error } = useAction();
  const corrections = result?.corrections ?? [];
  const latest = corrections.find(({ is_undone: isUndone, left_out: leftOut }) => !isUndone && !leftOut);
  return (
    <section class="group">
      <h3>{t('drinkPage.corrections')}</h3>
      <div class="card">
        <ErrorMessage>{error}</ErrorMessage>
        {result && corrections.length === 0 && <p class="soft">{t('drinkPage.notCorrected')}</p>}
        <ul class="rows">
          {corrections.map((correction) => (
            <li key={correction.id}>
              <div class="row-text">
                <p class="row-name">{formatAction(correction)}</p>
                {listChanges(correction, units).map((line) => (
                  <p key={line}>{line}</p>
                ))}
                <p class="soft">
                  {[
                    correction.changed_by,
                    formatBarTime(barTime(correction.time, units)),
                    correction.is_undone && t('audit.wasUndone'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              {canAct.value && correction === latest && (
                <button
                  type="button"
                  class="chip"
                  aria-label={t('audit.undoOf', { what: formatAction(correction) })}
                  onClick={() =>
                    runAction(() => request('POST /drinks/{id}/undo', { path: { id } }), t('audit.undone'))
                  }
                >
                  {t('audit.undo')}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function formatAction({ action, before, after }: DrinkCorrection): string {
  // An edit changes the volume or the shout; the values of a shout are not in the history.
  if (action === 'drink.edited' && before?.volume_ml === after?.volume_ml) return t('drinkPage.shoutChanged');
  return (
    findText('drinkPage.actions', action.slice(action.indexOf('.') + 1)) ??
    findText('audit.actions', action) ??
    action
  );
}

/** One line per changed value. */
function listChanges({ before, after }: DrinkCorrection, units: Units): readonly string[] {
  if (before === null || after === null) return [];
  const lines: string[] = [];
  const add = (field: string, from: string, to: string) => {
    if (from !== to) lines.push(t('audit.fromTo', { field, before: from, after: to }));
  };
  const amount = (ml: number | null) => (ml === null ? '' : formatQuantity(volume(ml, units)));
  const keg = ({ keg_id: id, beverage_name: beer }: CorrectedValues) =>
    id === null ? t('kegs.noKeg') : [beer, `(${t('kegs.keg', { id })})`].filter(Boolean).join(' ');
  add(t('common.volume'), amount(before.volume_ml), amount(after.volume_ml));
  add(t('drinkPage.keg'), keg(before), keg(after));
  if (showsDrinkers.value)
    add(t('common.who'), before.user_id ?? t('drinks.guest'), after.user_id ?? t('drinks.guest'));
  return lines;
}
