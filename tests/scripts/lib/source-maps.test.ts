import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { minifySync } from 'vite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getSourceMapFolder, pruneMaps, moveMaps } from '../../../scripts/lib/source-maps.ts'
import { cutMappings } from '../../../scripts/lib/map-cuts.ts'
import { removePreloadLists } from '../../../scripts/lib/plain-imports.ts'

let root: string
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'maps-'))))
afterEach(() => rmSync(root, { recursive: true, force: true }))

const writeMapFile = (name: string, text = '') => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

describe('retained source maps', () => {
  test('move out of the served folder, each under the path of its chunk', () => {
    for (const name of ['client/index.html', 'client/_astro/a.js', 'client/_astro/a.js.map']) writeMapFile(name)
    moveMaps(join(root, 'client'), getSourceMapFolder(root, 'abcdef0'))
    expect(readdirSync(join(root, 'client'), { recursive: true }).sort()).toEqual([
      '_astro',
      '_astro/a.js',
      'index.html',
    ])
    expect(readdirSync(getSourceMapFolder(root, 'abcdef0'), { recursive: true }).sort()).toEqual([
      '_astro',
      '_astro/a.js.map',
    ])
  })

  test('are those of the ten newest builds', () => {
    for (let n = 0; n < 12; n++) {
      writeMapFile(`dist/maps/build${n}/a.js.map`)
      utimesSync(getSourceMapFolder(root, `build${n}`), n, n)
    }
    pruneMaps(root)
    expect(readdirSync(join(root, 'dist/maps'))).toHaveLength(10)
    expect(readdirSync(join(root, 'dist/maps'))).not.toContain('build1')
  })

  test('pruning without any maps does not fail', () => {
    expect(() => pruneMaps(root)).not.toThrow()
  })
})

function findOriginal(code: string, mappings: string, text: string) {
  const before = code.slice(0, code.indexOf(text)).split('\n')
  const map = new SourceMap({
    file: '',
    version: 3,
    sources: ['in.ts'],
    sourcesContent: [],
    names: [],
    mappings,
    sourceRoot: '',
  })
  const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0)
  return 'originalLine' in entry ? [entry.originalLine, entry.originalColumn] : null
}

describe('a chunk with its dependency lists removed', () => {
  const DEPENDENCY_CALL = ',__vite__mapDeps([0,1])'
  const source = `export const one = load(() => "one"${DEPENDENCY_CALL});\nexport const two = load(() => "two"${DEPENDENCY_CALL});\nexport const three = "three"\n`

  test('has a map that still points to the right line and column', () => {
    const { code, map } = minifySync('in.ts', source, { module: true, sourcemap: true })
    const plain = removePreloadLists(`const __vite__mapDeps=(i)=>i\n${code}`)
    expect([plain.hasList, plain.code.includes('__vite__mapDeps')]).toEqual([true, false])
    const mappings = plain.moved(`;${map?.mappings ?? ''}`)
    const lines = source.split('\n')
    for (const [line, text] of ['`one`', '`two`', '`three`'].entries()) {
      const original = text.replaceAll('`', '"')
      expect(findOriginal(plain.code, mappings, text)).toEqual([line, lines[line]?.indexOf(original)])
    }
  })

  test('keeps its code and its map if it has no list', () => {
    const { code, hasList, moved } = removePreloadLists('a\nb')
    expect([code, hasList, moved('AAAA;AACA')]).toEqual(['a\nb', false, 'AAAA;AACA'])
  })
})

test('mappings without removed ranges are returned unchanged, whatever their numbers', () => {
  const mappings = 'AAAA,gBAAgB,SAASA;;UAC1B,EAAE,qhBAjhBF'
  expect(cutMappings(mappings, [])).toBe(mappings)
})
