import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** Sources of texts that home owners read: pages, email and camera states. */
const OWNER_TEXT_SOURCES = [
  'src/**/*.{ts,tsx}',
  'functions/**/*.{ts,tsx}',
  'contract/**/*.ts',
  'provider/**/*.{ts,tsx}',
  'bridge/setup/*.ts',
  'bridge/sources/*.ts',
]

/**
 * Texts that may contain the word `bridge` because home owners do not read them.
 * Each row: path prefix, pattern of the text, and reason.
 */
const ALLOWED_BRIDGE_TEXTS: readonly [place: string, words: RegExp, why: string][] = [
  ['', /^(?:SELECT|INSERT|UPDATE|DELETE|ORDER BY|\/\*)/, 'SQL statement'],
  ['contract/bridge/sealed-channel.ts', /^to the bridge$/, 'input of a key derivation'],
  ['provider/bridge/enroll-bridge.ts', /./, 'printed by the bridge program'],
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

const containsBridge = (words: string) => /\bbridges?\b/i.test(words)
const isAllowedText = (path: string, words: string) =>
  ALLOWED_BRIDGE_TEXTS.some(([place, pattern]) => path.startsWith(place) && pattern.test(words))

describe('the word "bridge" in texts for owners', () => {
  const found = globSync(OWNER_TEXT_SOURCES).flatMap((path) =>
    extractSentences(path, readFileSync(path, 'utf8')).map((words) => [path, words] as const),
  )

  test('does not occur in the sentences of the sources', () => {
    expect(found.length).toBeGreaterThan(2000)
    expect(found.filter(([path, words]) => containsBridge(words) && !isAllowedText(path, words))).toEqual([])
  })

  test('does not occur in the text of pages', () => {
    const stripPageCode = (page: string) =>
      page.replace(/^---.*?^---/ms, '').replaceAll(/<!--.*?-->|\{\/\*.*?\*\/\}/gs, '')
    const pages = globSync('src/**/*.astro').map((path) => [path, stripPageCode(readFileSync(path, 'utf8'))] as const)
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter(([, page]) => containsBridge(page)).map(([path]) => path)).toEqual([])
  })

  test.each(ALLOWED_BRIDGE_TEXTS.map(([place, pattern, why]) => [place || 'anywhere', place, pattern, why] as const))(
    'still occurs in texts for other readers: %s',
    (_name, place, pattern) => {
      expect(
        found.some(([path, words]) => path.startsWith(place) && containsBridge(words) && pattern.test(words)),
      ).toBe(true)
    },
  )
})
