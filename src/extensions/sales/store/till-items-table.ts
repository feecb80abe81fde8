import type { Database } from '../../../store/database.ts';

/** A part of a product with draught beer. */
export interface ItemComponent {
  readonly beverageId: number;
  /** Null: it has a volume of its own, or the size was deleted since. */
  readonly sizeId: number | null;
  /** Servings in one product. */
  readonly count: number;
  /** Beer in one of them. */
  readonly liquidMl: number;
}

/** What a product contains from a time on. */
export interface ItemMapping {
  /** Unix milliseconds; 0: also for the past. */
  readonly sinceMs: number;
  /** Empty: no draught beer. */
  readonly components: readonly ItemComponent[];
}

/** A product of a till. */
export interface TillItem {
  readonly id: number;
  readonly tillId: number;
  readonly key: string;
  readonly variant: string;
  readonly name: string;
  readonly category: string;
  /** Ignored by itself, whatever its category. */
  readonly isIgnored: boolean;
}

/** A product with what was sold of it. */
export interface CountedItem extends TillItem {
  readonly state: ItemState;
  readonly lines: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

export const itemStates = ['unknown', 'mapped', 'ignored'] as const;
export type ItemState = (typeof itemStates)[number];

interface ItemRow {
  readonly id: number;
  readonly till_id: number;
  readonly key: string;
  readonly variant: string;
  readonly name: string;
  readonly category: string;
  readonly is_ignored: number;
}
interface CountedRow extends ItemRow {
  readonly state: ItemState;
  readonly lines: number;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
}
interface ComponentRow {
  readonly since_ms: number;
  readonly beverage_id: number | null;
  readonly serving_size_id: number | null;
  readonly count: number;
  readonly liquid_ml: number;
}

/** A mapping wins over what is ignored. */
export const itemState = `CASE
    WHEN EXISTS (SELECT 1 FROM till_item_mappings m WHERE m.item_id = i.id) THEN 'mapped'
    WHEN i.is_ignored = 1 OR EXISTS (SELECT 1 FROM till_ignored_categories g
      WHERE g.till_id = i.till_id AND g.category = i.category) THEN 'ignored'
    ELSE 'unknown' END`;

/** Products of tills, and what they contain. */
export function tillItemsTable(db: Database) {
  const find = db.prepare<[number, string, string], ItemRow>(
    'SELECT * FROM till_items WHERE till_id = ? AND key = ? AND variant = ?',
  );
  const byId = db.prepare<[number], ItemRow>('SELECT * FROM till_items WHERE id = ?');
  const insert = db
    .prepare<Omit<TillItem, 'id' | 'isIgnored'>, number>(
      `INSERT INTO till_items (till_id, key, variant, name, category)
       VALUES (@tillId, @key, @variant, @name, @category) RETURNING id`,
    )
    .pluck();
  const rename = db.prepare<{ id: number; name: string; category: string }>(
    'UPDATE till_items SET name = @name, category = @category WHERE id = @id',
  );
  const count = db.prepare<[number], number>('SELECT count(*) FROM till_items WHERE till_id = ?').pluck();
  const setIgnored = db.prepare<{ id: number; isIgnored: number }>(
    'UPDATE till_items SET is_ignored = @isIgnored WHERE id = @id',
  );
  const counted = `SELECT i.*, ${itemState} AS state, count(s.id) AS lines, min(s.time_ms) AS first_ms, max(s.time_ms) AS last_ms
     FROM till_items i LEFT JOIN sales s ON s.item_id = i.id AND s.is_current = 1`;
  const list = db.prepare<[number], CountedRow>(
    `${counted} WHERE i.till_id = ? GROUP BY i.id ORDER BY lines DESC, i.name, i.variant, i.id`,
  );
  const countedById = db.prepare<[number], CountedRow>(`${counted} WHERE i.id = ? GROUP BY i.id`);
  const mappings = db.prepare<[number], ComponentRow>(
    `SELECT m.since_ms, c.beverage_id, c.serving_size_id, c.count, c.liquid_ml
     FROM till_item_mappings m LEFT JOIN till_item_components c ON c.mapping_id = m.id
     WHERE m.item_id = ? ORDER BY m.since_ms, c.position`,
  );
  const removeMappings = db.prepare<[number]>('DELETE FROM till_item_mappings WHERE item_id = ?');
  const addMapping = db
    .prepare<[number, number], number>(
      'INSERT INTO till_item_mappings (item_id, since_ms) VALUES (?, ?) RETURNING id',
    )
    .pluck();
  const addComponent = db.prepare<ItemComponent & { mappingId: number; position: number }>(
    `INSERT INTO till_item_components (mapping_id, position, beverage_id, serving_size_id, count, liquid_ml)
     VALUES (@mappingId, @position, @beverageId, @sizeId, @count, @liquidMl)`,
  );
  return {
    find: (tillId: number, key: string, variant: string): TillItem | null =>
      orNull(find.get(tillId, key, variant)),
    byId: (id: number): TillItem | null => orNull(byId.get(id)),
    count: (tillId: number): number => count.get(tillId)!,
    add: (item: Omit<TillItem, 'id' | 'isIgnored'>): number => insert.get(item)!,
    rename: (id: number, texts: Pick<TillItem, 'name' | 'category'>): void =>
      void rename.run({ id, name: texts.name, category: texts.category }),
    setIgnored: (id: number, isIgnored: boolean): void =>
      void setIgnored.run({ id, isIgnored: Number(isIgnored) }),
    /** All products of a till, those with most lines first. */
    list: (tillId: number): readonly CountedItem[] => list.all(tillId).map(toCounted),
    /** A product with what was sold of it. */
    countedById(id: number): CountedItem | null {
      const row = countedById.get(id);
      return row === undefined ? null : toCounted(row);
    },
    /** What it contains, by ascending time. */
    mappings(itemId: number): readonly ItemMapping[] {
      const found = new Map<number, ItemComponent[]>();
      for (const row of mappings.all(itemId)) {
        const components = found.get(row.since_ms) ?? [];
        found.set(row.since_ms, components);
        if (row.beverage_id === null) continue;
        components.push({
          beverageId: row.beverage_id,
          sizeId: row.serving_size_id,
          count: row.count,
          liquidMl: row.liquid_ml,
        });
      }
      return [...found].map(([sinceMs, components]) => ({ sinceMs, components }));
    },
    /** Replaces all mappings of a product. */
    setMappings(itemId: number, all: readonly ItemMapping[]): void {
      removeMappings.run(itemId);
      for (const { sinceMs, components } of all) {
        const mappingId = addMapping.get(itemId, sinceMs)!;
        for (const [position, component] of components.entries())
          addComponent.run({ ...component, mappingId, position });
      }
    },
  };
}

const orNull = (row: ItemRow | undefined): TillItem | null => (row === undefined ? null : toItem(row));

const toCounted = (row: CountedRow): CountedItem => ({
  ...toItem(row),
  state: row.state,
  lines: row.lines,
  firstMs: row.first_ms,
  lastMs: row.last_ms,
});

const toItem = (row: ItemRow): TillItem => ({
  id: row.id,
  tillId: row.till_id,
  key: row.key,
  variant: row.variant,
  name: row.name,
  category: row.category,
  isIgnored: row.is_ignored === 1,
});
