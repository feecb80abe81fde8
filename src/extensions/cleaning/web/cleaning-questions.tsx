import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import type { CleaningSuggestion } from '../../../web/api/generated.ts';
import { barTime, formatBarTime, formatDecimal, formatQuantity, volume } from '../../../web/app/format.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';

/** Was this a cleaning? One touch answers. */
export function CleaningQuestions({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result } = useResource(
    'GET /cleaning-suggestions',
    {},
    { reloadKey: `${snapshot.cleaning_questions}/${snapshot.newest_drink_id}` },
  );
  const questions = result?.cleaning_suggestions ?? [];
  if (questions.length === 0) return null;
  return (
    <section class="group" aria-labelledby="cleaning-questions">
      <h3 id="cleaning-questions">{t('cleaning.wasIt')}</h3>
      <ul class="cleaning-list">
        {questions.map((question) => (
          <Question key={question.drink_ids.join()} question={question} snapshot={snapshot} />
        ))}
      </ul>
    </section>
  );
}

function Question({
  question,
  snapshot,
}: {
  readonly question: CleaningSuggestion;
  readonly snapshot: SnapshotMessage;
}) {
  const action = useAction();
  const drinkIds = [...question.drink_ids];
  const yes = () =>
    void action.runAction(
      () => request('POST /cleaning-suggestions', { body: { drink_ids: drinkIds, kind: 'caustic' } }),
      (answer) => showUndoable(t('cleaning.marked'), answer),
    );
  const no = () =>
    void action.runAction(
      () => request('POST /cleaning-suggestions/dismiss', { body: { drink_ids: drinkIds } }),
      t('common.saved'),
    );
  return (
    <li class="card cleaning-row">
      <p>
        <strong>{question.tap_name}</strong>{' '}
        {[
          formatBarTime(barTime(question.started_time, snapshot)),
          formatQuantity(volume(question.volume_ml, snapshot)),
          question.ml_per_s === null
            ? null
            : t('cleaning.rate', { rate: formatDecimal(Math.round(question.ml_per_s)) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <ActionGroup action={action} class="row-actions">
        <button type="button" class="button" onClick={yes}>
          {t('cleaning.yes')}
        </button>
        <button type="button" class="chip" onClick={no}>
          {t('cleaning.no')}
        </button>
      </ActionGroup>
    </li>
  );
}
