import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { LiveTap, SnapshotMessage } from '../../../http/live/shapes.ts';
import { request } from '../../../web/api/client.ts';
import type { CleaningPlan } from '../../../web/api/generated.ts';
import { formatBarDay } from '../../../web/app/format.ts';
import { toHref } from '../../../web/app/routing.ts';
import { ActionGroup, useAction } from '../../../web/components/action.tsx';
import { Form } from '../../../web/components/form/form.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { findText, t } from '../../../web/locales/locale.ts';

const kinds = ['caustic', 'acid', 'disinfection', 'parts', 'water'] as const;

const order = { overdue: 0, due: 1, soon: 2, done: 3 } as const;

/** When each line is to be cleaned, the most urgent first, and the intervals. */
export function CleaningPlans({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result } = useResource('GET /cleaning-plans');
  if (result === null) return null;
  const plans = result.cleaning_plans;
  const urgency = (tap: LiveTap) =>
    Math.min(4, ...plans.filter(({ tap_id: id }) => id === tap.id).map(({ state }) => order[state]));
  const taps = [...snapshot.taps].sort((one, other) => urgency(one) - urgency(other));
  return (
    <section class="group" aria-labelledby="cleaning-plans">
      <h3 id="cleaning-plans">{t('cleaning.lines')}</h3>
      {plans.length === 0 && <p class="soft">{t('cleaning.noPlans')}</p>}
      <ul class="cleaning-list">
        {taps.map((tap) => (
          <li key={tap.id} class="card group">
            <div class="cleaning-row">
              <p>
                <strong>{tap.name}</strong>{' '}
                <span class="soft">
                  {tap.days_since_cleaning === null
                    ? t('cleaning.never')
                    : t('taps.daysSinceCleaning', { days: tap.days_since_cleaning })}
                </span>
              </p>
              <a class="chip" href={toHref(`/taps/${tap.id}/cleaning`)}>
                {tap.cleaning === null ? t('cleaning.start') : t('cleaning.continue')}
                <span class="visually-hidden"> {tap.name}</span>
              </a>
            </div>
            <ul class="cleaning-plans">
              {plans
                .filter(({ tap_id: id }) => id === tap.id)
                .map((plan) => (
                  <PlanRow key={plan.kind} plan={plan} snapshot={snapshot} />
                ))}
            </ul>
            <details>
              <summary>{t('cleaning.changePlan')}</summary>
              <PlanForm tap={tap} />
            </details>
          </li>
        ))}
      </ul>
      <Presets snapshot={snapshot} />
    </section>
  );
}

function PlanRow({ plan, snapshot }: { readonly plan: CleaningPlan; readonly snapshot: SnapshotMessage }) {
  const action = useAction();
  return (
    <li class="cleaning-row" data-state={plan.state}>
      <p>
        {findText('cleaning.kinds', plan.kind)} · {t('cleaning.every', { days: plan.interval_days })}
        {' · '}
        <strong>{dueText(plan, snapshot)}</strong>
      </p>
      <ActionGroup action={action} class="row-actions">
        <button
          type="button"
          class="link-button"
          onClick={() =>
            void action.runAction(
              () =>
                request('DELETE /taps/{ref}/cleaning-plans/{kind}', {
                  path: { ref: plan.tap_id, kind: plan.kind },
                }),
              (changed) => showUndoable(t('common.saved'), changed),
            )
          }
        >
          {t('cleaning.deletePlan')}
        </button>
      </ActionGroup>
    </li>
  );
}

function dueText(
  { state, days_left: left, due_date: date }: CleaningPlan,
  snapshot: SnapshotMessage,
): string {
  if (state === 'overdue') return t('cleaning.overdue', { days: -left });
  if (state === 'due') return t('cleaning.dueToday');
  return t('cleaning.dueOn', { date: formatBarDay(`${date}T12:00:00Z`, snapshot) });
}

function PlanForm({ tap }: { readonly tap: LiveTap }) {
  return (
    <Form
      fields={[
        {
          kind: 'choice',
          name: 'kind',
          label: t('cleaning.kind'),
          value: 'caustic',
          options: kindOptions(),
        },
        {
          kind: 'whole',
          name: 'interval_days',
          label: t('cleaning.interval'),
          value: 14,
          min: 1,
          max: 366,
          unit: t('cleaning.days'),
        },
      ]}
      submit={t('common.save')}
      send={({ kind, interval_days: days }) =>
        request('PUT /taps/{ref}/cleaning-plans/{kind}', {
          path: { ref: tap.id, kind },
          body: { interval_days: days },
        })
      }
      onDone={(changed) => showUndoable(t('common.saved'), changed)}
    />
  );
}

/** Labels of the kinds. */
export function kindOptions(): Readonly<Record<(typeof kinds)[number], string>> {
  return Object.fromEntries(kinds.map((kind) => [kind, findText('cleaning.kinds', kind) ?? kind])) as Record<
    (typeof kinds)[number],
    string
  >;
}

/** Intervals by rule or trade body, for all taps at once. */
function Presets({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result } = useResource('GET /cleaning-presets');
  const action = useAction();
  const chosen = useSignal('');
  const id = useId();
  const presets = result?.cleaning_presets ?? [];
  const preset = presets.find(({ name }) => name === chosen.value) ?? presets[0];
  if (preset === undefined || snapshot.taps.length === 0) return null;
  return (
    <div class="card group">
      <div class="field">
        <label for={id}>{t('cleaning.preset')}</label>
        <select
          id={id}
          value={preset.name}
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
        >
          {presets.map(({ name }) => (
            <option key={name} value={name}>
              {findText('cleaning.presets', name) ?? name}
            </option>
          ))}
        </select>
      </div>
      <p class="soft">
        {preset.plans
          .map(
            ({ kind, interval_days: days }) =>
              `${findText('cleaning.kinds', kind)}: ${t('cleaning.every', { days })}`,
          )
          .join(' · ')}
        <br />
        {t('cleaning.source', { source: preset.source })}
      </p>
      <ActionGroup action={action} class="row-actions">
        <button
          type="button"
          class="button"
          onClick={() =>
            void action.runAction(
              () =>
                request('POST /cleaning-plans', {
                  body: { preset: preset.name, tap_ids: snapshot.taps.map((tap) => tap.id) },
                }),
              (changed) => showUndoable(t('common.saved'), changed),
            )
          }
        >
          {t('cleaning.applyToAll')}
        </button>
      </ActionGroup>
    </div>
  );
}
