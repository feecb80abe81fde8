// Sets the theme before the page is shown, so that it does not flash. A classic script in a file of its own, because
// modules run after the first paint and the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Without storage the system's theme is used.
  }
  function apply() {
    const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches);
    root.dataset.theme = isDark ? 'dark' : 'light';
    const color = document.querySelector('meta[name="theme-color"]');
    if (color) color.content = isDark ? '#0d1713' : '#ecebde';
  }
  apply();
  dark.addEventListener('change', apply);
  // Sent by the theme switch of this page, and by the browser for a choice in another tab.
  addEventListener('theme', ({ detail }) => {
    chosen = detail;
    apply();
  });
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== 'theme') return;
    chosen = newValue;
    apply();
  });
})();
