import { useSignal } from '@preact/signals';
import { type ComponentChildren, isValidElement } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { buildRequest, type OperationArguments, type OperationInput } from '../api/build-request.ts';
import { type Result, request } from '../api/client.ts';
import type { Operations, Paging } from '../api/generated.ts';
import { t } from '../locales/locale.ts';
import type { EmptyPictureName } from './empty-picture.tsx';
import { type EmptyAction, EmptyContent } from './empty-state.tsx';
import { usePageLoad } from './page-load.ts';
import { type PagesState, pageQuery, withOlder } from './paging.ts';
import { dataVersion } from './use-resource.ts';

/** Items per request; enough for two screens. */
const usualPageSize = 50;
/** The API's largest `limit`. */
const maxLimit = 1000;
/** The next page is fetched when the end is this far below the screen. */
const prefetchMargin = '600px';

const initialPages: PagesState<never> = { items: null, next: null, error: null };

/** Key of a result's list. */
type ListKey<R> = { [K in keyof R]: R[K] extends readonly object[] ? K : never }[keyof R];

/** Operations that return a list in pages. */
type ListOperation = {
  [O in keyof Operations]: Operations[O] extends {
    readonly query: { readonly cursor?: string; readonly limit?: number };
    readonly result: { readonly paging: Paging };
  }
    ? O
    : never;
}[Extract<keyof Operations, `GET ${string}`>];

/** An item of the list that an operation returns. */
type Item<O extends ListOperation> = Result<O>[ListKey<Result<O>>] extends readonly (infer T extends object)[]
  ? T
  : never;

interface PagedListProps<O extends ListOperation> {
  readonly operation: O;
  /** Path parameters and filters. */
  readonly input?: OperationInput<O>;
  /** Key of the items in the reply. */
  readonly itemsKey: ListKey<Result<O>>;
  /** Label of the list for screen readers. */
  readonly label: string;
  /** Text of an empty list. */
  readonly empty: string;
  /** A large picture for the list that is all of its page. */
  readonly emptyPicture?: EmptyPictureName;
  /** What fills the list, or shows all of it. */
  readonly emptyAction?: EmptyAction | undefined;
  /**
   * When this changes, the newest items are loaded again, and those further down stay; after each action on this page all
   * items shown are. The old ones stay until the reply arrives.
   */
  readonly reloadKey?: string | number | null | undefined;
  readonly class?: string;
  /** Items per request; fewer where the list is one of several on a page. */
  readonly pageSize?: number | undefined;
  /** Renders one item as a keyed list item. */
  renderItem(item: Item<O>): ComponentChildren;
}

/** A list that loads further pages when its end comes near the screen, or by the button at its end. */
export function PagedList<O extends ListOperation>(props: PagedListProps<O>) {
  const { label, empty, renderItem } = props;
  const { pages, loadMore, reload } = usePages(props);
  const { items, next, error } = pages;
  return (
    <div class="paged" aria-busy={items === null && error === null}>
      {items?.length === 0 && (
        <EmptyContent
          text={empty}
          picture={props.emptyPicture ?? 'list'}
          isSmall={props.emptyPicture === undefined}
          action={props.emptyAction?.label}
          {...props.emptyAction}
        />
      )}
      {items !== null && items.length > 0 && (
        <ul class={props.class ?? 'rows'} aria-label={label}>
          {items.map(renderItem)}
        </ul>
      )}
      {error !== null && (
        <p class="paged-fault" role="alert">
          <span class="refusal">{error}</span>
          <button type="button" class="chip" onClick={items === null ? reload : loadMore}>
            {t('common.retry')}
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
      {t('common.more')}
    </button>
  );
}

function usePages<O extends ListOperation>({ operation, input, itemsKey, ...props }: PagedListProps<O>) {
  const { pageSize = usualPageSize } = props;
  const pages = useSignal<PagesState<Item<O>>>(initialPages);
  const { begin } = usePageLoad();
  const latestRequest = useRef(0);
  const isLoading = useRef(false);
  const loaded = useRef({ key: props.reloadKey, version: dataVersion.value });
  const { address } = buildRequest(operation, input);
  const keyOf = (item: Item<O>): unknown => {
    const row = props.renderItem(item);
    return isValidElement(row) ? row.key : undefined;
  };

  /** Loads the page with this query beside the filters; replies to superseded requests are ignored. */
  async function load(
    page: object,
    previousItems: readonly Item<O>[],
    join: (state: PagesState<Item<O>>) => PagesState<Item<O>> = (state) => state,
  ) {
    latestRequest.current += 1;
    const number = latestRequest.current;
    isLoading.current = true;
    const query = { ...input?.query, ...page };
    const answer = await request(operation, ...([{ ...input, query }] as unknown as OperationArguments<O>));
    if (number !== latestRequest.current) return;
    isLoading.current = false;
    if (!answer.ok) {
      pages.value = { ...pages.value, error: answer.sentence };
      return;
    }
    const newItems = answer.result[itemsKey] as readonly Item<O>[];
    const { next } = answer.result.paging;
    pages.value = join({ items: [...previousItems, ...newItems], next, error: null });
  }

  useEffect(() => {
    pages.value = initialPages;
    const end = begin();
    void load({ limit: pageSize }, []).finally(end);
    return () => {
      end();
      latestRequest.current += 1;
    };
  }, [address]);
  useEffect(() => {
    const { key, version } = loaded.current;
    if (key === props.reloadKey && version === dataVersion.value) return;
    loaded.current = { key: props.reloadKey, version: dataVersion.value };
    const shown = pages.value;
    const count = shown.items?.length ?? 0;
    if (version === dataVersion.value && count > pageSize)
      void load({ limit: pageSize }, [], (newest) => withOlder(newest, shown, keyOf));
    else void load({ limit: Math.min(maxLimit, Math.max(pageSize, count)) }, []);
  }, [props.reloadKey, dataVersion.value]);

  return {
    pages: pages.value,
    loadMore() {
      const { next, items } = pages.value;
      if (next !== null && !isLoading.current)
        void load({ ...pageQuery(next), limit: pageSize }, items ?? []);
    },
    reload: () => void load({ limit: pageSize }, []),
  };
}
