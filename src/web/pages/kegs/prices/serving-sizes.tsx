import { useSignal } from '@preact/signals';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { type Result, request } from '../../../api/client.ts';
import { formatServing, type Units } from '../../../app/format.ts';
import { servingUnit } from '../../../app/volume-units.ts';
import { ErrorMessage, useAction } from '../../../components/action.tsx';
import { decideTyped, limitsWithoutKeg } from '../../../components/form/typed-volume.ts';
import { useUnsaved } from '../../../components/form/use-unsaved.ts';
import { MoveButton } from '../../../components/row-button.tsx';
import { showUndoable } from '../../../components/undo.ts';
import { useResource } from '../../../components/use-resource.ts';
import { languages, locale, t } from '../../../locales/locale.ts';
import '../../../styles/kegs/prices.css';

type ServingSize = Result<'GET /serving-sizes'>['serving_sizes'][number];

/** A size as it is edited; a new one has no id. */
interface SizeRow {
  readonly key: number;
  readonly id?: number;
  readonly volume: string;
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Serving sizes of the site: add, rename, reorder, delete; saved together. */
export function ServingSizes({ snapshot }: { readonly snapshot: SnapshotMessage }) {
  const { result, error } = useResource('GET /serving-sizes');
  return (
    <section class="group narrow">
      <h3>{t('servings.title')}</h3>
      <p class="soft">{t('servings.why')}</p>
      <ErrorMessage>{error}</ErrorMessage>
      {result && (
        <SizeList key={JSON.stringify(result.serving_sizes)} stored={result.serving_sizes} units={snapshot} />
      )}
    </section>
  );
}

interface SizeListProps {
  readonly stored: readonly ServingSize[];
  readonly units: Units;
}

function SizeList({ stored, units }: SizeListProps) {
  const storedRows = stored.map(({ id, volume_ml: ml, name, names }) => ({
    key: id,
    id,
    volume: formatServing(ml, units),
    name,
    names,
  }));
  const rows = useSignal<readonly SizeRow[]>(storedRows);
  const form = useUnsaved(() => JSON.stringify(rows.value) !== JSON.stringify(storedRows));
  const faults = useSignal<ReadonlyMap<number, string>>(new Map());
  const { runAction, error } = useAction();
  const change = (key: number, changes: Partial<SizeRow>) => {
    rows.value = rows.value.map((row) => (row.key === key ? { ...row, ...changes } : row));
  };
  const move = (index: number, by: number) => {
    const [row] = rows.value.slice(index, index + 1);
    const others = rows.value.filter((one) => one !== row);
    if (row) rows.value = [...others.slice(0, index + by), row, ...others.slice(index + by)];
  };

  function save(event: SubmitEvent) {
    event.preventDefault();
    const sizes = rows.value.map((row) => ({ row, ml: decideRow(row, stored, units) }));
    faults.value = new Map(
      sizes.flatMap(({ row, ml }) => (typeof ml === 'string' ? [[row.key, ml] as const] : [])),
    );
    if (faults.value.size > 0) return;
    const body = {
      serving_sizes: sizes.map(({ row: { id, name, names }, ml }) => ({
        ...(id !== undefined && { id }),
        volume_ml: Number(ml),
        name: name.trim(),
        names: Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== '')),
      })),
    };
    void runAction(
      () => request('PUT /serving-sizes', { body }),
      (result) => showUndoable(t('common.saved'), result),
    );
  }

  return (
    <form class="card sizes" ref={form} onSubmit={save} aria-label={t('servings.title')}>
      <ol class="size-list">
        {rows.value.map((row, index) => (
          <SizeFields
            key={row.key}
            row={row}
            label={row.name || row.volume || t('servings.newSize')}
            fault={faults.value.get(row.key)}
            units={units}
            onChange={(changes) => change(row.key, changes)}
            onMoveUp={index > 0 ? () => move(index, -1) : null}
            onMoveDown={index < rows.value.length - 1 ? () => move(index, 1) : null}
            onDelete={() => {
              rows.value = rows.value.filter(({ key }) => key !== row.key);
            }}
          />
        ))}
      </ol>
      <ErrorMessage>{error}</ErrorMessage>
      <div class="row-actions">
        <button
          type="button"
          class="chip"
          onClick={() => {
            // Negative, since keys of stored sizes are their ids.
            const key = Math.min(0, ...rows.value.map((row) => row.key)) - 1;
            rows.value = [...rows.value, { key, volume: '', name: '', names: {} }];
          }}
        >
          {t('servings.add')}
        </button>
        <button type="submit" class="button">
          {t('common.save')}
        </button>
      </div>
    </form>
  );
}

/** The volume of a row; an unchanged text keeps the stored one, which has more digits. A text says why it is none. */
function decideRow({ id, volume }: SizeRow, stored: readonly ServingSize[], units: Units): number | string {
  const before = stored.find((size) => size.id === id);
  if (before !== undefined && formatServing(before.volume_ml, units) === volume) return before.volume_ml;
  const decision = decideTyped(volume, limitsWithoutKeg, units);
  return decision.kind === 'refuse' ? decision.sentence : decision.ml;
}

interface SizeFieldsProps {
  readonly row: SizeRow;
  readonly label: string;
  /** Why the volume is none. */
  readonly fault: string | undefined;
  readonly units: Units;
  onChange(changes: Partial<SizeRow>): void;
  readonly onMoveUp: (() => void) | null;
  readonly onMoveDown: (() => void) | null;
  onDelete(): void;
}

function SizeFields({ row, label, fault, units, ...actions }: SizeFieldsProps) {
  const { onChange, onMoveUp, onMoveDown, onDelete } = actions;
  const languageNames = new Intl.DisplayNames(locale, { type: 'language' });
  return (
    <li class="size-row">
      <fieldset class="size-fields">
        <legend class="visually-hidden">{label}</legend>
        <label class="field">
          {t('servings.volume')}
          <input
            type="text"
            autocomplete="off"
            maxLength={30}
            required
            value={row.volume}
            placeholder={servingUnit(units).unit}
            aria-invalid={fault !== undefined}
            onInput={(event) => onChange({ volume: event.currentTarget.value })}
          />
          {fault !== undefined && <span class="refusal">{fault}</span>}
        </label>
        <label class="field">
          {t('servings.name')}
          <input
            type="text"
            autocomplete="off"
            maxLength={64}
            value={row.name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        </label>
      </fieldset>
      <details class="size-names">
        <summary>{t('servings.otherLanguages')}</summary>
        {languages.map((tag) => (
          <label key={tag} class="field">
            {languageNames.of(tag) ?? tag}
            <input
              type="text"
              autocomplete="off"
              maxLength={64}
              value={row.names[tag] ?? ''}
              onInput={(event) => onChange({ names: { ...row.names, [tag]: event.currentTarget.value } })}
            />
          </label>
        ))}
      </details>
      <div class="row-actions">
        <MoveButton label={t('common.moveUp', { what: label })} sign="↑" onMove={onMoveUp} />
        <MoveButton label={t('common.moveDown', { what: label })} sign="↓" onMove={onMoveDown} />
        <button
          type="button"
          class="chip is-danger"
          aria-label={t('servings.delete', { size: label })}
          onClick={onDelete}
        >
          {t('servings.remove')}
        </button>
      </div>
    </li>
  );
}
