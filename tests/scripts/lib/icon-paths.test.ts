import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { combineIconShapes } from '../../../scripts/lib/icon-paths.ts'

const iconsFolder = join(dirname(createRequire(import.meta.url).resolve('lucide-react/package.json')), 'dist/esm/icons')

/** Reads an icon's module. A former name of an icon exports the icon's present module. */
function readIcon(name: string): string {
  const code = readFileSync(join(iconsFolder, `${name}.mjs`), 'utf8')
  const [, present] = /from '\.\/([\w-]+)\.mjs'/.exec(code) ?? []
  return present === undefined ? code : readIcon(present)
}

const createModule = (...shapes: readonly string[]) =>
  `const __iconData = {\n  name: "x",\n  node: [\n    ${shapes.join(',\n    ')}\n  ]\n};\n`
const readPath = (code: string | null) => /\["path",\{"d":"(.*?)"/.exec(code ?? '')?.[1]

test.each([
  ['paths', ['["path", { d: "M4 5h16", key: "a" }]', '["path", { d: "M4 12h16", key: "b" }]'], 'M4 5h16M4 12h16'],
  [
    'a relative start, whose further positions are relative lines',
    ['["path", { d: "M1 1", key: "a" }]', '["path", { d: "m6 9 6 6.5-.5", key: "b" }]'],
    'M1 1M6 9l6 6.5-.5',
  ],
  [
    'a relative start without spaces',
    ['["path", { d: "M1 1", key: "a" }]', '["path", { d: "m-.5.25a1 1 0 0 1 2 0", key: "b" }]'],
    'M1 1M-.5 .25a1 1 0 0 1 2 0',
  ],
  [
    'a circle and a line',
    [
      '["circle", { cx: "12", cy: "8", r: "5", key: "a" }]',
      '["line", { x1: "8", x2: "16", y1: "21", y2: "22", key: "b" }]',
    ],
    'M7 8a5 5 0 1 0 10 0 5 5 0 1 0 -10 0M8 21L16 22',
  ],
  [
    'a rectangle and a polyline',
    [
      '["rect", { width: "20", height: "14", x: "2", y: "3", rx: "2", key: "a" }]',
      '["polyline", { points: "1 7 12 12 20 7", key: "b" }]',
    ],
    'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2zM1 7 12 12 20 7',
  ],
])('combines %s', (_, shapes, path) => {
  const code = combineIconShapes(createModule(...shapes))
  expect(readPath(code)).toBe(path)
  expect(code).toContain('name: "x"')
})

test('keeps a single shape, and shapes with a color of their own', () => {
  expect(combineIconShapes(createModule('["path", { d: "m6 9 6 6", key: "a" }]'))).toBeNull()
  const colored = '["circle", { cx: "1", cy: "1", r: "1", fill: "currentColor", key: "b" }]'
  expect(combineIconShapes(createModule('["path", { d: "M1 1", key: "a" }]', colored))).toBeNull()
})

test('rejects a shape that it cannot convert', () => {
  expect(() => combineIconShapes(createModule('["path", { d: "M1 1", key: "a" }]', '["image", { x: "1" }]'))).toThrow(
    '<image>',
  )
})

test('combines the shapes of every icon that the pages import, except those with a color of their own', () => {
  const names = new Set<string>()
  for (const file of globSync('src/**/*.{ts,tsx,astro}', { cwd: join(import.meta.dirname, '../../..') }))
    for (const [, name = ''] of readFileSync(join(import.meta.dirname, '../../..', file), 'utf8').matchAll(
      /'lucide-react\/icons\/([\w-]+)'/g,
    ))
      names.add(name)
  expect(names.size).toBeGreaterThan(100)
  const separate = [...names].filter((name) => {
    const code = readIcon(name)
    const shapes = (combineIconShapes(code) ?? code).match(/\[\s*"(?:path|circle|ellipse|rect|line|polyline|polygon)"/g)
    return shapes?.length !== 1
  })
  expect(separate.toSorted()).toEqual(['images', 'key-round'])
})
