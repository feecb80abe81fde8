/** The styles of the published menu. Light or dark as the phone is, with the colours of the page. */
export const menuCss = `
:root { color-scheme: light dark; --page: #ecebdd; --card: #f9f8f0; --ink: #15261d; --soft: #4b5a51; --line: #d6d5c3; --good: #2c6a45; --low: #9b2c1c; --next: #7d570f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0f1a14; --card: #16251d; --ink: #f3eedd; --soft: #aebaae; --line: #2a3d32; --good: #86c79d; --low: #ffab97; --next: #e3b658; }
}
* { box-sizing: border-box; margin: 0; }
body { padding: 1rem; background: var(--page); color: var(--ink); font: 1.05rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 70rem; margin: 0 auto 1.2rem; }
h1, h2 { font-family: "Palatino Linotype", Palatino, "URW Palladio L", serif; line-height: 1.2; }
h1 { font-size: 2.2rem; }
h2 { font-size: 1.6rem; }
ul { padding: 0; list-style: none; }
.logo { max-width: min(100%, 18rem); max-height: 7rem; }
.soft { color: var(--soft); }
.menu { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.card { display: grid; grid-template-columns: 6rem minmax(0, 1fr); grid-template-rows: 1fr auto; gap: .8rem 1rem; padding: 1.1rem; border-radius: 1rem; background: var(--card); }
.picture, .glass { width: 100%; aspect-ratio: 3 / 4; border-radius: .6rem; object-fit: cover; }
.glass { background: linear-gradient(#fffaf0 18%, var(--beer) 18%); box-shadow: inset 0 0 0 1px var(--line); }
.card > div { grid-column: 2; }
.facts, .left { font-weight: 650; }
.left { color: var(--good); }
.closed { color: var(--low); font-weight: 650; font-size: 1.25rem; }
.left[data-low="true"] { color: var(--low); }
.next { color: var(--next); }
.description { margin-block: .3rem; white-space: pre-line; }
.prices { display: flex; grid-column: 1 / -1; flex-wrap: wrap; justify-content: flex-end; gap: .2rem 1.4rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.prices b { margin-left: .4em; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.note { margin-top: 1.2rem; white-space: pre-line; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
a { padding: .5rem 0; color: inherit; }
`;
