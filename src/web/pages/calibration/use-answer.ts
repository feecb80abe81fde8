import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../ask.ts';
import type { Saying } from '../../saying.ts';

/** A person types a figure within this; every digit is not worth a question. */
const settleMs = 250;

interface Answered<R> {
  readonly result: R | null;
  readonly refusal: Saying | null;
  /** False while the answer to what is asked now is on its way. */
  readonly isFresh: boolean;
}

/** What the daemon makes of `question`; asked anew, a moment after it has changed. Null asks nothing. */
export function useAnswer<Q, R>(question: Q | null, ask: (question: Q) => Promise<Answer<R>>): Answered<R> {
  const key = JSON.stringify(question);
  const answered = useSignal<Omit<Answered<R>, 'isFresh'> & { readonly key: string }>({
    key,
    result: null,
    refusal: null,
  });
  useEffect(() => {
    if (question === null) {
      answered.value = { key, result: null, refusal: null };
      return;
    }
    let isOver = false;
    const timer = setTimeout(async () => {
      const answer = await ask(question);
      if (isOver) return;
      answered.value = answer.ok
        ? { key, result: answer.result, refusal: null }
        : { key, result: null, refusal: answer.sentence };
    }, settleMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key]);
  const { key: answeredKey, result, refusal } = answered.value;
  return { result, refusal, isFresh: answeredKey === key };
}
