import { useSignal } from '@preact/signals';
import { request } from '../../../../web/api/client.ts';
import { toHref } from '../../../../web/app/routing.ts';
import { ActionGroup, ErrorMessage, useAction } from '../../../../web/components/action.tsx';
import { Page, type PageProps } from '../../../../web/components/page.tsx';
import { RowButton } from '../../../../web/components/row-button.tsx';
import { showToast } from '../../../../web/components/toast.tsx';
import { undo } from '../../../../web/components/undo.ts';
import { useResource } from '../../../../web/components/use-resource.ts';
import { findText, t } from '../../../../web/locales/locale.ts';
import { type Component, categoryText, itemText, type Till, type TillItem } from '../sales-data.ts';
import { readTax, TaxFields } from '../tax-fields.tsx';
import { componentsText, type Known } from './components-text.ts';
import { MappingDialog } from './mapping-dialog.tsx';
import '../sales.css';

/** Products of a till: what they contain, and what is ignored. */
export function TillPage({ id, snapshot }: PageProps) {
  const tillId = Number(id);
  const till = useResource('GET /tills/{id}', { path: { id: tillId } });
  const items = useResource('GET /tills/{id}/items', { path: { id: tillId } });
  const beverages = useResource('GET /beverages', { query: { limit: 1000 } });
  const sizes = useResource('GET /serving-sizes');
  return (
    <Page title={till.result?.till.name ?? t('sales.products')} requiredRole="staff">
      <p>
        <a href={toHref('/sales')}>{t('sales.title')}</a>
      </p>
      <ErrorMessage>{till.error ?? items.error ?? beverages.error}</ErrorMessage>
      {till.result && items.result && beverages.result && sizes.result && (
        <Products
          till={till.result.till}
          items={items.result.items}
          known={{
            beverages: beverages.result.beverages,
            sizes: sizes.result.serving_sizes,
            units: snapshot,
          }}
        />
      )}
    </Page>
  );
}

interface ProductsProps {
  readonly till: Till;
  readonly items: readonly TillItem[];
  readonly known: Known;
}

function Products({ till, items, known }: ProductsProps) {
  const editing = useSignal<TillItem | null>(null);
  const groups = (['unknown', 'mapped', 'ignored'] as const).map((state) => ({
    state,
    found: items.filter((item) => item.state === state),
  }));
  const unknown = groups[0]!.found;
  return (
    <div class="stack">
      <p role="status">{t('sales.unknownCount', { count: unknown.length })}</p>
      <Categories till={till} items={items} />
      <Tax till={till} />
      <Proposals items={unknown} known={known} />
      {groups.map(({ state, found }) => (
        <section key={state} class="group" aria-labelledby={`products-${state}`}>
          <h3 id={`products-${state}`}>{findText('sales.productStates', state) ?? state}</h3>
          {found.length === 0 && <p class="soft">{t('sales.noProducts')}</p>}
          <ul class="rows">
            {found.map((item) => (
              <ItemRow key={item.id} item={item} known={known} onEdit={() => (editing.value = item)} />
            ))}
          </ul>
        </section>
      ))}
      {editing.value !== null && (
        <MappingDialog item={editing.value} known={known} onClose={() => (editing.value = null)} />
      )}
    </div>
  );
}

/** Categories, of which all without draught beer are ignored by one action. */
function Categories({ till, items }: Pick<ProductsProps, 'till' | 'items'>) {
  const action = useAction();
  const names = [...new Set([...items.map(({ category }) => category), ...till.ignored_categories])].sort();
  const ignored = new Set(till.ignored_categories);
  const isDraught = (category: string) =>
    items.some((item) => item.category === category && (item.state === 'mapped' || item.proposal !== null));
  const others = names.filter((name) => !ignored.has(name) && !isDraught(name));
  const set = (categories: readonly string[]) =>
    action.runAction(
      () =>
        request('PATCH /tills/{id}', {
          path: { id: till.id },
          body: { ignored_categories: [...categories] },
        }),
      () =>
        showToast(
          t('common.saved'),
          () =>
            void undo(() =>
              request('PATCH /tills/{id}', {
                path: { id: till.id },
                body: { ignored_categories: till.ignored_categories },
              }),
            ),
        ),
    );
  return (
    <section class="card stack" aria-labelledby="till-categories">
      <h3 id="till-categories">{t('sales.categories')}</h3>
      <p class="soft">{t('sales.categoriesWhy')}</p>
      <ActionGroup action={action} class="choices">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={ignored.has(name)}
            onClick={() =>
              void set(ignored.has(name) ? [...ignored].filter((one) => one !== name) : [...ignored, name])
            }
          >
            {ignored.has(name)
              ? t('sales.categoryIgnored', { category: categoryText(name) })
              : categoryText(name)}
          </button>
        ))}
        {others.length > 0 && (
          <p class="row-actions">
            <button type="button" class="button" onClick={() => void set([...ignored, ...others])}>
              {t('sales.ignoreOthers', { count: others.length })}
            </button>
          </p>
        )}
      </ActionGroup>
    </section>
  );
}

/** Whether its amounts contain tax. */
function Tax({ till }: Pick<ProductsProps, 'till'>) {
  const { runAction, error } = useAction();
  const { id, included_tax_basis_points: before } = till;
  const change = (tax: number | null) =>
    request('PATCH /tills/{id}', { path: { id }, body: { included_tax_basis_points: tax } });
  function save(event: SubmitEvent) {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const tax = readTax(new FormData(event.currentTarget));
    void runAction(
      () => change(tax),
      () => showToast(t('common.saved'), () => void undo(() => change(before))),
    );
  }
  return (
    <section class="card stack" aria-labelledby="till-tax">
      <h3 id="till-tax">{t('sales.taxTitle')}</h3>
      <p class="soft">{t('sales.taxWhy')}</p>
      <form class="form" onSubmit={save}>
        <div class="sales-fields">
          <TaxFields key={String(before)} basisPoints={before} />
        </div>
        <ErrorMessage>{error}</ErrorMessage>
        <div class="form-buttons">
          <button type="submit" class="button">
            {t('common.save')}
          </button>
        </div>
      </form>
    </section>
  );
}

/** Applies all proposals at once. */
function Proposals({ items, known }: { readonly items: readonly TillItem[]; readonly known: Known }) {
  const action = useAction();
  const proposed = items.filter(({ proposal }) => proposal !== null);
  if (proposed.length === 0) return null;
  async function apply() {
    for (const { id, proposal } of proposed) {
      const answer = await action.runAction(
        () => request('PUT /till-items/{id}/mapping', { path: { id }, body: { components: [...proposal!] } }),
        () => {},
      );
      if (!answer?.ok) return;
    }
    showToast(t('sales.proposalsApplied', { count: proposed.length }));
  }
  return (
    <section class="card stack" aria-labelledby="till-proposals">
      <h3 id="till-proposals">{t('sales.proposals')}</h3>
      <ul>
        {proposed.map((item) => (
          <li key={item.id}>
            {t('sales.proposal', {
              product: itemText(item),
              contains: componentsText(item.proposal!, known),
            })}
          </li>
        ))}
      </ul>
      <ActionGroup action={action} class="row-actions">
        <button type="button" class="button" onClick={() => void apply()}>
          {t('sales.applyProposals', { count: proposed.length })}
        </button>
      </ActionGroup>
    </section>
  );
}

interface ItemRowProps {
  readonly item: TillItem;
  readonly known: Known;
  onEdit(): void;
}

function ItemRow({ item, known, onEdit }: ItemRowProps) {
  const action = useAction();
  const what = itemText(item);
  const { id } = item;
  const map = (components: readonly Component[]) =>
    request('PUT /till-items/{id}/mapping', { path: { id }, body: { components: [...components] } });
  const run = (send: Parameters<typeof action.runAction>[0]) =>
    void action.runAction(send, () => showToast(t('common.saved'), () => void undo(() => restoreItem(item))));
  const latest = item.mappings.at(-1);
  return (
    <li>
      <div class="row-text">
        <p class="row-name">{what}</p>
        <p class="soft">
          {t('sales.productLines', { category: categoryText(item.category), count: item.lines })}
        </p>
        {latest !== undefined && <p>{componentsText(latest.components, known)}</p>}
      </div>
      <ActionGroup action={action} class="row-actions">
        {item.state === 'unknown' && item.proposal !== null && (
          <RowButton
            label={componentsText(item.proposal, known)}
            what={what}
            onClick={() => run(() => map(item.proposal!))}
          />
        )}
        <RowButton label={t('sales.chooseBeer')} what={what} onClick={onEdit} />
        {item.state !== 'ignored' && (
          <RowButton
            label={t('sales.ignore')}
            what={what}
            onClick={() => run(() => request('POST /till-items/{id}/ignore', { path: { id } }))}
          />
        )}
        {item.state !== 'unknown' && (
          <RowButton
            label={t('sales.reset')}
            what={what}
            onClick={() => run(() => request('POST /till-items/{id}/reset', { path: { id } }))}
          />
        )}
      </ActionGroup>
    </li>
  );
}

/** Brings back what was said of a product before; of several times the latest. */
function restoreItem({ id, state, mappings }: TillItem) {
  const components = mappings.at(-1)?.components;
  if (state === 'mapped' && components !== undefined)
    return request('PUT /till-items/{id}/mapping', { path: { id }, body: { components: [...components] } });
  const action = state === 'ignored' ? 'POST /till-items/{id}/ignore' : 'POST /till-items/{id}/reset';
  return request(action, { path: { id } });
}
