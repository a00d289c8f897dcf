/** Modules that import each other in a circle at run time: the order of their first lines would decide what works. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { findCycle, valueImports } from './lib/import-graph.ts'

const root = new URL('..', import.meta.url).pathname
const FOLDERS = ['contract', 'functions', 'provider', 'bridge', 'scenes', 'scripts', 'src', 'tests']

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs|astro)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)
const graph = new Map(
  files.map((file) => [
    file,
    valueImports(readFileSync(join(root, file), 'utf8')).map((target) => normalize(join(dirname(file), target))),
  ]),
)
const cycle = findCycle(graph)
if (cycle) console.error(`These modules import each other in a circle: ${cycle.join(' → ')}`)
process.exit(cycle ? 1 : 0)
