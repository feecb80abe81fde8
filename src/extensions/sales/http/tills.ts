import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { paginate } from '../../../engine/engine.ts';
import { PagingJson, toPageRequest, wholeListPaging } from '../../../http/current/shared/paging.ts';
import { readableResource } from '../../../http/current/shared/resource.ts';
import { IdParam, Instant, parseInstant } from '../../../http/routes/input-values.ts';
import { defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
} from '../../../http/routes/schemas.ts';
import { maxComponents, maxIgnoredCategories } from '../engine/sales-bounds.ts';
import type { SalesServices } from '../engine/sales-services.ts';
import type { TillItemView } from '../engine/tills.ts';
import type { SalesRouteParts } from './route-parts.ts';
import {
  ComponentInput,
  ComponentJson,
  componentJson,
  formatJson,
  NewSalesFormatJson,
  SalesFormatJson,
  toComponent,
  toFormat,
} from './sales-schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: 64, description: 'Name of the till.' });
const Categories = Type.Array(Type.String({ maxLength: 128, description: 'Name of a category.' }), {
  maxItems: maxIgnoredCategories,
  description: 'Categories whose products are ignored, unless one is mapped.',
});

const IncludedTax = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description:
      'Tax in its amounts, in hundredths of a percent (1900 is 19 %), where a serving has no other; 0: they are without tax, and so are the prices of the site if all tills say so. Null: nobody said, and there is no margin.',
  }),
);

const TillJson = named(
  'Till',
  Closed(
    {
      id: Id,
      name: Name,
      format: Nullable(SalesFormatJson),
      ignored_categories: Categories,
      included_tax_basis_points: IncludedTax,
    },
    { description: 'A till whose lines are imported. `format` is null when it sends them by the API.' },
  ),
);

type Till = ReturnType<SalesServices['sales']['tills']['get']>;

const tillJson = (till: Till): Static<typeof TillJson> => ({
  id: till.id,
  name: till.name,
  format: till.format && formatJson(till.format),
  ignored_categories: [...till.ignoredCategories],
  included_tax_basis_points: till.includedTaxBasisPoints,
});

const tills = readableResource({
  name: 'Till',
  noun: 'till',
  path: '/tills',
  access: 'staff',
  item: 'till',
  items: 'tills',
  json: TillJson,
  errors: { remove: { conflict: ['till_has_sales'] } },
  show: tillJson,
});

const MappingJson = Closed(
  {
    since: Nullable({ ...IsoSeconds, description: 'From when on, UTC; null: also in the past.' }),
    components: Type.Array(ComponentJson, {
      maxItems: maxComponents,
      description: 'Its parts with draught beer; empty for none.',
    }),
  },
  { description: 'What a product contains from a time on.' },
);

const TillItemJson = named(
  'TillItem',
  Closed(
    {
      id: Id,
      till_id: { ...Id, description: 'Id of the till.' },
      item_key: Type.String({ description: 'Its number (PLU, SKU), else its name.' }),
      name: Type.String({ description: 'Its name.' }),
      variant: Type.String({ description: 'Its variant, such as a size; empty for none.' }),
      category: Type.String({ description: 'Its category; empty for none.' }),
      state: Type.Enum(['unknown', 'mapped', 'ignored'], {
        description:
          '`unknown`: nobody said what it contains. `ignored`: no draught beer, by itself or by its category.',
      }),
      lines: Type.Integer({ minimum: 0, description: 'Number of its lines.' }),
      first_time: Nullable({ ...IsoSeconds, description: 'Time of its first line, UTC.' }),
      last_time: Nullable({ ...IsoSeconds, description: 'Time of its last line, UTC.' }),
      mappings: Type.Array(MappingJson, { description: 'What it contains, by ascending time.' }),
      proposal: Nullable(Type.Array(ComponentJson, { description: 'What its texts say that it contains.' })),
    },
    { description: 'A product of a till. `proposal` is null where none can be made.' },
  ),
);

const time = (ms: number | null) => (ms === null ? null : isoSeconds(ms));

export const tillItemJson = (item: TillItemView): Static<typeof TillItemJson> => ({
  id: item.id,
  till_id: item.tillId,
  item_key: item.key,
  name: item.name,
  variant: item.variant,
  category: item.category,
  state: item.state,
  lines: item.lines,
  first_time: time(item.firstMs),
  last_time: time(item.lastMs),
  mappings: item.mappings.map(({ sinceMs, components }) => ({
    since: sinceMs === 0 ? null : isoSeconds(sinceMs),
    components: components.map(componentJson),
  })),
  proposal: item.proposal?.map(componentJson) ?? null,
});

const params = Open({ id: IdParam });
const ItemReply = Closed({ item: TillItemJson });

const itemAction = (
  { servicesOf }: SalesRouteParts,
  action: 'ignore' | 'reset',
  texts: { readonly summary: string; readonly description: string },
): Route =>
  defineRoute({
    id: `${action}TillItem`,
    method: 'post',
    path: `/till-items/{id}/${action}`,
    ...texts,
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: ItemReply },
    run(context, { params: { id } }) {
      const { tills: service } = servicesOf(context.engine).sales;
      const change = action === 'ignore' ? service.ignoreItem : service.resetItem;
      return { item: tillItemJson(change(id, actorContext(context))) };
    },
  });

/** Tills and their products, for staff. */
export const tillRoutes = ({ servicesOf }: SalesRouteParts): readonly Route[] => [
  tills.list({ summary: 'List the tills', description: 'With how their files are read.' }, (engine, query) =>
    paginate(servicesOf(engine).sales.tills.list(), toPageRequest(query)),
  ),
  tills.get({ summary: 'Get a till', description: 'With how its files are read.' }, (engine, id) =>
    servicesOf(engine).sales.tills.get(id),
  ),
  tills.create(
    {
      summary: 'Create a till',
      description: 'An import keeps how the files of its till are read. Written to the audit log.',
    },
    named(
      'NewTill',
      Closed({ name: Name, included_tax_basis_points: Maybe(IncludedTax) }, { description: 'A new till.' }),
    ),
    (context, { name, included_tax_basis_points: includedTaxBasisPoints }) =>
      servicesOf(context.engine).sales.tills.create(
        name,
        actorContext(context),
        omitUndefined({ includedTaxBasisPoints }),
      ),
  ),
  ...tills.change(
    {
      summary: 'Change a till',
      description:
        'Fields that are left out stay. Ignoring a category acts on the past, too. Written to the audit log.',
    },
    {
      put: named(
        'TillPut',
        Closed(
          {
            name: Name,
            format: Maybe(Nullable(NewSalesFormatJson)),
            ignored_categories: Maybe(Categories),
            included_tax_basis_points: Maybe(IncludedTax),
          },
          { description: 'Changes of a till, with its name.' },
        ),
      ),
      patch: named(
        'TillChange',
        Closed(
          {
            name: Maybe(Name),
            format: Maybe(Nullable(NewSalesFormatJson)),
            ignored_categories: Maybe(Categories),
            included_tax_basis_points: Maybe(IncludedTax),
          },
          { description: 'Changes of a till.' },
        ),
      ),
    },
    (context, { id }, { body }) => {
      const { name, format, ignored_categories: ignoredCategories } = body;
      return servicesOf(context.engine).sales.tills.change(
        id,
        omitUndefined({
          name,
          format: format === undefined ? undefined : format && toFormat(format),
          ignoredCategories,
          includedTaxBasisPoints: body.included_tax_basis_points,
        }),
        actorContext(context),
      );
    },
  ),
  tills.remove(
    {
      summary: 'Delete a till without lines',
      description: '409 while it has lines: undo its imports first. Written to the audit log.',
    },
    (context, { id }) => servicesOf(context.engine).sales.tills.remove(id, actorContext(context)),
  ),
  defineRoute({
    id: 'listTillItems',
    method: 'get',
    path: '/tills/{id}/items',
    summary: 'List the products of a till, those with most lines first',
    description:
      'All on one page, at most 5000. `proposal` says what the texts of an unknown product name: apply it with `PUT /till-items/{id}/mapping`.',
    access: 'staff',
    accepts: { params },
    replies: {
      status: 200,
      body: Closed({ paging: PagingJson, items: Type.Array(TillItemJson, { description: 'All products.' }) }),
    },
    run({ engine }, { params: { id } }) {
      const items = servicesOf(engine).sales.tills.items(id).map(tillItemJson);
      return { paging: wholeListPaging(items), items };
    },
  }),
  defineRoute({
    id: 'mapTillItem',
    method: 'put',
    path: '/till-items/{id}/mapping',
    summary: 'Say what a product of a till contains',
    description:
      'Also in the past, unless `since` is given: then what was said before holds until that time. An empty list says that it contains ' +
      'no draught beer. Written to the audit log.',
    access: 'staff',
    accepts: {
      params,
      body: Closed({
        components: Type.Array(ComponentInput, {
          maxItems: maxComponents,
          description: 'Its parts with draught beer: of a flight, each taster.',
        }),
        since: Maybe(Instant('From when on, for a button that sells another beer since then.')),
      }),
    },
    replies: { status: 200, body: ItemReply },
    run(context, { params: { id }, body: { components, since } }) {
      const { engine } = context;
      const sinceMs = since === undefined ? undefined : parseInstant(engine, 'since', since);
      const mapping = { components: components.map(toComponent), ...omitUndefined({ sinceMs }) };
      return {
        item: tillItemJson(servicesOf(engine).sales.tills.mapItem(id, mapping, actorContext(context))),
      };
    },
  }),
  itemAction({ servicesOf }, 'ignore', {
    summary: 'Ignore a product of a till',
    description: 'It contains no draught beer, now and in the past. Written to the audit log.',
  }),
  itemAction({ servicesOf }, 'reset', {
    summary: 'Forget what a product of a till contains',
    description: 'It is unknown again, unless its category is ignored. Written to the audit log.',
  }),
];
