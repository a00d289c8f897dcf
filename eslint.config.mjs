// @ts-check
import astro from 'eslint-plugin-astro'
import boundaries from 'eslint-plugin-boundaries'
import hooks from 'eslint-plugin-react-hooks'
import ts from 'typescript-eslint'
import typed from './.oxlintrc.json' with { type: 'json' }

/**
 * Allowed imports by folder (docs/decisions/0002-import-rules.md). A folder may also import itself, but an island must
 * not import another island.
 */
const RULES = {
  pages: ['layouts', 'islands', 'early', 'domain'],
  layouts: ['layouts', 'islands', 'boot', 'early', 'domain', 'contract'],
  boot: ['stores', 'api', 'services', 'early', 'domain', 'contract'],
  islands: ['ui', 'media', 'stores', 'domain', 'contract'],
  ui: ['media', 'domain', 'contract'],
  media: ['early', 'contract'],
  stores: ['media', 'api', 'services', 'early', 'domain', 'contract'],
  services: ['contract'],
  api: ['early', 'contract'],
  early: ['contract'],
  domain: ['contract'],
  contract: [],
  functions: ['domain', 'contract'],
  provider: ['contract'],
  bridge: ['scenes', 'contract'],
  scenes: ['contract'],
  scripts: ['domain', 'contract'],
}

const LITERAL_SPREAD = {
  selector: ':matches(SpreadElement, JSXSpreadAttribute) > :matches(ObjectExpression, ArrayExpression)',
  message: 'Write the properties or elements in place.',
}

const PRIVATE = {
  selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
  message: 'Private members begin with #.',
}

const BODY =
  'readBytes and readText of contract/wire/body-limits.ts read a body up to a limit (docs/decisions/0035); only what our own storage holds may be read whole.'

const STYLE =
  'src/domain/time/date-formats.ts has every style of a date, an hour and a length (docs/decisions/0092); the provider’s are in provider/notifications/email/email-format.ts.'
const STYLES = [
  'CallExpression[callee.property.name=/^toLocale(Date|Time)String$/]',
  "CallExpression[callee.property.name='toLocaleString'][callee.object.callee.name=/^(Date|dayjs)$/]",
  ":not(MemberExpression[property.name='resolvedOptions']) > :matches(NewExpression, CallExpression)[callee.object.name='Intl'][callee.property.name='DateTimeFormat']",
  "CallExpression[callee.property.name='format'] > Literal[value=/YY|MM|DD|HH|mm|ss|ddd|^D /]",
  "ImportSpecifier[imported.name='formatTime']",
].map((selector) => ({ selector, message: STYLE }))

const MONEY =
  'contract/billing/amounts.ts alone names a currency, writes its sign and divides cents (docs/decisions/0084).'
const AMOUNT = '/^(cents|total|subtotal|amount|due|paid|price|balance|unit|tax)$|Cents$/'
const AMOUNTS = [
  'Literal[value=/\\b(USD|EUR|GBP|CHF|CAD|AUD|JPY|INR|US dollars?|euros?)\\b/]',
  'Literal[value=/\\$\\d+(\\.\\d\\d|,? [a-z])|[€£]\\d/]',
  "BinaryExpression[operator='+'] > Literal[value=/[$€£]$/]",
  'JSXText[value=/[$€£]\\d/]',
  'TemplateElement[tail=false][value.cooked=/[\\s\\u2212]\\$$/]',
  'TemplateLiteral > TemplateElement:first-child[tail=false][value.cooked=/^-?\\$$/]',
  `BinaryExpression[operator='/'][right.value=100]:matches(${[
    'left.name',
    'left.property.name',
    'left.arguments.0.name',
  ]
    .map((path) => `[${path}=${AMOUNT}]`)
    .join(', ')})`,
].map((selector) => ({ selector, message: MONEY }))

const WHOLE_BODY = {
  selector: 'CallExpression[arguments.length=0][callee.property.name=/^(json|text|formData|arrayBuffer|blob|bytes)$/]',
  message: BODY,
}

const SLOW =
  'The work of this pattern can grow with the square of the text. Read text of others by indexOf or split, or bound the repetition (SECURITY.md).'
/**
 * Patterns that find slow (backtracking) regular expressions. esquery tests the source of each regex literal against
 * them.
 */
const SLOW_PATTERNS = [
  // A lazy repetition.
  String.raw`(^|[^\\])([*+]|\{\d+,\})\?`,
  // A repeated wildcard, unless it directly follows an initial `^` or is at the end of the pattern.
  String.raw`(?<!^\^)(?<!\\)(\.|\\[SWD]|\[\^\]|\[\\[sSwWdD]\\[sSwWdD]\])([*+]|\{\d+,\})(?!\)*\$?$)`,
  // A repeated group that contains a repetition, unless the group begins with a literal dot or a colon.
  String.raw`(?<!\\)\((\?:)?(?!\\[.]|:)[^()]*(?<!\\)([*+]|\{\d+,\})[^()]*\)([*+]|\{\d+,\})`,
  // A repetition at the start, which the engine retries at each position of the text.
  String.raw`^(\((\?:)?|\\b)*(\[(\\.|[^\]])*\]|\\[a-zA-Z])([*+]|\{\d+,\})(?!\)*$)`,
].map((source) => ({ selector: `Literal[regex.pattern=/${source.replaceAll('/', String.raw`\/`)}/]`, message: SLOW }))

const FILE = 'readFileBytes and readSettingsFile of bridge/runtime/durable-files.ts read a file up to a limit.'

const NOW = 'Rules are pure: time and randomness are arguments.'

/**
 * Rules that need type information. oxlint checks them in each run, ESLint only in `npm run check -- --all`
 * (docs/decisions/0081).
 */
const TYPED = {
  files: ['**/*.{ts,tsx}'],
  ignores: ['scenes/**'],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  rules: /** @type {import('eslint').Linter.RulesRecord} */ (
    Object.fromEntries(
      Object.entries(typed.rules).map(([name, rule]) => [name.replace('typescript/', '@typescript-eslint/'), rule]),
    )
  ),
}

const folder = (/** @type {string} */ name) => ({
  type: name,
  pattern: ['contract', 'functions', 'provider', 'bridge', 'scenes', 'scripts', 'tests'].includes(name)
    ? name
    : `src/${name}`,
  partialMatch: false,
})

export default ts.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      '.astro/',
      '**/.wrangler/',
      '.porchlight/',
      'test-results/',
      'scenes/rendered/',
    ],
  },
  ...ts.configs.recommended,
  ...astro.configs['flat/recommended'],
  hooks.configs.flat['recommended-latest'],
  {
    plugins: { boundaries },
    settings: {
      'boundaries/elements': [
        { type: 'islands', pattern: 'src/islands/*', partialMatch: false, capture: ['feature'] },
        ...[...Object.keys(RULES).filter((name) => name !== 'islands'), 'tests'].map(folder),
      ],
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.astro', '.css'] } },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          policies: [
            { from: { element: { type: '*' } }, allow: { to: { module: { origin: ['external', 'core'] } } } },
            { from: { element: { type: 'tests' } }, allow: { to: { element: { type: '*' } } } },
            ...Object.entries(RULES).map(([name, allowed]) => ({
              from: { element: { type: name } },
              allow: { to: { element: { types: { anyOf: name === 'islands' ? allowed : [name, ...allowed] } } } },
            })),
            {
              from: { element: { type: 'islands' } },
              allow: {
                to: { element: { type: 'islands', captured: { feature: '{{from.element.captured.feature}}' } } },
              },
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/islands/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Islands call store actions.' },
        { name: 'localStorage', message: 'src/stores/storage/persistent-atoms.ts owns storage.' },
      ],
    },
  },
  // Comments may cite only rows of docs/requirements.md and decisions, because every clone contains these documents.
  {
    rules: {
      'no-warning-comments': [
        'error',
        {
          terms: ['spec §', 'design:', 'design.md', 'security:', 'security.md', 'quality.md', 'media.md', 'look.md'],
          location: 'anywhere',
        },
      ],
    },
  },
  {
    rules: {
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true, IIFEs: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  ...(process.env.TYPED_LINT === '1' ? [TYPED] : []),
  { files: ['scenes/**', 'tests/**'], rules: { 'no-restricted-syntax': ['error', PRIVATE, LITERAL_SPREAD] } },
  { files: ['src/**'], rules: { 'no-restricted-syntax': ['error', PRIVATE, LITERAL_SPREAD, ...STYLES, ...AMOUNTS] } },
  { files: ['scripts/**'], rules: { 'no-restricted-syntax': ['error', PRIVATE, LITERAL_SPREAD, ...AMOUNTS] } },
  {
    files: ['src/domain/**', 'contract/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        PRIVATE,
        LITERAL_SPREAD,
        ...STYLES,
        ...AMOUNTS,
        { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: NOW },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: NOW },
        { selector: "CallExpression[callee.name='dayjs'][arguments.length=0]", message: NOW },
        { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: NOW },
      ],
    },
  },
  {
    files: ['functions/**', 'provider/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        PRIVATE,
        LITERAL_SPREAD,
        ...STYLES,
        ...AMOUNTS,
        WHOLE_BODY,
        { selector: 'CallExpression[callee.property.name=/^(parseBody|getReader)$/]', message: BODY },
        { selector: 'ForOfStatement[await=true]', message: BODY },
        {
          selector:
            "MemberExpression[property.name='body']:matches([object.name=/^(req|request)$/], [object.property.name='raw'])",
          message: BODY,
        },
        { selector: "VariableDeclarator[init.property.name='raw'] Property[key.name='body']", message: BODY },
      ],
    },
  },
  {
    files: ['contract/billing/amounts.ts'],
    rules: { 'no-restricted-syntax': ['error', PRIVATE, LITERAL_SPREAD, ...STYLES] },
  },
  {
    files: ['bridge/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        PRIVATE,
        LITERAL_SPREAD,
        ...AMOUNTS,
        WHOLE_BODY,
        { selector: "CallExpression[callee.property.name='getReader']", message: BODY },
        { selector: 'ForOfStatement[await=true]', message: BODY },
        { selector: "ImportDeclaration[source.value='node:stream/consumers']", message: BODY },
        { selector: 'ImportSpecifier[imported.name=/^(readFile|readFileSync|createReadStream)$/]', message: FILE },
        { selector: "MemberExpression[property.name='readFile']", message: FILE },
        { selector: ":matches(NewExpression, CallExpression)[callee.name='RegExp']", message: SLOW },
        ...SLOW_PATTERNS,
      ],
    },
  },
  {
    files: ['tests/**', '**/*.astro', 'src/islands/**/*.tsx', 'src/ui/**/*.tsx'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['tests/**'],
    rules: {
      'no-restricted-imports': ['error', { name: 'vitest', importNames: ['it'], message: 'Tests use `test`.' }],
    },
  },
  {
    files: ['scenes/**'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
)
