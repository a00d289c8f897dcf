/**
 * Rejects import cycles, type imports included. Allows a cycle through a lazy `import()` only if `ALLOWED_CYCLES` lists
 * this import.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { findCycle, listLazyImports, listStaticImports } from './lib/import-graph.ts'

const root = new URL('..', import.meta.url).pathname
const FOLDERS = ['contract', 'functions', 'provider', 'bridge', 'scenes', 'scripts', 'src', 'tests']

/** Lazy imports that close a cycle on purpose: docs/decisions/0088-import-cycles.md. */
const ALLOWED_CYCLES = new Map([['src/stores/billing/submit-purchase.ts', 'src/stores/billing/purchase-task.ts']])

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs|astro)$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)
const graph = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const resolve = (target: string) => normalize(join(dirname(file), target))
    const lazy = listLazyImports(text)
      .map(resolve)
      .filter((target) => ALLOWED_CYCLES.get(file) !== target)
    return [file, [...listStaticImports(text).map(resolve), ...lazy]]
  }),
)
const cycle = findCycle(graph)
if (cycle) console.error(`These modules import each other in a cycle: ${cycle.join(' → ')}`)
process.exit(cycle ? 1 : 0)
