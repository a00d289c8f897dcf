/**
 * Compares names that are stored, sent or configured with docs/fixed-names.json; `--write` adds new names and drops
 * missing ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { collectFixedNames, type FixedNames } from './lib/fixed-names.ts'

const root = new URL('..', import.meta.url).pathname
const file = join(root, 'docs/fixed-names.json')
const COMMAND = 'node scripts/run.mjs scripts/check-fixed-names.ts --write'

const names = await collectFixedNames(root)
if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(names, null, 2)}\n`)
const stored = v.parse(v.record(v.string(), v.array(v.string())), JSON.parse(readFileSync(file, 'utf8')))
const lost = difference(stored, names)
const added = difference(names, stored)
for (const name of lost)
  console.error(`${name} is stored, sent or configured, and the sources no longer have it. Restore it.`)
for (const name of added) console.error(`${name} is new. List it: ${COMMAND}`)
process.exitCode = lost.length + added.length > 0 ? 1 : 0

function difference(from: FixedNames, other: FixedNames): string[] {
  return Object.entries(from).flatMap(([kind, list]) =>
    list.filter((name) => !other[kind]?.includes(name)).map((name) => `${name} (${kind})`),
  )
}
