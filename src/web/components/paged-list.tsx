import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { requestWithPin } from '../api/request-with-pin.ts';
import type { DisplayText } from '../app/error-text.ts';
import { words } from '../words/pages.ts';

/** Items per request; enough for two screens. */
const pageSize = 50;
/** The API's largest `limit`. */
const maxLimit = 1000;
/** The next page is fetched when the end is this far below the screen. */
const prefetchMargin = '600px';

interface Paging {
  readonly limit: number;
  readonly next?: number | null;
}

interface PagesState<T> {
  /** Null until the first reply. */
  readonly items: readonly T[] | null;
  /** `start` of the next page; null at the end. */
  readonly next: number | null;
  readonly error: DisplayText | null;
}

const initialPages: PagesState<never> = { items: null, next: null, error: null };

interface PagedListProps<T> {
  /** Path below `/api`, with filters. */
  readonly path: string;
  /** Key of the items in the reply. */
  readonly itemsKey: string;
  /** Label of the list for screen readers. */
  readonly label: string;
  /** Text of an empty list. */
  readonly empty: string;
  /** When this changes, all items shown are loaded again; the old ones stay until the reply arrives. */
  readonly reloadKey?: unknown;
  readonly class?: string;
  /** Renders one item as a keyed list item. */
  renderItem(item: T): ComponentChildren;
}

/** A list that loads further pages when its end comes near the screen, or by the button at its end. */
export function PagedList<T extends object>(props: PagedListProps<T>) {
  const { label, empty, renderItem } = props;
  const { pages, loadMore, reload } = usePages<T>(props);
  const { items, next, error } = pages;
  return (
    <div class="paged" aria-busy={items === null && error === null}>
      {items?.length === 0 && <p class="paged-none">{empty}</p>}
      {items !== null && items.length > 0 && (
        <ul class={props.class ?? 'rows'} aria-label={label}>
          {items.map(renderItem)}
        </ul>
      )}
      {error !== null && (
        <p class="paged-fault" role="alert">
          <span class="refusal">{error}</span>
          <button type="button" class="chip" onClick={items === null ? reload : loadMore}>
            {words.retry}
          </button>
        </p>
      )}
      {next !== null && error === null && <LoadMore onNearEnd={loadMore} />}
    </div>
  );
}

/** The button at the end of the list; also acts when it is scrolled near the screen. */
function LoadMore({ onNearEnd }: { onNearEnd(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const onNearEndRef = useRef(onNearEnd);
  onNearEndRef.current = onNearEnd;
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onNearEndRef.current();
      },
      { rootMargin: prefetchMargin },
    );
    if (button.current) observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    <button ref={button} type="button" class="chip paged-more" onClick={onNearEnd}>
      {words.more}
    </button>
  );
}

function usePages<T extends object>({ path, itemsKey, reloadKey }: PagedListProps<T>) {
  const pages = useSignal<PagesState<T>>(initialPages);
  const latestRequest = useRef(0);
  const isLoading = useRef(false);
  const loadedKey = useRef(reloadKey);

  /** Loads one page; replies to superseded requests are ignored. */
  async function load(start: number, limit: number, previousItems: readonly T[]) {
    latestRequest.current += 1;
    const request = latestRequest.current;
    isLoading.current = true;
    const answer = await requestWithPin<Readonly<Record<string, unknown>>>(
      'GET',
      addPageQuery(path, start, limit),
    );
    if (request !== latestRequest.current) return;
    isLoading.current = false;
    if (!answer.ok) {
      pages.value = { ...pages.value, error: answer.sentence };
      return;
    }
    const newItems = (answer.result[itemsKey] ?? []) as readonly T[];
    const next = nextStart(answer.result.paging as Paging | undefined, newItems, limit);
    pages.value = { items: [...previousItems, ...newItems], next, error: null };
  }

  useEffect(() => {
    pages.value = initialPages;
    void load(0, pageSize, []);
    return () => {
      latestRequest.current += 1;
    };
  }, [path]);
  useEffect(() => {
    if (loadedKey.current === reloadKey) return;
    loadedKey.current = reloadKey;
    void load(0, Math.min(maxLimit, Math.max(pageSize, pages.value.items?.length ?? 0)), []);
  }, [reloadKey]);

  return {
    pages: pages.value,
    loadMore() {
      const { next, items } = pages.value;
      if (next !== null && !isLoading.current) void load(next, pageSize, items ?? []);
    },
    reload: () => void load(0, pageSize, []),
  };
}

function addPageQuery(path: string, start: number, limit: number): string {
  const page = start === 0 ? `limit=${limit}` : `start=${start}&limit=${limit}`;
  return `${path}${path.includes('?') ? '&' : '?'}${page}`;
}

/** `start` of the next page: `paging.next` where the reply has it, else one below the last id, as lists descend by id. */
function nextStart(paging: Paging | undefined, items: readonly object[], limit: number): number | null {
  if (paging?.next !== undefined) return paging.next;
  const last = Number(Reflect.get(items.at(-1) ?? {}, 'id'));
  return items.length < limit || !(last > 1) ? null : last - 1;
}
