/** The document has the theme of its first moment (layouts/Shell.astro): a page that is left open follows the system into the night, also where that came before this script. */
const dark = matchMedia('(prefers-color-scheme: dark)')

function applyTheme(): void {
  document.documentElement.dataset['theme'] = `porchlight${dark.matches ? '-dark' : ''}`
}

dark.addEventListener('change', applyTheme)
applyTheme()

export {}
