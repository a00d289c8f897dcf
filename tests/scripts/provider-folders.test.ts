import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const IMPORT = /^(?:import|export) (?!type )([^'"]*)from '(\.[^']+)'/gm

const folderOf = (file: string) => file.split('/')[1] ?? ''
/** Whether the import list names types only, which a run does not see. */
const isTypes = (list: string) => list.split(',').every((name) => /^[\s{}]*(type .*)?[\s{}]*$/.test(name))

/** Imports at run time from one folder of the provider into another: the folders, and where they meet. */
function crossings() {
  return globSync('provider/*/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].flatMap(([, list = '', path = '']) => {
      const target = normalize(join(dirname(file), path))
      const crosses = target.startsWith('provider/') && folderOf(target) !== folderOf(file) && !isTypes(list)
      return crosses ? [{ from: folderOf(file), to: folderOf(target), where: `${file} imports ${target}` }] : []
    }),
  )
}

/** The crossings that are left once every folder which stands on no other is taken away, again and again. */
function circle(all: ReturnType<typeof crossings>): ReturnType<typeof crossings> {
  const left = all.filter(({ to }) => all.some(({ from }) => from === to))
  return left.length === all.length ? left : circle(left)
}

test('folders of the provider stand on each other in one direction', () => {
  const all = crossings()
  expect(all.length).toBeGreaterThan(50)
  const back = { from: 'base', to: 'home', where: 'a file that closes a circle' }
  expect(circle([...all, back])).toContain(back)
  expect(circle(all).map(({ where }) => where)).toEqual([])
})
