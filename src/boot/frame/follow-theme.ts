/** The document has the theme of its first moment (layouts/Shell.astro): a page that is left open follows the system into the night. */
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  document.documentElement.dataset['theme'] = `porchlight${matches ? '-dark' : ''}`
})

export {}
