import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** Sources of texts that home owners read: pages, email and camera states. */
const READ_BY_OWNERS = [
  'src/**/*.{ts,tsx}',
  'functions/**/*.{ts,tsx}',
  'contract/**/*.ts',
  'provider/**/*.{ts,tsx}',
  'bridge/setup/*.ts',
  'bridge/sources/*.ts',
]

/**
 * Texts that may contain the word `bridge`, because home owners do not read them: path prefix, pattern of the text, and
 * reason.
 */
const READ_BY_OTHERS: readonly [place: string, words: RegExp, why: string][] = [
  ['', /^(?:SELECT|INSERT|UPDATE|DELETE|ORDER BY|\/\*)/, 'a statement for the database'],
  ['contract/bridge/sealed-channel.ts', /^to the bridge$/, 'what a key is made of'],
  ['provider/operator/', /./, 'an operator asks'],
  ['provider/bridge/authenticate-bridge.ts', /./, 'the program at home prints it'],
  ['provider/bridge/bridge.ts', /./, 'the program at home prints it'],
  ['provider/bridge/camera-registration.ts', /./, 'the program at home prints it'],
  ['provider/bridge/enroll-bridge.ts', /./, 'the program at home prints it'],
  ['provider/bridge/event-ingest.ts', /./, 'the program at home prints it'],
  [
    'bridge/setup/camera-setup.ts',
    /Fingerprint of this bridge|sealed for this bridge/,
    'the program at home prints it',
  ],
]

function extractSentences(path: string, text: string): string[] {
  const words: string[] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isTemplateHead(node)
    )
      words.push(node.text.trim())
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return words.filter((sentence) => /\s/.test(sentence))
}

const saysBridge = (words: string) => /\bbridges?\b/i.test(words)
const isForOthers = (path: string, words: string) =>
  READ_BY_OTHERS.some(([place, of]) => path.startsWith(place) && of.test(words))

describe('the word "bridge" in texts for owners', () => {
  const found = globSync(READ_BY_OWNERS).flatMap((path) =>
    extractSentences(path, readFileSync(path, 'utf8')).map((words) => [path, words] as const),
  )

  test('does not occur in the sentences of the sources', () => {
    expect(found.length).toBeGreaterThan(2000)
    expect(found.filter(([path, words]) => saysBridge(words) && !isForOthers(path, words))).toEqual([])
  })

  test('does not occur in the text of pages', () => {
    const bare = (page: string) => page.replace(/^---.*?^---/ms, '').replaceAll(/<!--.*?-->|\{\/\*.*?\*\/\}/gs, '')
    const pages = globSync('src/**/*.astro').map((path) => [path, bare(readFileSync(path, 'utf8'))] as const)
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter(([, page]) => saysBridge(page)).map(([path]) => path)).toEqual([])
  })

  test.each(READ_BY_OTHERS.map(([place, of, why]) => [place || 'anywhere', place, of, why] as const))(
    'still occurs in texts for other readers: %s',
    (_name, place, of) => {
      expect(found.some(([path, words]) => path.startsWith(place) && saysBridge(words) && of.test(words))).toBe(true)
    },
  )
})
