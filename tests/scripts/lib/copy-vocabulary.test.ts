import { expect, test } from 'vitest'
import { findInCopy } from '../../../scripts/lib/copy-vocabulary.ts'

const listDenied = (source: string, file = 'src/islands/billing/Bill.tsx') =>
  findInCopy(file, source).map(({ line, text }) => `${line} ${text}`)

test('the copy check denies words in strings, templates and JSX texts', () => {
  expect(listDenied("const text = 'Pay your bill.'\nconst note = `Open your book on ${day}.`")).toEqual([
    '1 Pay your bill.',
    '2 Open your book on ….',
  ])
  expect(listDenied('const a = <p>\n  Nobody but you.\n</p>\nconst b = <button>Sign in</button>')).toEqual([
    '2 Nobody but you.',
    '4 Sign in',
  ])
  expect(listDenied("const off = '16 % less'\nconst name = 'Bill'")).toEqual(['1 16 % less', '2 Bill'])
})

test('the copy check ignores keys, class names, SQL, imports and data of the search', () => {
  expect(
    listDenied("import a from './your bill'\nconst kind = 'cancelled'\nconst b = <p className='card bills-open' />"),
  ).toEqual([])
  expect(listDenied('const sql = "UPDATE charges SET state = \'authorised\' WHERE key = ?"')).toEqual([])
  expect(listDenied("const words = ['pay a bill']", 'provider/search/lexicon/verbs.ts')).toEqual([])
})

test('the copy check reads the texts of Astro files without frontmatter, scripts and styles', () => {
  const source = '---\nconst a = "your bill"\n---\n<p class="bills">\n  Sign in\n</p>\n<script>"your bill"</script>'
  expect(listDenied(source, 'src/pages/index.astro')).toEqual(['5 Sign in'])
})
