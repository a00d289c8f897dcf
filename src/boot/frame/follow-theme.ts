/**
 * Applies changes of the system theme to the open page. The document itself sets the theme only at load
 * (layouts/Shell.astro), and the system theme may change before this script runs.
 */
export function watchTheme(): void {
  const darkThemeQuery = matchMedia('(prefers-color-scheme: dark)')
  const applyTheme = () => {
    document.documentElement.dataset['theme'] = `porchlight${darkThemeQuery.matches ? '-dark' : ''}`
  }
  darkThemeQuery.addEventListener('change', applyTheme)
  applyTheme()
}
