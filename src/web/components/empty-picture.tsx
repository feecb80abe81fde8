import type { ComponentChildren } from 'preact';

/** What the list is about. */
export type EmptyPictureName = 'box' | 'glass' | 'keg' | 'list' | 'people' | 'post';

const drawings: Readonly<Record<EmptyPictureName, ComponentChildren>> = {
  box: (
    <>
      <path d="M28 34 l22-9 22 9 v28 l-22 10 -22-10 z M28 34 l22 10 22-10 M50 44 v28" />
      <path d="M39 29.5 l22 9.5" />
    </>
  ),
  glass: (
    <>
      <path d="M36 20 l4 48 q.4 4 4 4 h12 q3.6 0 4-4 l4-48" />
      <path d="M38 34 h24" stroke-dasharray="3 5" />
      <path d="M62 30 h8 q6 0 5.5 6 l-1 14 q-.5 6-6.5 6 h-7" />
    </>
  ),
  keg: (
    <>
      <path d="M32 16 h36 M30 22 q20 7 40 0 v44 q-20 7-40 0 z M30 36 q20 6 40 0 M30 52 q20 6 40 0" />
      <path d="M46 16 v-5 h8 v5" />
    </>
  ),
  list: (
    <>
      <path d="M30 12 h40 v58 l-6.7-5 -6.6 5 -6.7-5 -6.7 5 -6.6-5 -6.7 5 z" />
      <path d="M39 27 h22 M39 38 h22 M39 49 h13" />
    </>
  ),
  people: (
    <>
      <circle cx="39" cy="30" r="10" />
      <path d="M21 68 q0-20 18-20 t18 20" />
      <circle cx="65" cy="33" r="8" />
      <path d="M63 51 q16-1 16 17" />
    </>
  ),
  post: (
    <>
      <path d="M26 22 h48 v40 h-48 z" />
      <path d="M26 24 l24 20 24-20" />
    </>
  ),
};

/** A small drawing for a place where there is nothing to show. */
export function EmptyPicture({ name }: { readonly name: EmptyPictureName }) {
  return (
    <svg class="empty-picture" viewBox="0 0 100 80" aria-hidden="true">
      <circle class="is-ground" cx="50" cy="42" r="34" />
      {drawings[name]}
      <path class="is-line" d="M14 76 h72" />
    </svg>
  );
}
