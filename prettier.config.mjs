const classes = 'prettier-plugin-tailwindcss'

/** oxc parses the scripts, because its parser is faster. Prettier's own printer formats them (docs/decisions/0081). */
export default {
  semi: false,
  singleQuote: true,
  printWidth: 120,
  trailingComma: 'all',
  plugins: ['@prettier/plugin-oxc'],
  overrides: [
    { files: '*.{tsx,css}', options: { plugins: ['@prettier/plugin-oxc', classes] } },
    { files: '*.astro', options: { parser: 'astro', plugins: ['prettier-plugin-astro', classes] } },
  ],
}
