import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { findCycle } from '../../scripts/lib/import-graph.ts'

const root = new URL('../..', import.meta.url).pathname
const IMPORT_PATTERN = /^(?:import|export) (?!type )([^'"]*)from '(\.[^']+)'/gm
/** Folders that the check treats as one unit with their subfolders. */
const MERGED_FOLDERS = [
  'provider/identity',
  'provider/events',
  'provider/search',
  'provider/telemetry',
  'provider/billing/payment',
  'provider/notifications/email',
]

const getFolder = (file: string) => MERGED_FOLDERS.find((folder) => file.startsWith(`${folder}/`)) ?? dirname(file)
/** Returns true if the import list names types only, which do not exist at run time. */
const isTypesOnly = (list: string) => list.split(',').every((name) => /^[\s{}]*(type .*)?[\s{}]*$/.test(name))

/**
 * Returns the run-time imports between folders. Ignores files directly in `tree`, such as `index.ts`, which assemble
 * the Worker.
 */
function listFolderImports(tree: string): { from: string; to: string }[] {
  return globSync(`${tree}/*/**/*.ts`, { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT_PATTERN)].flatMap(([, list = '', path = '']) => {
      const target = normalize(join(dirname(file), path))
      const [from, to] = [getFolder(file), getFolder(target)]
      return target.startsWith(`${tree}/`) && to !== tree && from !== to && !isTypesOnly(list) ? [{ from, to }] : []
    }),
  )
}

function buildGraph(crossings: readonly { from: string; to: string }[]): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  for (const { from, to } of crossings) graph.set(from, [...(graph.get(from) ?? []), to])
  return graph
}

test.each([
  ['provider', 400],
  ['bridge', 100],
  ['functions', 50],
  ['contract', 50],
  ['src/stores', 100],
  ['src/domain', 30],
])('folders of %s import each other in one direction', (tree, atLeast) => {
  const folderImports = listFolderImports(tree)
  expect(folderImports.length).toBeGreaterThan(atLeast)
  const [{ from, to } = { from: '', to: '' }] = folderImports
  expect(findCycle(buildGraph([...folderImports, { from: to, to: from }]))).not.toBeNull()
  expect(findCycle(buildGraph(folderImports))).toBeNull()
})
