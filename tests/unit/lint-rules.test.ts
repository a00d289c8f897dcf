import { ESLint } from 'eslint'
import { parser } from 'typescript-eslint'
import { expect, test } from 'vitest'

const projectLinter = new ESLint()

async function listLintMessages(text: string, filePath: string): Promise<string[]> {
  const config = (await projectLinter.calculateConfigForFile(filePath)) as { rules: Record<string, unknown> }
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.{ts,tsx}'],
      languageOptions: { parser },
      rules: { 'no-restricted-syntax': config.rules['no-restricted-syntax'] as [2] },
    },
  })
  const [{ messages } = { messages: [] }] = await eslint.lintText(text, { filePath })
  return messages.map(({ message }) => message)
}

test.each([
  "export const a = (time: number) => new Date(time).toLocaleTimeString('en-GB')",
  "export const a = (time: number) => new Date(time).toLocaleString('en')",
  "export const a = new Intl.DateTimeFormat('en')",
  "import dayjs from 'dayjs'\nexport const a = (time: number) => dayjs(time).format('D MMM')",
  "import { formatTime } from './local-time.ts'\nexport const a = formatTime",
])('no file outside date-formats.ts defines its own date format: %s', async (text) => {
  expect(await listLintMessages(text, 'src/domain/billing/plan-cart.ts')).toContainEqual(
    expect.stringContaining('src/domain/time/date-formats.ts'),
  )
})

test.each([
  "export const charge = { currency: 'USD' }",
  'export const price = (sum: number) => `$${sum}`',
  "export const price = (sum: number) => '$' + sum",
  "export const words = 'in US dollars'",
  "export const words = '$0, no card'",
  'export const Price = () => <p>Only $10 a month</p>',
  'export const price = (cents: number) => cents / 100',
  'export const price = (bill: { total: number }) => (bill.total / 100).toFixed(2)',
])('only contract/billing/amounts.ts names a currency, writes its sign or divides cents: %s', async (text) => {
  for (const file of [
    'src/ui/Money.tsx',
    'src/domain/cart.tsx',
    'provider/billing/ledger/book.tsx',
    'scripts/check.tsx',
  ])
    expect(await listLintMessages(text, file), file).toContainEqual(
      expect.stringContaining('contract/billing/amounts.ts'),
    )
})

test.each(['private count = 0', 'private readCount() {\n    return 0\n  }'])(
  'private members of classes begin with #, unlike: %s',
  async (member) => {
    for (const file of ['src/ui/a.ts', 'contract/a.ts', 'provider/a.ts', 'bridge/a.ts', 'scripts/a.ts', 'tests/a.ts'])
      expect(await listLintMessages(`export class Counter {\n  ${member}\n}`, file), file).toContain(
        'Private members begin with #.',
      )
  },
)

test.each(['{ ...{ a: 1 }, b: 2 }', '[...[1, 2], 3]'])('no literal is spread into another one: %s', async (literal) => {
  for (const file of ['src/ui/a.ts', 'contract/a.ts', 'provider/a.ts', 'bridge/a.ts', 'scripts/a.ts', 'tests/a.ts'])
    expect(await listLintMessages(`export const all = ${literal}`, file), file).toContain(
      'Write the properties or elements in place.',
    )
})
