/**
 * The document's theme is fixed when it loads (layouts/Shell.astro). An open page follows later changes of the system
 * theme, including one that happened before this script ran.
 */
const dark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme(): void {
  document.documentElement.dataset['theme'] = `porchlight${dark.matches ? '-dark' : ''}`
}

dark.addEventListener('change', applyTheme)
applyTheme()

export {}
