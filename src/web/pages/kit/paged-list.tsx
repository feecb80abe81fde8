import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../../ask.ts';
import type { Saying } from '../../saying.ts';
import { words } from '../../words/house.ts';

/** Items fetched at once; enough for two screens. */
const pageSize = 50;
/** The most the daemon gives in one answer. */
const mostAtOnce = 1000;
/** How far below the screen the next items are already fetched. */
const ahead = '600px';

interface Paging {
  readonly limit: number;
  readonly next?: number | null;
}

interface Pages<T> {
  /** Null until the first answer. */
  readonly items: readonly T[] | null;
  /** Where the next page starts; null at the end. */
  readonly next: number | null;
  readonly refusal: Saying | null;
}

const nothingYet: Pages<never> = { items: null, next: null, refusal: null };

interface PagedListProps<T> {
  /** What is asked for, below `/api`, with its filters. */
  readonly path: string;
  /** The member of the answer that holds the items. */
  readonly of: string;
  /** Names the list to a screen reader. */
  readonly label: string;
  /** Said when there are none. */
  readonly empty: string;
  /** Whenever this changes, everything shown is asked for anew, and stays until the answer is there. */
  readonly stamp?: unknown;
  readonly class?: string;
  /** One item, as a list item with its key. */
  row(item: T): ComponentChildren;
}

/** A list without end: it goes on as its reader nears the end, or by the button there. */
export function PagedList<T extends object>(props: PagedListProps<T>) {
  const { label, empty, row } = props;
  const { pages, goOn, lookAgain } = usePages<T>(props);
  const { items, next, refusal } = pages;
  return (
    <div class="paged" aria-busy={items === null && refusal === null}>
      {items?.length === 0 && <p class="paged-none">{empty}</p>}
      {items !== null && items.length > 0 && (
        <ul class={props.class ?? 'rows'} aria-label={label}>
          {items.map(row)}
        </ul>
      )}
      {refusal !== null && (
        <p class="paged-fault" role="alert">
          <span class="refusal">{refusal}</span>
          <button type="button" class="chip" onClick={items === null ? lookAgain : goOn}>
            {words.again}
          </button>
        </p>
      )}
      {next !== null && refusal === null && <More onNear={goOn} />}
    </div>
  );
}

/** The button at the end; coming near it is as good as touching it. */
function More({ onNear }: { onNear(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) near.current();
      },
      { rootMargin: ahead },
    );
    if (button.current) seen.observe(button.current);
    return () => seen.disconnect();
  });
  return (
    <button ref={button} type="button" class="chip paged-more" onClick={onNear}>
      {words.more}
    </button>
  );
}

function usePages<T extends object>({ path, of, stamp }: PagedListProps<T>) {
  const pages = useSignal<Pages<T>>(nothingYet);
  const turn = useRef(0);
  const isAsking = useRef(false);
  const seenStamp = useRef(stamp);

  /** Only the latest question counts; an answer that comes after a newer one was asked is not looked at. */
  async function look(start: number, limit: number, before: readonly T[]) {
    turn.current += 1;
    const mine = turn.current;
    isAsking.current = true;
    const answer = await ask<Readonly<Record<string, unknown>>>('GET', withPage(path, start, limit));
    if (mine !== turn.current) return;
    isAsking.current = false;
    if (!answer.ok) {
      pages.value = { ...pages.value, refusal: answer.sentence };
      return;
    }
    const fresh = (answer.result[of] ?? []) as readonly T[];
    const next = nextOf(answer.result.paging as Paging | undefined, fresh, limit);
    pages.value = { items: [...before, ...fresh], next, refusal: null };
  }

  useEffect(() => {
    pages.value = nothingYet;
    void look(0, pageSize, []);
    return () => {
      turn.current += 1;
    };
  }, [path]);
  useEffect(() => {
    if (seenStamp.current === stamp) return;
    seenStamp.current = stamp;
    void look(0, Math.min(mostAtOnce, Math.max(pageSize, pages.value.items?.length ?? 0)), []);
  }, [stamp]);

  return {
    pages: pages.value,
    goOn() {
      const { next, items } = pages.value;
      if (next !== null && !isAsking.current) void look(next, pageSize, items ?? []);
    },
    lookAgain: () => void look(0, pageSize, []),
  };
}

function withPage(path: string, start: number, limit: number): string {
  const page = start === 0 ? `limit=${limit}` : `start=${start}&limit=${limit}`;
  return `${path}${path.includes('?') ? '&' : '?'}${page}`;
}

/** Lists go down by id, unless they say themselves where they go on. */
function nextOf(paging: Paging | undefined, items: readonly object[], limit: number): number | null {
  if (paging?.next !== undefined) return paging.next;
  const last = Number(Reflect.get(items.at(-1) ?? {}, 'id'));
  return items.length < limit || !(last > 1) ? null : last - 1;
}
