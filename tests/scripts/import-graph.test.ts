import { expect, test } from 'vitest'
import { findCycle, valueImports } from '../../scripts/lib/import-graph.ts'

test('imports of values are read, imports of types and lazy ones are not', () => {
  const text = [
    `import { a, type B } from './a.ts'`,
    `import type { C } from './c.ts'`,
    `import './style.css'`,
    `export { d } from '../d.ts'`,
    `import {\n  e,\n  f,\n} from './e.ts'`,
    `import g from 'package'`,
    `const lazy = () => import('./h.ts')`,
    `export type { I } from './i.ts'`,
  ].join('\n')
  expect(valueImports(text)).toEqual(['./a.ts', './style.css', '../d.ts', './e.ts'])
})

test('a circle is found and named, a diamond is none', () => {
  const diamond = new Map([
    ['top', ['left', 'right']],
    ['left', ['base']],
    ['right', ['base']],
    ['base', []],
  ])
  expect(findCycle(diamond)).toBeNull()
  expect(findCycle(new Map([...diamond, ['base', ['left']]]))).toEqual(['left', 'base', 'left'])
})
