/** Drawings on a grid of 24 by 24, of lines two wide. */
const drawings = {
  add: 'M12 5v14M5 12h14',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  bars: 'M5 20v-7M12 20V5M19 20v-11',
  book: 'M12 6c-2-2-5-2-8-1v14c3-1 6-1 8 1 2-2 5-2 8-1V5c-3-1-6-1-8 1zM12 6v14',
  bottle: 'M10 3h4v5c3 2 3 4 3 6v7H7v-7c0-2 0-4 3-6zM7 14h10',
  check: 'M5 13l5 5L20 6',
  chip: 'M7 7h10v10H7zM10 7V3M14 7V3M10 21v-4M14 21v-4M7 10H3M7 14H3M21 10h-4M21 14h-4',
  clock: 'M12 3a9 9 0 1 0 .1 0zM12 7v5l4 2',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  dot: 'M12 9a3 3 0 1 0 .1 0z',
  down: 'M12 5v14M6 13l6 6 6-6',
  flag: 'M6 21V4M6 5h12l-3 4 3 4H6',
  gear: 'M12 9a3 3 0 1 0 .1 0zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1',
  glass: 'M6 4h9l-1 17H7zM6.5 9h8.2M15 8h3c2 0 2 1 2 3s-1 5-3 5h-2.4',
  keg: 'M7 3h10M6 5c4 2 8 2 12 0v14c-4 2-8 2-12 0zM6 10c4 2 8 2 12 0M6 15c4 2 8 2 12 0',
  key: 'M8 11a4 4 0 1 0 .1 0zM11 13l9-9M16 8l3 3',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 15v2',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  more: 'M5 11a1 1 0 1 0 .1 0zM12 11a1 1 0 1 0 .1 0zM19 11a1 1 0 1 0 .1 0z',
  people: 'M9 5a3.5 3.5 0 1 0 .1 0zM2 20c0-5 3-6.5 7-6.5s7 1.5 7 6.5M16 6a3 3 0 0 1 0 6M18 14c3 .5 4 2.5 4 6',
  person: 'M12 4a4 4 0 1 0 .1 0zM4 21c0-6 4-7 8-7s8 1 8 7',
  plug: 'M9 3v5M15 3v5M6 8h12v3c0 4-2 6-6 6s-6-2-6-6zM12 17v4',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  tap: 'M12 3v5M8 3h8M6 8h12v4H6zM6 10H4v6h3M12 12v3M12 19v2',
  terminal: 'M3 5h18v14H3zM7 9l3 3-3 3M13 15h4',
  thermometer: 'M12 3c-1.5 0-2 1-2 2v9a4 4 0 1 0 4 0V5c0-1-.5-2-2-2zM12 10v7',
  up: 'M12 19V5M6 11l6-6 6 6',
} as const;

export type IconName = keyof typeof drawings;

/** A line drawing beside a text that says the same; hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}
