import { expect, test } from 'vitest'
import { compareCounts, countByFolder } from '../../../scripts/lib/vocabulary-counts.ts'
import { findInSource, findInMarkdown } from '../../../scripts/lib/vocabulary.ts'

const listDenied = (text: string, file = 'provider/events/clip.ts') =>
  findInSource(file, text).map(({ line, text: found }) => `${line} ${found}`)

test('the vocabulary check denies pronouns and participles as declared names, wherever they are declared', () => {
  expect(listDenied('const one = 1\nlet { told } = state')).toEqual(['1 one', '2 told'])
  expect(listDenied('list.map((what) => what.id)')).toEqual(['1 what'])
  expect(listDenied('interface Refused {}\ntype Kept = string\nclass Asked {}')).toEqual([
    '1 Refused',
    '2 Kept',
    '3 Asked',
  ])
  expect(listDenied('const { one: camera } = row\ninterface Row { kept: number }')).toEqual([])
})

test('the vocabulary check denies functions without a verb or with a verb that the glossary replaces', () => {
  expect(listDenied('function tellOwner() {}\nconst homesOf = (id: string) => id')).toEqual([
    '1 tellOwner',
    '2 homesOf',
  ])
  expect(listDenied('class A { keepClip() {}\n keepAlive() {}\n lookUp() {} }')).toEqual(['1 keepClip'])
  expect(listDenied('const homeOf = new Map()')).toEqual([])
})

test('the vocabulary check denies comments that open with a clause or use a replaced phrase', () => {
  expect(listDenied('/** What the page shows. */\nlet a = 1 // Whoever asks first')).toEqual([
    '1 What the page shows.',
    '2 Whoever asks first',
  ])
  expect(listDenied('/**\n * Retries the upload.\n * What follows is\n * started anew.\n */')).toEqual([
    '4 started anew.',
  ])
  expect(listDenied('/** Retries `What`, says "anew". */\nconst text = "What is it"\n')).toEqual([])
})

test('the vocabulary check denies British spelling and file names that are not nouns', () => {
  expect(listDenied('const licence = 1 // colour')).toEqual(['1 licence', '1 colour'])
  expect(listDenied('', 'src/domain/pay-words.ts')).toEqual(['1 pay-words'])
  expect(listDenied('', 'src/domain/payment.ts')).toEqual([])
})

test('the vocabulary check reads the prose of Markdown without its code', () => {
  const text = '# What it does\n\nRun `anew`:\n\n```\nsomebody\n```\n\n- Whoever asks'
  expect(findInMarkdown('README.md', text).map(({ line }) => line)).toEqual([1, 9])
})

test('the vocabulary check lets the count of a folder fall and never rise', () => {
  const found = ['src/ui/a.ts', 'src/ui/b.ts', 'src/live.ts', 'bridge/sources/a.ts', 'README.md'].map((file) => ({
    file,
  }))
  const counts = countByFolder(found)
  expect(counts).toEqual({ '.': 1, bridge: 1, src: 1, 'src/ui': 2 })
  expect(compareCounts(counts, counts)).toEqual({ risen: [], fallen: [] })
  expect(compareCounts(counts, { ...counts, bridge: 0, 'src/ui': 3, docs: 1 })).toEqual({
    risen: ['bridge'],
    fallen: ['docs', 'src/ui'],
  })
})
