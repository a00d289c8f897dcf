import { expect, test } from 'vitest'
import { findCycle, listLazyImports, listStaticImports } from '../../../scripts/lib/import-graph.ts'

test('static imports include type imports, and lazy imports are listed separately', () => {
  const text = [
    `import { a, type B } from './a.ts'`,
    `import type { C } from './c.ts'`,
    `import './style.css'`,
    `export { d } from '../d.ts'`,
    `import {\n  e,\n  f,\n} from './e.ts'`,
    `import g from 'package'`,
    `const lazy = () => import('./h.ts')`,
    `export type { I } from './i.ts'`,
    `type Parts = typeof import('./j.ts')`,
  ].join('\n')
  expect(listStaticImports(text)).toEqual(['./a.ts', './c.ts', './style.css', '../d.ts', './e.ts', './i.ts'])
  expect(listLazyImports(text)).toEqual(['./h.ts'])
})

test('a cycle is found and named; a diamond is not a cycle', () => {
  const diamond = new Map([
    ['top', ['left', 'right']],
    ['left', ['base']],
    ['right', ['base']],
    ['base', []],
  ])
  expect(findCycle(diamond)).toBeNull()
  expect(findCycle(new Map([...diamond, ['base', ['left']]]))).toEqual(['left', 'base', 'left'])
})
