import { useSignal } from '@preact/signals';
import { maxShiftName, maxShifts } from '../../../core/clock/shifts.ts';
import { type Result, request } from '../../../web/api/client.ts';
import { ErrorMessage, useAction } from '../../../web/components/action.tsx';
import { showUndoable } from '../../../web/components/undo.ts';
import { useResource } from '../../../web/components/use-resource.ts';
import { t } from '../../../web/locales/locale.ts';
import './shifts.css';

type Shift = Result<'GET /admin/business'>['business']['shifts'][number];

/** Shifts by which poured is compared with sold: add, rename, move in time, delete; saved together. */
export function Shifts() {
  const { result, error } = useResource('GET /admin/business');
  const shifts = result?.business.shifts;
  return (
    <section class="group card">
      <h3>{t('shifts.title')}</h3>
      <p class="soft">{t('shifts.why')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {shifts && <ShiftForm key={JSON.stringify(shifts)} stored={shifts} />}
    </section>
  );
}

function ShiftForm({ stored }: { readonly stored: readonly Shift[] }) {
  const rows = useSignal(stored.map((shift, key) => ({ key, ...shift })));
  const { runAction, error } = useAction();
  const change = (key: number, changes: Partial<Shift>) => {
    rows.value = rows.value.map((row) => (row.key === key ? { ...row, ...changes } : row));
  };

  function save(event: SubmitEvent) {
    event.preventDefault();
    const shifts = rows.value.map(({ name, starts }) => ({ name: name.trim(), starts }));
    void runAction(
      () => request('PATCH /admin/business', { body: { shifts } }),
      (answer) => showUndoable(t('shifts.saved'), answer),
    );
  }

  return (
    <form onSubmit={save} aria-label={t('shifts.title')}>
      <ul class="rows shift-rows">
        {rows.value.map(({ key, name, starts }) => (
          <li key={key} class="shift-row">
            <label class="field">
              {t('shifts.name')}
              <input
                type="text"
                autocomplete="off"
                required
                maxLength={maxShiftName}
                value={name}
                onInput={(event) => change(key, { name: event.currentTarget.value })}
              />
            </label>
            <label class="field">
              {t('shifts.starts')}
              <input
                type="text"
                autocomplete="off"
                required
                pattern="([01][0-9]|2[0-3]):[0-5][0-9]"
                maxLength={5}
                placeholder="17:00"
                value={starts}
                onInput={(event) => change(key, { starts: event.currentTarget.value })}
              />
            </label>
            <button
              type="button"
              class="chip is-danger"
              aria-label={t('shifts.delete', { shift: name || t('shifts.new') })}
              onClick={() => {
                rows.value = rows.value.filter((row) => row.key !== key);
              }}
            >
              {t('servings.remove')}
            </button>
          </li>
        ))}
      </ul>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        {rows.value.length < maxShifts && (
          <button
            type="button"
            class="chip"
            onClick={() => {
              const key = Math.max(-1, ...rows.value.map((row) => row.key)) + 1;
              rows.value = [...rows.value, { key, name: '', starts: '' }];
            }}
          >
            {t('shifts.add')}
          </button>
        )}
        <button type="submit" class="button">
          {t('common.save')}
        </button>
      </div>
    </form>
  );
}
